package schedule

import (
	"container/heap"
	"time"
)

// wake makes the hosts ready, and the addresses open, whose time has come.
func (s *Scheduler) wake(now time.Duration) {
	for s.waiting.Len() > 0 && s.waiting.top().Next <= now {
		s.makeReady(now, s.waiting.pop())
	}
	for s.sleeping.Len() > 0 && s.sleeping.list[0].next <= now {
		s.placeAddress(now, s.sleeping.list[0])
	}
}

func (s *Scheduler) makeReady(now time.Duration, h *Host) {
	s.move(h, ready)
	if h.Address == 0 {
		s.ready.push(h)
		return
	}
	a := s.address(h.Address)
	s.removeFromHeap(a)
	s.pushHost(a, h)
	s.placeAddress(now, a)
}

// placeAddress moves an address to the heap for its state.
func (s *Scheduler) placeAddress(now time.Duration, a *address) {
	s.removeFromHeap(a)
	switch {
	case a.busy || a.best == nil:
	case a.next > now:
		a.heap = sleeping
		heap.Push(&s.sleeping, a)
	default:
		a.heap = open
		heap.Push(&s.open, a)
	}
}

// removeFromHeap removes an address from its heap.
func (s *Scheduler) removeFromHeap(a *address) {
	switch a.heap {
	case sleeping:
		heap.Remove(&s.sleeping, int(a.at))
	case open:
		heap.Remove(&s.open, int(a.at))
	}
	a.heap = noHeap
}

// valueChanged updates the heaps after a change of the value of a ready host.
func (s *Scheduler) valueChanged(h *Host) {
	if h.Address == 0 {
		s.ready.fix(h)
		return
	}
	a := s.address(h.Address)
	was := a.heap
	s.removeFromHeap(a)
	s.fixHost(a, h)
	if a.heap = was; was == sleeping {
		heap.Push(&s.sleeping, a)
	} else if was == open {
		heap.Push(&s.open, a)
	}
}
