package crawl

import (
	"context"
	"sync"
	"time"
)

// gate delays the requests of rendered pages, and the tasks whose hosts or addresses these requests
// have reached. A host or address has one request at a time. The scheduler delays all other tasks.
type gate struct {
	mu    sync.Mutex
	doors map[string]*door
	sweep int // number of doors at which unused ones are removed again
}

// door is the state of a host or an address.
type door struct {
	busy    chan struct{} // has an element while a request runs
	users   int           // running and waiting requests
	ended   time.Time     // end of the last request
	embedAt time.Time     // end of the last of them
}

// maxDoors is the least number of doors at which unused ones are removed.
const maxDoors = 1024

// keepDoor is the time for which a door is kept after its last request, longer than any delay.
const keepDoor = 2 * time.Hour

// enter waits until a request may be sent to a host or address. A request of a rendered page (embed)
// waits until pause after the last request, a task until pause after the last request of a rendered
// page. The caller calls leave after the request. ok is false if ctx ends before.
func (g *gate) enter(ctx context.Context, name string, embed bool, pause time.Duration) (leave func(), ok bool) {
	g.mu.Lock()
	d := g.doors[name]
	if d == nil {
		if g.doors == nil {
			g.doors = map[string]*door{}
		}
		if len(g.doors) >= max(g.sweep, maxDoors) {
			for n, x := range g.doors {
				if x.users == 0 && time.Since(x.ended) > keepDoor {
					delete(g.doors, n)
				}
			}
			g.sweep = 2 * len(g.doors) // so that the removal takes constant time per door
		}
		d = &door{busy: make(chan struct{}, 1)}
		g.doors[name] = d
	}
	d.users++
	g.mu.Unlock()
	done := func(sent bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		d.users--
		if sent {
			if d.ended = time.Now(); embed {
				d.embedAt = d.ended
			}
			<-d.busy
		}
	}
	select {
	case d.busy <- struct{}{}:
	case <-ctx.Done():
		done(false)
		return nil, false
	}
	g.mu.Lock()
	from := d.ended
	if !embed {
		from = d.embedAt
	}
	wait := time.Until(from.Add(pause))
	g.mu.Unlock()
	if !from.IsZero() && wait > 0 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			<-d.busy
			done(false)
			return nil, false
		}
	}
	return func() { done(true) }, true
}
