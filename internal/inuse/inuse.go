// Package inuse closes a resource when its last user is done: what is mapped into memory
// must not be unmapped while it is being read.
package inuse

import "sync"

// Closer counts the users of a resource. Its zero value has nothing to close.
type Closer struct {
	mu     sync.Mutex
	users  int
	closed bool
	close  func() error
}

// New returns a Closer that calls close once.
func New(close func() error) *Closer { return &Closer{close: close} }

// Use adds a user until done is called. ok is false once Close was called.
func (c *Closer) Use() (done func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false
	}
	c.users++
	return c.done, true
}

func (c *Closer) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users == 0 && c.closed {
		_ = c.close() // it was read only: nothing is lost
	}
}

// Close closes the resource, now or when its last user is done; then its error is lost.
func (c *Closer) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	if c.closed = true; c.users > 0 || c.close == nil {
		return nil
	}
	return c.close()
}
