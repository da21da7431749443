package pgq

import (
	"context"
	"encoding/binary"
	"encoding/json"
)

// Hello has the daemon's versions and limits.
type Hello struct {
	PGQ               string   `json:"pgq"`
	Protocol          int      `json:"protocol"`
	Postgres          string   `json:"postgres"`
	MaxFrameBytes     int      `json:"max_frame_bytes"`
	MaxStatementBytes int      `json:"max_statement_bytes"`
	Operations        []string `json:"operations"`
}

// Hello returns the daemon's versions and limits.
func (c *Client) Hello(ctx context.Context) (Hello, error) {
	return one(ctx, c, opHello, 0, "go", decodeJSON[Hello])
}

// Options change the results of operations. The zero value has all defaults.
type Options struct {
	BackslashEscapes  bool   `json:"backslash_escapes,omitempty"`
	Placeholders      string `json:"placeholders,omitempty"`
	Postgres17        bool   `json:"postgres_17,omitempty"`
	FullRelationNames bool   `json:"full_relation_names,omitempty"`
	FullDepth         bool   `json:"full_depth,omitempty"`
	IgnoreAliases     bool   `json:"ignore_aliases,omitempty"`
	IncludeSchema     bool   `json:"include_schema,omitempty"`
	Utility           bool   `json:"utility,omitempty"`
	OneLine           bool   `json:"one_line,omitempty"`
	ShowSecrets       bool   `json:"show_secrets,omitempty"`
	Lossless          bool   `json:"lossless,omitempty"`
	Pretty            bool   `json:"pretty,omitempty"`
	CommasFirst       bool   `json:"commas_first,omitempty"`
	TrailingNewline   bool   `json:"trailing_newline,omitempty"`
	Indent            int    `json:"indent,omitempty"`
	MaxLineLength     int    `json:"max_line_length,omitempty"`
	Verify            *bool  `json:"verify,omitempty"`
	Split             string `json:"split,omitempty"`
}

// Handle names options that the daemon stores for this client. A nil handle means the defaults.
type Handle struct {
	client *Client
	id     uint16
}

func (h *Handle) number() uint16 {
	if h == nil {
		return 0
	}
	return h.id
}

// Options stores options in the daemon and returns their handle.
func (c *Client) Options(ctx context.Context, options Options) (*Handle, error) {
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	return one(ctx, c, opOptions, 0, string(text), func(body []byte) (*Handle, error) {
		if len(body) != 2 {
			return nil, errMalformed
		}
		return &Handle{c, binary.LittleEndian.Uint16(body)}, nil
	})
}

// Drop frees the options in the daemon.
func (h *Handle) Drop(ctx context.Context) error {
	_, err := one(ctx, h.client, opDrop, h.id, "", decodeText)
	return err
}
