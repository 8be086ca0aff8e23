package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chaffinch/internal/panics"
)

// mcpPipe is the transport of MCP over two streams, a message per line. A malformed line is
// answered with an error and the next one is read; when the input ends, all calls are
// answered before the session does.
type mcpPipe struct {
	in       io.Reader
	out      io.Writer
	maxLine  int   // bytes of a message
	maxCalls int   // calls that are open at once
	maxBytes int64 // bytes of their messages, unless one alone has more
}

// Connect implements [mcp.Transport].
func (t *mcpPipe) Connect(context.Context) (mcp.Connection, error) {
	c := &mcpConn{mcpPipe: t, lines: make(chan mcpLine), closed: make(chan struct{}), answered: make(chan struct{}, 1), open: map[jsonrpc.ID]*mcpCall{}}
	go c.readLines()
	return c, nil
}

// mcpConn is a session over an mcpPipe.
type mcpConn struct {
	*mcpPipe
	lines  chan mcpLine
	close  sync.Once
	closed chan struct{}
	queue  []mcpItem // of the last line

	mu       sync.Mutex
	open     map[jsonrpc.ID]*mcpCall // without an answer yet
	bytes    int64                   // of their messages
	answered chan struct{}           // gets an item when one has its answer
}

// mcpLine is a line, or why there is none.
type mcpLine struct {
	text []byte
	long bool
	err  error
}

// mcpItem is a message, alone or of a batch.
type mcpItem struct {
	text  []byte
	batch *mcpBatch
}

// mcpCall is a call without an answer.
type mcpCall struct {
	bytes int64
	batch *mcpBatch // nil if it was sent alone
}

// mcpBatch is calls that were sent in one array. They are answered in one, in any order.
type mcpBatch struct {
	left    int
	answers []json.RawMessage
}

// readLines reads the input. It may wait for it when the session has ended: nothing can
// interrupt a read of a pipe.
func (c *mcpConn) readLines() {
	in := bufio.NewReaderSize(c.in, 64<<10)
	for {
		var l mcpLine
		err := panics.Catch(func() (err error) { l.text, l.long, err = readLine(in, c.maxLine); return err })
		if l.err = err; errors.Is(err, io.EOF) && len(l.text) > 0 {
			l.err = nil // the last line may lack its end
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if err != nil && l.err == nil {
			continue // the end comes next
		}
		if err != nil {
			return
		}
	}
}

// Read implements [mcp.Connection].
func (c *mcpConn) Read(ctx context.Context) (m jsonrpc.Message, err error) {
	err = panics.Catch(func() error { m, err = c.read(ctx); return err })
	return m, err
}

func (c *mcpConn) read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			if m, err := c.take(ctx, next); m != nil || err != nil {
				return m, err
			}
			continue
		}
		var l mcpLine
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l = <-c.lines:
		}
		if l.err != nil {
			if err := c.wait(ctx, 1, 0); err != nil {
				return nil, err
			}
			return nil, l.err
		}
		if err := c.accept(l); err != nil {
			return nil, err
		}
	}
}

// wait waits until fewer than calls are in progress and bytes more fit into the budget.
func (c *mcpConn) wait(ctx context.Context, calls int, bytes int64) error {
	for {
		c.mu.Lock()
		free := len(c.open) == 0 || len(c.open) < calls && c.bytes+bytes <= c.maxBytes
		c.mu.Unlock()
		if free {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		case <-c.answered:
		}
	}
}

// accept queues the messages of a line. A line that cannot be read is answered here.
func (c *mcpConn) accept(l mcpLine) error {
	text := bytes.TrimSpace(l.text)
	switch {
	case l.long:
		return c.writeLine(refusal(nil, jsonrpc.CodeInvalidRequest, fmt.Errorf("a message of more than %d bytes", c.maxLine)))
	case len(text) == 0:
		return nil
	case !json.Valid(text):
		return c.writeLine(refusal(nil, jsonrpc.CodeParseError, errors.New("not JSON: wanted one message per line")))
	case text[0] != '[':
		c.queue = append(c.queue, mcpItem{text, nil})
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 {
		return c.writeLine(refusal(nil, jsonrpc.CodeInvalidRequest, errors.New("an empty batch")))
	}
	b := &mcpBatch{left: len(parts)}
	for _, p := range parts {
		c.queue = append(c.queue, mcpItem{p, b})
	}
	return nil
}

// take returns a message when it fits into the budget, or responds to an invalid message and
// returns nil.
func (c *mcpConn) take(ctx context.Context, p mcpItem) (jsonrpc.Message, error) {
	m, err := jsonrpc.DecodeMessage(p.text)
	if err != nil {
		return nil, c.answer(p.batch, refusal(p.text, jsonrpc.CodeInvalidRequest, err))
	}
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() || r.Method == neverAnswered {
		return m, c.answer(p.batch, nil)
	}
	size := int64(len(p.text))
	if err := c.wait(ctx, c.maxCalls, size); err != nil {
		return nil, err
	}
	c.mu.Lock()
	_, used := c.open[r.ID]
	if !used {
		c.open[r.ID] = &mcpCall{size, p.batch}
		c.bytes += size
	}
	c.mu.Unlock()
	if used {
		return nil, c.answer(p.batch, refusal(p.text, jsonrpc.CodeInvalidRequest, errors.New("a call with this id is in progress")))
	}
	return m, nil
}

// neverAnswered is the method of a call that is open as long as the session.
const neverAnswered = "subscriptions/listen"

// refusal returns the answer to a message that cannot be used. It has the id of the message,
// if that can be read.
func refusal(text []byte, code int64, err error) json.RawMessage {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(text, &m) != nil {
		m.ID = nil
	}
	switch m.ID.(type) {
	case string, float64:
	default:
		m.ID = nil
	}
	b, e := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": jsonrpc.Error{Code: code, Message: err.Error()}})
	if e != nil {
		panic(e) // plain data
	}
	return b
}

// Write implements [mcp.Connection].
func (c *mcpConn) Write(_ context.Context, m jsonrpc.Message) error {
	return panics.Catch(func() error { return c.write(m) })
}

func (c *mcpConn) write(m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return c.writeLine(text)
	}
	c.mu.Lock()
	call := c.open[r.ID]
	if call != nil {
		delete(c.open, r.ID)
		c.bytes -= call.bytes
	}
	c.mu.Unlock()
	if call == nil {
		return c.writeLine(text)
	}
	select {
	case c.answered <- struct{}{}:
	default: // one is there already
	}
	return c.answer(call.batch, text)
}

// answer writes a response, nil for none. The responses of a batch are written together.
func (c *mcpConn) answer(b *mcpBatch, text json.RawMessage) error {
	if b == nil {
		if text == nil {
			return nil
		}
		return c.writeLine(text)
	}
	c.mu.Lock()
	if text != nil {
		b.answers = append(b.answers, text)
	}
	b.left--
	complete := b.left == 0 && len(b.answers) > 0
	c.mu.Unlock()
	if !complete {
		return nil
	}
	all, err := json.Marshal(b.answers)
	if err != nil {
		return err
	}
	return c.writeLine(all)
}

// writeLine writes a message.
func (c *mcpConn) writeLine(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// Close implements [mcp.Connection].
func (c *mcpConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [mcp.Connection].
func (c *mcpConn) SessionID() string { return "" }

// mcpCalls is the maximum number of open calls of one stream, fewer than the gate admits.
const mcpCalls = 32

// ServeMCP serves MCP over two streams, one message per line, until in ends and all its
// messages have responses.
func (s *Server) ServeMCP(ctx context.Context, in io.Reader, out io.Writer) error {
	l := s.cfg.Limits
	return s.MCP().Run(ctx, &mcpPipe{in: in, out: out, maxLine: int(l.Body), maxCalls: cmp.Or(min(mcpCalls, l.Workers+l.Queue), 1), maxBytes: l.Bodies})
}
