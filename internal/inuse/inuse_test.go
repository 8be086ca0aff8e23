package inuse

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCloser(t *testing.T) {
	failed := errors.New("failed")
	closed := 0
	shut := func() error { closed++; return failed }
	c := New(shut)
	one, ok := c.Use()
	two, _ := c.Use()
	if !ok || c.Close() != nil || closed != 0 {
		t.Errorf("closed %d times while it was in use", closed)
	}
	if _, ok := c.Use(); ok {
		t.Error("used after it was closed")
	}
	if one(); closed != 0 {
		t.Error("closed before the last user was done")
	}
	if two(); closed != 1 || c.Close() != nil || closed != 1 {
		t.Errorf("closed %d times, wanted once", closed)
	}
	if err := New(shut).Close(); err != failed || closed != 2 {
		t.Errorf("%v, closed %d times", err, closed)
	}
	if err := new(Closer).Close(); err != nil {
		t.Error(err)
	}
}

// TestConcurrent: many use and one closes: it is closed once, when nobody uses it.
func TestConcurrent(t *testing.T) {
	var users, closed atomic.Int64
	c := New(func() error {
		closed.Add(1)
		if n := users.Load(); n != 0 {
			t.Errorf("closed with %d users", n)
		}
		return nil
	})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				done, ok := c.Use()
				if !ok {
					return
				}
				users.Add(1)
				users.Add(-1)
				done()
			}
		})
	}
	group.Go(func() { c.Close() })
	group.Wait()
	c.Close()
	if closed.Load() != 1 {
		t.Errorf("closed %d times", closed.Load())
	}
}
