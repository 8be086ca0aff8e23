// Package inuse closes a resource after its last user. It protects memory-mapped files from being
// unmapped while they are read: create a [Closer] with [New] and surround each use with
// [Closer.Use].
package inuse

import "sync"

// Closer counts the users of a resource. The zero value has nothing to close.
type Closer struct {
	mu     sync.Mutex
	users  int
	closed bool
	close  func() error
}

// New returns a Closer that calls close once.
func New(close func() error) *Closer { return &Closer{close: close} }

// Use adds a user until done is called. ok is false after Close.
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
		_ = c.close() // the resource was only read: no data are lost
	}
}

// Close closes the resource when it has no users, now or later. If it is closed later, its error is
// dropped.
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
