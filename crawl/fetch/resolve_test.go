package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit/must"
)

// counting is a resolver that takes a second for each answer, and counts.
type counting struct {
	mu           sync.Mutex
	asked        int
	out, mostOut int
	wrong        error
}

func (c *counting) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	c.mu.Lock()
	c.asked++
	c.out++
	c.mostOut = max(c.mostOut, c.out)
	wrong, addr := c.wrong, netip.AddrFrom4([4]byte{8, 8, 8, byte(c.asked)})
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.out--
		c.mu.Unlock()
	}()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if wrong != nil {
		return nil, wrong
	}
	return []netip.Addr{addr}, nil
}

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := &counting{}
		c := NewCache(from, CacheConfig{Good: time.Hour, Bad: time.Minute, Workers: 3, MaxNames: 20})
		ask := func(host string, asked int) {
			t.Helper()
			addrs, err := c.Lookup(t.Context(), host)
			if (err == nil) != (len(addrs) == 1) || from.asked != asked {
				t.Errorf("%s: %v %v, asked %d times, wanted %d", host, addrs, err, from.asked, asked)
			}
		}
		ask("a", 1)
		ask("a", 1)
		time.Sleep(59 * time.Minute)
		ask("a", 1)
		time.Sleep(2 * time.Minute)
		ask("a", 2)
		c.Forget("a")
		c.Forget("nobody")
		ask("a", 3)
		from.wrong = errors.New("wrong")
		ask("b", 4)
		ask("b", 4)
		time.Sleep(61 * time.Second)
		ask("b", 5)
		from.wrong = nil

		var wg sync.WaitGroup
		for i := range 30 { // ten names, each asked for by three
			wg.Go(func() { c.Lookup(t.Context(), fmt.Sprint(i%10)) })
		}
		wg.Wait()
		if from.asked != 15 || from.mostOut != 3 {
			t.Errorf("asked %d times, %d at a time", from.asked, from.mostOut)
		}
		for i := range 20 {
			c.Lookup(t.Context(), fmt.Sprint("x", i))
		}
		if len(c.names) != 20 || len(c.order) != 20 {
			t.Errorf("%d names, %d in order", len(c.names), len(c.order))
		}
		ask("a", 36) // it was among the oldest
	})
}

// TestCacheCanceled wants waiting callers to resolve the name themselves when the first caller
// is cancelled, and nothing cached.
func TestCacheCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := &counting{}
		c := NewCache(from, DefaultCache)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		var wg sync.WaitGroup
		wg.Go(func() {
			must.Is(t, must.Err(c.Lookup(ctx, "a")), context.Canceled)
		})
		time.Sleep(100 * time.Millisecond)
		for range 3 {
			wg.Go(func() {
				if addrs, err := c.Lookup(t.Context(), "a"); err != nil || len(addrs) != 1 {
					t.Errorf("one who waited: %v %v", addrs, err)
				}
			})
		}
		wg.Wait()
		if from.asked != 2 {
			t.Errorf("asked %d times", from.asked)
		}
	})
}

// TestCacheBusy fails if a name is cached as bad because all lookups were busy with others.
func TestCacheBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache(&counting{}, CacheConfig{Good: time.Hour, Bad: time.Minute, Workers: 1, MaxNames: 20})
		var wg sync.WaitGroup
		wg.Go(func() { must.Err(c.Lookup(t.Context(), "a")) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		must.Is(t, must.Err(c.Lookup(ctx, "b")), context.DeadlineExceeded)
		if list, err := c.Lookup(t.Context(), "b"); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
		wg.Wait()
	})
}
