package timecheck

import (
	"context"
	"errors"
	"testing"

	"chaffinch/internal/testkit/must"
)

// counting is a context that counts looks.
type counting struct {
	context.Context
	looks int
}

func (c *counting) Err() error { c.looks++; return c.Context.Err() }

func TestDone(t *testing.T) {
	for _, size := range []int{0, 1, 100, every, 10 * every} {
		c := &counting{Context: context.Background()}
		w, items := New(c), 0
		for work := 0; work < 8*every; work += size + perItem {
			must.Succeed(t, w.Done(size))
			items++
		}
		if c.looks < 1 || c.looks > 9 || size <= every && c.looks < 4 {
			t.Errorf("%d items of %d bytes: %d looks", items, size, c.looks)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := New(ctx)
	must.Equal(t, w.Done(1), context.Canceled, "the first item")
}

// TestOver: once the work is over it stays so.
func TestOver(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &counting{Context: ctx}
	w := New(c)
	if w.Over(1) || w.Err() != nil {
		t.Error("over at once")
	}
	cancel()
	items := 1
	for !w.Over(100) {
		items++
	}
	if looks := c.looks; items > every/100 || w.Err() != context.Canceled || !w.Over(0) || !w.Over(0) || c.looks != looks {
		t.Errorf("over after %d items: %v, %d looks", items, w.Err(), c.looks)
	}
	full := errors.New("full")
	w = New(context.Background())
	w.Over(0)
	if w.Stop(full); !w.Over(0) || w.Err() != full {
		t.Errorf("stopped: %v", w.Err())
	}
}
