package pgq

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The frames of docs/protocol.md.

const (
	magic       = "PGQ\x01"
	headerBytes = 12
	itemBytes   = 8
)

// Operations.
const (
	opHello           = 0
	opOptions         = 1
	opDrop            = 2
	opFingerprint     = 16
	opNormalize       = 17
	opBoth            = 18
	opTree            = 19
	opTreeProtobuf    = 20
	opDeparse         = 21
	opDeparseProtobuf = 22
	opReformat        = 23
	opScan            = 24
	opSplit           = 25
	opSummary         = 26
	opWarnings        = 27
	opConnect         = 64
	opPrepare         = 65
	opExecute         = 66
	opCancel          = 67
)

// Flags.
const (
	flagBatch = 1
	flagMore  = 2
	// FlagTruncated means that the tree is deeper than the levels that a fingerprint covers.
	FlagTruncated = 4
	// FlagKept means that normalized SQL still contains constants.
	FlagKept = 8
	// FlagQuoted means that strings became '$1', in quotes.
	FlagQuoted = 16
	// FlagWarnings means that PostgreSQL has warnings about the SQL ([Client.Warnings]), or that a server sent notices.
	FlagWarnings = 32
	flagSync     = 64
)

// Status of an answer or item.
const (
	statusDone   = 0
	statusError  = 1
	statusNotRun = 2
)

var errMalformed = errors.New("pgq: an answer is not as the protocol says")

// appendHeader appends the header of a request whose body has length bytes.
func appendHeader(out []byte, id uint32, op, flags uint8, handle uint16, length int) []byte {
	out = binary.LittleEndian.AppendUint32(out, uint32(length+headerBytes-4))
	out = binary.LittleEndian.AppendUint32(out, id)
	out = append(out, op, flags)
	return binary.LittleEndian.AppendUint16(out, handle)
}

// appendBatch appends the body of a batch.
func appendBatch(out []byte, texts []string) []byte {
	out = binary.LittleEndian.AppendUint32(out, uint32(len(texts)))
	for _, text := range texts {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
		out = append(out, text...)
	}
	return out
}

func batchBytes(texts []string) int {
	bytes := 4
	for _, text := range texts {
		bytes += 4 + len(text)
	}
	return bytes
}

// frame is a frame of an answer. Its body is valid only during handling.
type frame struct {
	id     uint32
	status uint8
	flags  uint8
	code   uint16
	body   []byte
}

// item is the answer to a single text or to a text of a batch. Its body is valid only during handling.
type item struct {
	status uint8
	flags  uint8
	code   uint16
	body   []byte
}

func (i item) err() error {
	if i.status == statusDone {
		return nil
	}
	return readError(i.code, i.body)
}

// eachItem calls handle for each item of a frame. The answer to a single text is one item.
func (f *frame) eachItem(handle func(item) error) error {
	if f.flags&flagBatch == 0 {
		return handle(item{f.status, f.flags, f.code, f.body})
	}
	if len(f.body) < 4 {
		return errMalformed
	}
	count, rest := binary.LittleEndian.Uint32(f.body), f.body[4:]
	for ; count > 0; count-- {
		if len(rest) < itemBytes {
			return errMalformed
		}
		length := binary.LittleEndian.Uint32(rest[4:])
		if uint64(len(rest)-itemBytes) < uint64(length) {
			return errMalformed
		}
		body := rest[itemBytes : itemBytes+length]
		if err := handle(item{rest[0], rest[1], binary.LittleEndian.Uint16(rest[2:]), body}); err != nil {
			return err
		}
		rest = rest[itemBytes+length:]
	}
	if len(rest) > 0 {
		return errMalformed
	}
	return nil
}

// readError decodes the body of an error.
func readError(code uint16, body []byte) error {
	if len(body) < 12 {
		return errMalformed
	}
	e := &Error{
		Code:   Code(code),
		Offset: int(binary.LittleEndian.Uint32(body)),
		Line:   int(binary.LittleEndian.Uint32(body[4:])),
		Column: int(binary.LittleEndian.Uint32(body[8:])),
		Fields: map[byte]string{},
	}
	for rest := body[12:]; len(rest) > 0; {
		if len(rest) < 5 {
			return errMalformed
		}
		length := binary.LittleEndian.Uint32(rest[1:])
		if uint64(len(rest)-5) < uint64(length) {
			return errMalformed
		}
		e.Fields[rest[0]] = string(rest[5 : 5+length])
		rest = rest[5+length:]
	}
	return e
}

// Code is the class of an error. docs/protocol.md lists all codes.
type Code uint16

// Codes that programs may need to distinguish.
const (
	CodeSyntax         Code = 1
	CodeEncoding       Code = 2
	CodeTooLong        Code = 4
	CodeBadHandle      Code = 36
	CodeIdle           Code = 42
	CodeShuttingDown   Code = 43
	CodeServer         Code = 64
	CodeCannotConnect  Code = 65
	CodeConnectionLost Code = 66
	CodeTimeout        Code = 67
)

// Error is an error from the daemon: of the SQL, of the request, or of a PostgreSQL server.
type Error struct {
	Code Code
	// Offset counts bytes from the start of the text. Line and Column (in characters) count from 1. All are 0 if the
	// error is not about a text.
	Offset, Line, Column int
	// Fields maps tags of PostgreSQL's error fields to strings: 'M' message, 'D' detail, 'H' hint, 'C' SQLSTATE.
	Fields map[byte]string
}

// Message returns PostgreSQL's or the daemon's message.
func (e *Error) Message() string { return e.Fields['M'] }

// SQLState returns the SQLSTATE, or "".
func (e *Error) SQLState() string { return e.Fields['C'] }

func (e *Error) Error() string {
	if e.Line == 0 {
		return "pgq: " + e.Message()
	}
	return fmt.Sprintf("pgq: %d:%d: %s", e.Line, e.Column, e.Message())
}
