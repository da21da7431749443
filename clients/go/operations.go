package pgq

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Fingerprint identifies a query. Statements that differ only in constants have the same fingerprint.
type Fingerprint uint64

// String returns the fingerprint as 16 hex digits.
func (f Fingerprint) String() string { return fmt.Sprintf("%016x", uint64(f)) }

// Result is the answer to one text of a batch: a value or an error.
type Result[T any] struct {
	Value T
	// Flags are FlagTruncated, FlagKept, FlagQuoted and FlagWarnings.
	Flags uint8
	// Err is nil or an *Error.
	Err error
}

// Both is a fingerprint with the normalized SQL.
type Both struct {
	Fingerprint Fingerprint
	Normalized  string
}

// Pending is a batch in progress.
type Pending[T any] struct {
	call    *call
	results []Result[T]
}

// Wait returns the answer to each text, in order. The error is of the connection or the whole request.
func (p *Pending[T]) Wait(ctx context.Context) ([]Result[T], error) {
	if err := p.call.wait(ctx); err != nil {
		return nil, err
	}
	if len(p.results) != cap(p.results) {
		return nil, errMalformed
	}
	return p.results, nil
}

// batch sends texts. decode converts an answer's body to a value and must not keep the body.
func batch[T any](ctx context.Context, c *Client, op uint8, o *Handle, texts []string, decode func([]byte) (T, error)) (*Pending[T], error) {
	p := &Pending[T]{results: make([]Result[T], 0, len(texts))}
	handle := func(i item) error {
		if len(p.results) == cap(p.results) {
			return errMalformed
		}
		result := Result[T]{Flags: i.flags, Err: i.err()}
		if result.Err == nil {
			var err error
			if result.Value, err = decode(i.body); err != nil {
				return err
			}
		}
		p.results = append(p.results, result)
		return nil
	}
	body := func(out []byte) []byte { return appendBatch(out, texts) }
	var err error
	p.call, err = c.send(ctx, op, flagBatch, o.number(), batchBytes(texts), body, handle)
	return p, err
}

// one sends a single text and waits for the answer.
func one[T any](ctx context.Context, c *Client, op uint8, handle uint16, text string, decode func([]byte) (T, error)) (T, error) {
	var value T
	body := func(out []byte) []byte { return append(out, text...) }
	call, err := c.send(ctx, op, 0, handle, len(text), body, func(i item) (err error) {
		value, err = decode(i.body)
		return err
	})
	if err == nil {
		err = call.wait(ctx)
	}
	if err != nil {
		var none T
		return none, err
	}
	return value, nil
}

func decodeFingerprint(body []byte) (Fingerprint, error) {
	if len(body) != 8 {
		return 0, errMalformed
	}
	return Fingerprint(binary.LittleEndian.Uint64(body)), nil
}

func decodeText(body []byte) (string, error) { return string(body), nil }

func decodeBytes(body []byte) ([]byte, error) { return bytes.Clone(body), nil }

func decodeBoth(body []byte) (Both, error) {
	if len(body) < 8 {
		return Both{}, errMalformed
	}
	return Both{Fingerprint(binary.LittleEndian.Uint64(body)), string(body[8:])}, nil
}

func decodeJSON[T any](body []byte) (T, error) {
	var value T
	return value, json.Unmarshal(body, &value)
}

func decodeRanges(body []byte) ([]Range, error) {
	ranges := make([]Range, 0, len(body)/8)
	for ; len(body) >= 8; body = body[8:] {
		ranges = append(ranges, Range{int(binary.LittleEndian.Uint32(body)), int(binary.LittleEndian.Uint32(body[4:]))})
	}
	return ranges, nil
}

// Fingerprint returns one fingerprint for all statements of sql.
func (c *Client) Fingerprint(ctx context.Context, sql string) (Fingerprint, error) {
	return one(ctx, c, opFingerprint, 0, sql, decodeFingerprint)
}

// Fingerprints returns the fingerprint of each text, in one round trip. o may be nil.
func (c *Client) Fingerprints(ctx context.Context, texts []string, o *Handle) ([]Result[Fingerprint], error) {
	return wait(c.GoFingerprints(ctx, texts, o))(ctx)
}

// GoFingerprints is Fingerprints without waiting.
func (c *Client) GoFingerprints(ctx context.Context, texts []string, o *Handle) (*Pending[Fingerprint], error) {
	return batch(ctx, c, opFingerprint, o, texts, decodeFingerprint)
}

// Normalize returns the SQL with $n in place of its constants.
func (c *Client) Normalize(ctx context.Context, sql string) (string, error) {
	return one(ctx, c, opNormalize, 0, sql, decodeText)
}

// Normalized returns each text normalized, in one round trip. o may be nil.
func (c *Client) Normalized(ctx context.Context, texts []string, o *Handle) ([]Result[string], error) {
	return wait(c.GoNormalized(ctx, texts, o))(ctx)
}

// GoNormalized is Normalized without waiting.
func (c *Client) GoNormalized(ctx context.Context, texts []string, o *Handle) (*Pending[string], error) {
	return batch(ctx, c, opNormalize, o, texts, decodeText)
}

// Both returns the fingerprint and the normalized SQL of each text, in one round trip. o may be nil.
func (c *Client) Both(ctx context.Context, texts []string, o *Handle) ([]Result[Both], error) {
	return wait(c.GoBoth(ctx, texts, o))(ctx)
}

// GoBoth is Both without waiting.
func (c *Client) GoBoth(ctx context.Context, texts []string, o *Handle) (*Pending[Both], error) {
	return batch(ctx, c, opBoth, o, texts, decodeBoth)
}

func wait[T any](p *Pending[T], err error) func(context.Context) ([]Result[T], error) {
	return func(ctx context.Context) ([]Result[T], error) {
		if err != nil {
			return nil, err
		}
		return p.Wait(ctx)
	}
}

// Tree returns the parse tree as libpg_query's JSON document. o may be nil, here and below.
func (c *Client) Tree(ctx context.Context, sql string, o *Handle) (json.RawMessage, error) {
	return one(ctx, c, opTree, o.number(), sql, func(body []byte) (json.RawMessage, error) { return bytes.Clone(body), nil })
}

// Trees returns the parse tree of each text.
func (c *Client) Trees(ctx context.Context, texts []string, o *Handle) ([]Result[json.RawMessage], error) {
	return wait(batch(ctx, c, opTree, o, texts, func(body []byte) (json.RawMessage, error) { return bytes.Clone(body), nil }))(ctx)
}

// TreeProtobuf returns the parse tree as libpg_query's ParseResult in Protobuf.
func (c *Client) TreeProtobuf(ctx context.Context, sql string, o *Handle) ([]byte, error) {
	return one(ctx, c, opTreeProtobuf, o.number(), sql, decodeBytes)
}

// Deparse returns the SQL of a tree that Tree returned.
func (c *Client) Deparse(ctx context.Context, tree json.RawMessage, o *Handle) (string, error) {
	return one(ctx, c, opDeparse, o.number(), string(tree), decodeText)
}

// DeparseProtobuf returns the SQL of a tree that TreeProtobuf returned.
func (c *Client) DeparseProtobuf(ctx context.Context, tree []byte, o *Handle) (string, error) {
	return one(ctx, c, opDeparseProtobuf, o.number(), string(tree), decodeText)
}

// Reformat returns the SQL in the deparser's layout.
func (c *Client) Reformat(ctx context.Context, sql string, o *Handle) (string, error) {
	return one(ctx, c, opReformat, o.number(), sql, decodeText)
}

// Token is a token of PostgreSQL's scanner, with its byte range in the SQL.
type Token struct {
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Token   string `json:"token"`
	Keyword string `json:"keyword"`
}

// Scan returns the tokens of the SQL, including comments.
func (c *Client) Scan(ctx context.Context, sql string, o *Handle) ([]Token, error) {
	return one(ctx, c, opScan, o.number(), sql, decodeJSON[[]Token])
}

// Range is the byte range of a statement.
type Range struct{ Start, End int }

// Split returns the byte range of each statement.
func (c *Client) Split(ctx context.Context, sql string, o *Handle) ([]Range, error) {
	return one(ctx, c, opSplit, o.number(), sql, decodeRanges)
}

// Warning is a warning of PostgreSQL about valid SQL.
type Warning struct {
	Severity string  `json:"severity"`
	Message  string  `json:"message"`
	Hint     *string `json:"hint"`
	SQLState *string `json:"sqlstate"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Offset   int     `json:"offset"`
}

// Warnings returns PostgreSQL's warnings about the SQL.
func (c *Client) Warnings(ctx context.Context, sql string, o *Handle) ([]Warning, error) {
	return one(ctx, c, opWarnings, o.number(), sql, decodeJSON[[]Warning])
}

// Summary has a statement's tables, functions, aliases, CTEs and filter columns.
type Summary struct {
	StatementKinds []string     `json:"statement_kinds"`
	Tables         []Relation   `json:"tables"`
	OtherRelations []Relation   `json:"other_relations"`
	Aliases        []TableAlias `json:"aliases"`
	CTEs           []string     `json:"ctes"`
	Functions      []Function   `json:"functions"`
	FilterColumns  []Column     `json:"filter_columns"`
}

// Relation is a reference to a table or another relation.
type Relation struct {
	Name     string  `json:"name"`
	Schema   *string `json:"schema"`
	Relation string  `json:"relation"`
	Alias    *string `json:"alias"`
	Context  string  `json:"context"`
	Kind     string  `json:"kind"`
	Location *int    `json:"location"`
}

// TableAlias is an alias of a table or WITH query.
type TableAlias struct {
	Alias    string `json:"alias"`
	Name     string `json:"name"`
	Location *int   `json:"location"`
}

// Function is a reference to a function.
type Function struct {
	Name     string  `json:"name"`
	Schema   *string `json:"schema"`
	Function string  `json:"function"`
	Context  string  `json:"context"`
	Location *int    `json:"location"`
}

// Column is a column in a WHERE clause.
type Column struct {
	Schema   *string `json:"schema"`
	Table    *string `json:"table"`
	Column   string  `json:"column"`
	Location *int    `json:"location"`
}

// Summary returns the summary of each statement.
func (c *Client) Summary(ctx context.Context, sql string, o *Handle) ([]Summary, error) {
	return one(ctx, c, opSummary, o.number(), sql, decodeJSON[[]Summary])
}
