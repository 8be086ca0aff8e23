package watch

import (
	"context"
	"testing"
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
			if err := w.Done(size); err != nil {
				t.Fatal(err)
			}
			items++
		}
		if c.looks < 1 || c.looks > 9 || size <= every && c.looks < 4 {
			t.Errorf("%d items of %d bytes: %d looks", items, size, c.looks)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := New(ctx)
	if err := w.Done(1); err != context.Canceled {
		t.Errorf("the first item: %v, wanted %v", err, context.Canceled)
	}
}
