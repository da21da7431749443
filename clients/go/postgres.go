package pgq

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"time"
)

// Session is a PostgreSQL session that the daemon keeps for its client.
type Session struct {
	client *Client
	handle uint16
	// CancelKey is the argument of [Client.Cancel], in any program of the same user.
	CancelKey uint64
	// Parameters are the server's parameters: server_version, TimeZone and so on.
	Parameters map[string]string
}

// Statement is a prepared statement.
type Statement struct {
	client  *Client
	session *Session
	handle  uint16
	// Parameters are the type OIDs of the parameters.
	Parameters []uint32
	Columns    []ResultColumn
}

// ResultColumn is a column of a statement's result.
type ResultColumn struct {
	Name         string
	Table        uint32
	Number       int16
	Type         uint32
	TypeSize     int16
	TypeModifier int32
}

// Connect starts a session. settings is a URI or key=value pairs of libpq. Missing settings are taken from the daemon's
// environment.
func (c *Client) Connect(ctx context.Context, settings string) (*Session, error) {
	return one(ctx, c, opConnect, 0, settings, func(body []byte) (*Session, error) {
		if len(body) < 12 {
			return nil, errMalformed
		}
		s := &Session{client: c, handle: binary.LittleEndian.Uint16(body), CancelKey: binary.LittleEndian.Uint64(body[4:])}
		return s, json.Unmarshal(body[12:], &s.Parameters)
	})
}

// Close ends the session and frees its statements. If a call has already reported that the server ended the session,
// Close returns an *Error with CodeBadHandle.
func (s *Session) Close(ctx context.Context) error {
	_, err := one(ctx, s.client, opDrop, s.handle, "", decodeText)
	return err
}

// Cancel asks the server to cancel the current statement of the session with this key. Call it on another client,
// because the session's own client is waiting.
func (c *Client) Cancel(ctx context.Context, key uint64) error {
	_, err := one(ctx, c, opCancel, 0, string(binary.LittleEndian.AppendUint64(nil, key)), decodeText)
	return err
}

// Prepare prepares a statement. types are the type OIDs of the parameters. The server infers missing and zero ones.
func (s *Session) Prepare(ctx context.Context, sql string, types ...uint32) (*Statement, error) {
	body := binary.LittleEndian.AppendUint16(nil, uint16(len(types)))
	for _, oid := range types {
		body = binary.LittleEndian.AppendUint32(body, oid)
	}
	return one(ctx, s.client, opPrepare, s.handle, string(append(body, sql...)), s.decodeStatement)
}

func (s *Session) decodeStatement(body []byte) (*Statement, error) {
	if len(body) < 8 {
		return nil, errMalformed
	}
	st := &Statement{client: s.client, session: s, handle: binary.LittleEndian.Uint16(body)}
	parameters, columns := binary.LittleEndian.Uint16(body[2:]), binary.LittleEndian.Uint16(body[4:])
	body = body[8:]
	if len(body) < 4*int(parameters) {
		return nil, errMalformed
	}
	for range parameters {
		st.Parameters = append(st.Parameters, binary.LittleEndian.Uint32(body))
		body = body[4:]
	}
	for range columns {
		if len(body) < 20 || uint64(len(body)-20) < uint64(binary.LittleEndian.Uint32(body[16:])) {
			return nil, errMalformed
		}
		name := body[20 : 20+binary.LittleEndian.Uint32(body[16:])]
		st.Columns = append(st.Columns, ResultColumn{
			Name:         string(name),
			Table:        binary.LittleEndian.Uint32(body),
			Number:       int16(binary.LittleEndian.Uint16(body[4:])),
			Type:         binary.LittleEndian.Uint32(body[6:]),
			TypeSize:     int16(binary.LittleEndian.Uint16(body[10:])),
			TypeModifier: int32(binary.LittleEndian.Uint32(body[12:])),
		})
		body = body[20+len(name):]
	}
	return st, nil
}

// Close frees the statement.
func (st *Statement) Close(ctx context.Context) error {
	_, err := one(ctx, st.client, opDrop, st.handle, "", decodeText)
	return err
}

// Kinds of results.
const (
	Counts = 0 // the number of rows, from the command tag
	Tags   = 1 // the command tag
	Rows   = 2 // the rows
)

// Execution has the options of an execution. The zero value requests counts.
type Execution struct {
	// Results is Counts, Tags or Rows.
	Results uint8
	// SyncBytes and SyncRows are the maximum bytes (0: 64 KiB) and rows (0: no limit) between two Syncs. The rows
	// between two Syncs are one implicit transaction.
	SyncBytes, SyncRows uint32
	// Timeout is the maximum silence of the server, after which the statement is cancelled; 0 means no limit.
	Timeout time.Duration
	// The formats are those of Bind: empty for text, one for all values, or one for each value; 1 is binary.
	ParameterFormats, ColumnFormats []uint16
}

// Outcome is the outcome of a row of parameters.
type Outcome uint8

// Outcomes.
const (
	Ran    Outcome = statusDone
	Failed Outcome = statusError
	NotRun Outcome = statusNotRun
)

// Answer is the answer to a row of parameters.
type Answer struct {
	Outcome Outcome
	// Sync is true for the last row of an implicit transaction. If a row of the transaction failed, its other rows
	// were rolled back, unless the session was inside BEGIN.
	Sync bool
	// Err is an *Error if the row failed, otherwise nil.
	Err error
	// Body is the encoded result. Count, Tag and EachRow decode it.
	Body []byte
}

// Count returns the number of rows, in an execution with Counts.
func (a *Answer) Count() uint64 {
	if len(a.Body) < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(a.Body)
}

// Tag returns the command tag, in an execution with Tags.
func (a *Answer) Tag() string { return string(a.Body) }

// EachRow calls row for each row, in an execution with Rows. A value is nil for NULL. The values and the slice are valid
// only during the call.
func (a *Answer) EachRow(row func(values [][]byte) error) error {
	var values [][]byte
	for rest := a.Body; len(rest) >= 5; {
		length := int(binary.BigEndian.Uint32(rest[1:])) + 1
		if length < 5 || length > len(rest) {
			return errMalformed
		}
		kind, body := rest[0], rest[5:length]
		rest = rest[length:]
		if kind != 'D' {
			continue
		}
		if len(body) < 2 {
			return errMalformed
		}
		count := int(binary.BigEndian.Uint16(body))
		values, body = values[:0], body[2:]
		for range count {
			if len(body) < 4 {
				return errMalformed
			}
			size := int(int32(binary.BigEndian.Uint32(body)))
			body = body[4:]
			if size < 0 {
				values = append(values, nil)
				continue
			}
			if size > len(body) {
				return errMalformed
			}
			values, body = append(values, body[:size:size]), body[size:]
		}
		if err := row(values); err != nil {
			return err
		}
	}
	return nil
}

// Parameters are encoded rows of parameters. The zero value has no rows.
type Parameters struct {
	count uint32
	bytes []byte
}

// Add adds a row. Its values are in the formats of the Execution, or nil for NULL.
func (p *Parameters) Add(values ...[]byte) {
	start := len(p.bytes)
	p.bytes = append(p.bytes, 0, 0, 0, 0)
	for _, value := range values {
		if value == nil {
			p.bytes = append(p.bytes, 255, 255, 255, 255)
			continue
		}
		p.bytes = binary.BigEndian.AppendUint32(p.bytes, uint32(len(value)))
		p.bytes = append(p.bytes, value...)
	}
	binary.LittleEndian.PutUint32(p.bytes[start:], uint32(len(p.bytes)-start-4))
	p.count++
}

// Len returns the number of rows.
func (p *Parameters) Len() int { return int(p.count) }

// Reset removes all rows but keeps their memory for reuse.
func (p *Parameters) Reset() { p.count, p.bytes = 0, p.bytes[:0] }

// Executing is an execution in progress.
type Executing struct {
	statement *Statement
	call      *call
	expected  uint32
	answered  uint32
}

// GoExecute executes the statement for each row of parameters, without waiting. It calls answer for each row, in order,
// on another goroutine. The Answer is valid only during the call, and answer must not use the client.
func (st *Statement) GoExecute(ctx context.Context, rows *Parameters, how Execution, answer func(*Answer)) (*Executing, error) {
	head := binary.LittleEndian.AppendUint32(nil, uint32(how.Results))
	for _, number := range []uint32{how.SyncBytes, how.SyncRows, uint32(how.Timeout.Milliseconds())} {
		head = binary.LittleEndian.AppendUint32(head, number)
	}
	for _, formats := range [][]uint16{how.ParameterFormats, how.ColumnFormats} {
		head = binary.LittleEndian.AppendUint16(head, uint16(len(formats)))
		for _, format := range formats {
			head = binary.LittleEndian.AppendUint16(head, format)
		}
	}
	head = binary.LittleEndian.AppendUint32(head, rows.count)
	e := &Executing{statement: st, expected: rows.count}
	var parts []byte
	handle := func(i item) error {
		if i.flags&flagMore != 0 {
			parts = append(parts, i.body...)
			return nil
		}
		a := Answer{Outcome: Outcome(i.status), Sync: i.flags&flagSync != 0, Body: i.body}
		switch {
		case i.status == statusError:
			a.Err, a.Body = readError(i.code, i.body), nil
		case len(parts) > 0:
			a.Body = append(parts, i.body...)
		}
		parts = nil
		e.answered++
		answer(&a)
		return nil
	}
	body := func(out []byte) []byte { return append(append(out, head...), rows.bytes...) }
	var err error
	e.call, err = st.client.send(ctx, opExecute, 0, st.handle, len(head)+len(rows.bytes), body, handle)
	return e, err
}

// Wait waits until every row has its answer. If ctx ends first, the running statement is cancelled, provided that [Dial]
// created the client.
func (e *Executing) Wait(ctx context.Context) error {
	err := e.call.wait(ctx)
	if err != nil && ctx.Err() != nil && e.statement.client.redial != nil {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if other, dialed := e.statement.client.redial(patience); dialed == nil {
			_ = other.Cancel(patience, e.statement.session.CancelKey)
			other.Close()
		}
	}
	if err == nil && e.answered != e.expected {
		return errMalformed
	}
	return err
}

// Execute is GoExecute with waiting. It returns the answers.
func (st *Statement) Execute(ctx context.Context, rows *Parameters, how Execution) ([]Answer, error) {
	answers := make([]Answer, 0, rows.count)
	executing, err := st.GoExecute(ctx, rows, how, func(a *Answer) {
		kept := *a
		kept.Body = bytes.Clone(a.Body)
		answers = append(answers, kept)
	})
	if err == nil {
		err = executing.Wait(ctx)
	}
	if err != nil {
		return nil, err
	}
	return answers, nil
}
