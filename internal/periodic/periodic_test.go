package periodic

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit/must"
)

// TestEvery: it is told at once, then again and again, and not after the end.
func TestEvery(t *testing.T) {
	var n atomic.Int64
	again := make(chan struct{}, 1)
	stop := Every(time.Microsecond, func() {
		if n.Add(1) == 3 {
			again <- struct{}{}
		}
	})
	if n.Load() == 0 {
		t.Error("nothing was told at once")
	}
	<-again
	stop()
	told := n.Load()
	time.Sleep(5 * time.Millisecond)
	if n.Load() != told {
		t.Error("it was told after the end")
	}
}

// TestDuring: it is told while something is done, and not after a panic of it.
func TestDuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			During(time.Second, func() { n.Add(1) }, func() {
				time.Sleep(2500 * time.Millisecond)
				panic("a fault")
			})
		}()
		time.Sleep(time.Minute)
		if n.Load() != 3 {
			t.Errorf("told %d times", n.Load())
		}
	})
}

// TestFault: a panic of tell, which runs on a goroutine, comes out of stop.
func TestFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		defer func() {
			if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "a fault") {
				t.Errorf("%v", err)
			}
		}()
		During(time.Second, func() {
			if n++; n == 3 {
				panic("a fault")
			}
		}, func() { time.Sleep(time.Minute) })
		t.Error("the panic is gone")
	})
}

// TestPause: a pause ends with the time, or with the context and its error.
func TestPause(t *testing.T) {
	must.Succeed(t, Pause(t.Context(), 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Pause(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, wanted the error of the context", err)
	}
}
