package render

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// maxMessage is the most bytes of a message of the browser. A longer message is skipped, and the
// call that it answers fails with errLongMessage.
const maxMessage = 96 << 20

var (
	errLongMessage = errors.New("answer of the browser too long")
	errGone        = errors.New("the browser ended")
)

// conn is a connection to a browser by the DevTools protocol: JSON messages over two pipes, each
// followed by a zero byte. It is safe for concurrent use.
type conn struct {
	to   *os.File
	from *os.File

	writing  sync.Mutex
	patience time.Duration // most time for a message to the browser, which may be frozen

	mu       sync.Mutex
	last     int
	calls    map[int]chan message
	sessions map[string]func(m message) // handlers of events; they must not block
	done     chan struct{}              // closed after the last message
}

// message is a message of the browser: the answer to a call, or an event.
type message struct {
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error"`
	err error
}

// command is a message to the browser.
type command struct {
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Session string `json:"sessionId,omitempty"`
	Params  any    `json:"params,omitempty"`
}

func newConn(to, from *os.File) *conn {
	c := &conn{to: to, from: from, patience: 10 * time.Second, calls: map[int]chan message{}, sessions: map[string]func(message){}, done: make(chan struct{})}
	go c.read()
	return c
}

func (c *conn) close() {
	c.to.Close()
	c.from.Close()
}

// read passes messages to the waiting calls and to the handlers until the pipe is closed.
func (c *conn) read() {
	defer close(c.done)
	in := bufio.NewReaderSize(c.from, 1<<16)
	var line []byte
	for {
		var long bool
		var err error
		if line, long, err = readMessage(in, line[:0]); err != nil {
			return
		}
		m := message{err: errLongMessage}
		if long {
			m.ID = messageID(line)
		} else {
			m.err = json.Unmarshal(line, &m)
		}
		c.mu.Lock()
		answered, handle := c.calls[m.ID], c.sessions[m.Session]
		delete(c.calls, m.ID)
		c.mu.Unlock()
		switch {
		case answered != nil:
			answered <- m
		case m.Method != "" && handle != nil:
			handle(m)
		}
		if cap(line) > 1<<20 {
			line = nil
		}
	}
}

// readMessage appends a message to b. It appends only the start of a message of more than
// maxMessage bytes.
func readMessage(in *bufio.Reader, b []byte) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice(0)
		if len(b)+len(part) > maxMessage {
			long = true
		}
		if !long {
			b = append(b, part...)
		}
		if err == nil {
			return bytes.TrimSuffix(b, []byte{0}), long, nil
		}
		if err != bufio.ErrBufferFull {
			return b, long, err
		}
	}
}

// messageID returns the number at the start of an answer, 0 if there is none.
func messageID(b []byte) int {
	rest, _ := bytes.CutPrefix(b, []byte(`{"id":`))
	n := 0
	for n < len(rest) && n < 10 && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	id, _ := strconv.Atoi(string(rest[:n]))
	return id
}

// start sends a call and returns the channel of its answer.
func (c *conn) start(session, method string, params any) (chan message, int, error) {
	c.mu.Lock()
	c.last++
	id, answer := c.last, make(chan message, 1)
	c.calls[id] = answer
	c.mu.Unlock()
	b, err := json.Marshal(command{id, method, session, params})
	if err != nil {
		return nil, 0, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.to.SetWriteDeadline(time.Now().Add(c.patience)) // some systems have no deadlines for pipes
	_, err = c.to.Write(append(b, 0))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.to.Close() // part of the message was sent: no other can follow
	}
	return answer, id, err
}

// send sends a call and ignores its answer.
func (c *conn) send(session, method string, params any) {
	if _, id, err := c.start(session, method, params); err == nil {
		c.mu.Lock()
		delete(c.calls, id)
		c.mu.Unlock()
	}
}

// call sends a call and decodes its answer into result, unless it is nil. It waits until ctx
// ends.
func (c *conn) call(ctx context.Context, session, method string, params, result any) error {
	answer, id, err := c.start(session, method, params)
	if err != nil {
		return errGone
	}
	var m message
	select {
	case m = <-answer:
	case <-c.done:
		select {
		case m = <-answer:
		default:
			return errGone
		}
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.calls, id)
		c.mu.Unlock()
		return errTime
	}
	switch {
	case m.err != nil:
		return m.err
	case m.Error != nil:
		return fmt.Errorf("%s: %s", method, m.Error.Message)
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// listen sets the handler of the events of a session; nil removes it.
func (c *conn) listen(session string, handle func(message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if handle == nil {
		delete(c.sessions, session)
		return
	}
	c.sessions[session] = handle
}
