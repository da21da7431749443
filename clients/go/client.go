package pgq

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// ErrClosed is the error of calls on a closed client.
var ErrClosed = errors.New("pgq: the client is closed")

const (
	readBytes = 256 << 10
	// Maximum number of queued bytes. Further calls wait until the daemon reads.
	queueBytes = 4 << 20
)

// Client is a connection to a daemon. Its methods may be called from many goroutines.
type Client struct {
	conn    io.ReadWriteCloser
	redial  func(context.Context) (*Client, error) // nil if no second connection is possible
	process *exec.Cmd

	mu      sync.Mutex
	changed *sync.Cond
	out     []byte  // unwritten requests
	calls   []*call // unanswered requests, in order
	lastID  uint32
	err     error // the error that ended the connection
	readers chan struct{}
}

// call is a request in progress.
type call struct {
	id     uint32
	handle func(item) error // runs on the reader's goroutine
	done   chan struct{}
	err    error // of the connection, or of the whole request
}

// Dial connects to a daemon. The default of socket is pgq.sock in $XDG_RUNTIME_DIR.
func Dial(ctx context.Context, socket string) (*Client, error) {
	if socket == "" {
		dir := os.Getenv("XDG_RUNTIME_DIR")
		if dir == "" {
			return nil, errors.New("pgq: XDG_RUNTIME_DIR is not set: name a socket")
		}
		socket = filepath.Join(dir, "pgq.sock")
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("pgq: %w", err)
	}
	client := New(conn)
	client.redial = func(ctx context.Context) (*Client, error) { return Dial(ctx, socket) }
	return client, nil
}

// pipes are the standard input and output of a process.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// Start starts a daemon, which ends with the client. program is pgq's path, or "pgq" to search the PATH. ctx applies
// only to the start.
func Start(ctx context.Context, program string, options ...string) (*Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	process := exec.Command(program, append([]string{"serve", "--stdio"}, options...)...)
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("pgq: %w", err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("pgq: %w", err)
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("pgq: %w", err)
	}
	client := New(pipes{out, in})
	client.process = process
	if _, err := client.Hello(ctx); err != nil {
		client.Close()
		return nil, fmt.Errorf("pgq: %s serve --stdio does not answer: %w", program, err)
	}
	return client, nil
}

// New creates a client from a connection to a daemon.
func New(conn io.ReadWriteCloser) *Client {
	c := &Client{conn: conn, out: []byte(magic), readers: make(chan struct{})}
	c.changed = sync.NewCond(&c.mu)
	go c.write()
	go c.read()
	return c
}

// Close closes the connection, and ends the daemon if [Start] started it. Calls in progress fail with [ErrClosed].
func (c *Client) Close() error {
	c.fail(ErrClosed)
	err := c.conn.Close()
	if c.process == nil {
		<-c.readers
		return err
	}
	// The daemon ends at the end of its input.
	ended := make(chan error, 1)
	go func() { <-c.readers; ended <- c.process.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(5 * time.Second):
		c.process.Process.Kill()
		err = <-ended
	}
	return err
}

// fail fails all calls in progress and all later calls.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	for _, call := range c.calls {
		call.err = c.err
		close(call.done)
	}
	c.calls = nil
	c.changed.Broadcast()
}

// send queues a request with one body. items is called on another goroutine.
func (c *Client) send(ctx context.Context, op, flags uint8, handle uint16, length int, body func([]byte) []byte, items func(item) error) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.out) > queueBytes {
		stop := context.AfterFunc(ctx, func() { c.mu.Lock(); c.changed.Broadcast(); c.mu.Unlock() })
		defer stop()
		for len(c.out) > queueBytes && c.err == nil && ctx.Err() == nil {
			c.changed.Wait()
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.err != nil {
		return nil, c.err
	}
	if c.lastID++; c.lastID == 0 {
		c.lastID++
	}
	call := &call{id: c.lastID, handle: items, done: make(chan struct{})}
	c.out = body(appendHeader(c.out, call.id, op, flags, handle, length))
	c.calls = append(c.calls, call)
	c.changed.Broadcast()
	return call, nil
}

// wait waits for an answer. If ctx ends first, the answer is dropped when it arrives.
func (call *call) wait(ctx context.Context) error {
	select {
	case <-call.done:
		return call.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes the queued requests. Requests that are queued during a write share the next write.
func (c *Client) write() {
	var writing []byte
	for {
		c.mu.Lock()
		for c.err == nil && (len(c.out) == 0 || (len(c.calls) == 0 && len(c.out) == len(magic))) {
			c.changed.Wait()
		}
		if c.err != nil {
			c.mu.Unlock()
			return
		}
		writing, c.out = c.out, writing[:0]
		c.changed.Broadcast()
		c.mu.Unlock()
		if _, err := c.conn.Write(writing); err != nil {
			// The reader may still receive an answer with the reason.
			time.AfterFunc(time.Second, func() { c.fail(fmt.Errorf("pgq: %w", err)) })
			return
		}
		if cap(writing) > queueBytes {
			writing = nil
		}
	}
}

// read reads answers until the connection closes.
func (c *Client) read() {
	defer close(c.readers)
	reader := bufio.NewReaderSize(c.conn, readBytes)
	for {
		if err := c.readFrame(reader); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errors.New("pgq: the daemon ended the connection")
			}
			c.fail(err)
			c.conn.Close()
			return
		}
	}
}

func (c *Client) readFrame(reader *bufio.Reader) error {
	header, err := reader.Peek(headerBytes)
	if err != nil {
		return err
	}
	length := int(binary.LittleEndian.Uint32(header)) - (headerBytes - 4)
	if length < 0 {
		return errMalformed
	}
	f := frame{
		id:     binary.LittleEndian.Uint32(header[4:]),
		status: header[8],
		flags:  header[9],
		code:   binary.LittleEndian.Uint16(header[10:]),
	}
	if _, err := reader.Discard(headerBytes); err != nil {
		return err
	}
	inBuffer := length <= readBytes
	if inBuffer {
		f.body, err = reader.Peek(length)
	} else {
		f.body = make([]byte, length)
		_, err = io.ReadFull(reader, f.body)
	}
	if err != nil {
		return err
	}
	if err := c.dispatch(&f); err != nil {
		return err
	}
	if inBuffer {
		_, err = reader.Discard(length)
	}
	return err
}

// dispatch passes a frame to the oldest call.
func (c *Client) dispatch(f *frame) error {
	c.mu.Lock()
	if f.id == 0 || len(c.calls) == 0 || c.calls[0].id != f.id {
		c.mu.Unlock()
		if f.id == 0 && f.status == statusError {
			return readError(f.code, f.body)
		}
		return errMalformed
	}
	call := c.calls[0]
	if f.flags&flagMore == 0 {
		c.calls = c.calls[1:]
	}
	c.mu.Unlock()
	if f.flags&flagBatch == 0 && f.status == statusError {
		call.err = readError(f.code, f.body)
	} else if err := f.eachItem(call.handle); err != nil && call.err == nil {
		call.err = err
	}
	if f.flags&flagMore == 0 {
		close(call.done)
	}
	return nil
}
