package schedule

import "container/heap"

// hostHeap is a heap of hosts: by descending value or by time, equal ones by number.
type hostHeap struct {
	list   []*Host
	before func(a, b *Host) bool
}

func byValue(a, b *Host) bool {
	if a.Value != b.Value {
		return a.Value > b.Value
	}
	return a.number < b.number
}

func byTime(a, b *Host) bool {
	if a.Next != b.Next {
		return a.Next < b.Next
	}
	return a.number < b.number
}

func (h *hostHeap) Len() int           { return len(h.list) }
func (h *hostHeap) Less(i, j int) bool { return h.before(h.list[i], h.list[j]) }
func (h *hostHeap) Push(x any) {
	host := x.(*Host)
	host.at = int32(len(h.list))
	h.list = append(h.list, host)
}

func (h *hostHeap) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].at, h.list[j].at = int32(i), int32(j)
}

func (h *hostHeap) Pop() any {
	last := len(h.list) - 1
	host := h.list[last]
	h.list[last] = nil
	h.list = h.list[:last]
	return host
}

func (h *hostHeap) push(host *Host) { heap.Push(h, host) }
func (h *hostHeap) pop() *Host      { return heap.Pop(h).(*Host) }
func (h *hostHeap) top() *Host      { return h.list[0] }
func (h *hostHeap) remove(x *Host)  { heap.Remove(h, int(x.at)) }
func (h *hostHeap) fix(host *Host)  { heap.Fix(h, int(host.at)) }

// addressHeap is a heap of addresses: by the time of the next request or by the best host.
type addressHeap struct {
	list   []*address
	before func(a, b *address) bool
}

func byNext(a, b *address) bool {
	return a.next < b.next || a.next == b.next && a.number < b.number
}

func byHost(a, b *address) bool { return byValue(a.best, b.best) }

func (h *addressHeap) Len() int           { return len(h.list) }
func (h *addressHeap) Less(i, j int) bool { return h.before(h.list[i], h.list[j]) }
func (h *addressHeap) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].at, h.list[j].at = int32(i), int32(j)
}

func (h *addressHeap) Push(x any) {
	a := x.(*address)
	a.at = int32(len(h.list))
	h.list = append(h.list, a)
}

func (h *addressHeap) Pop() any {
	last := len(h.list) - 1
	a := h.list[last]
	h.list = h.list[:last]
	return a
}

// pushHost adds a ready host to an address.
func (s *Scheduler) pushHost(a *address, h *Host) {
	if a.best == nil {
		a.best = h
		return
	}
	list := s.crowds[a]
	if list == nil {
		list = &hostHeap{before: byValue}
		list.push(a.best)
		s.crowds[a] = list
	}
	list.push(h)
	a.best = list.top()
}

// removeHost removes a ready host from an address.
func (s *Scheduler) removeHost(a *address, h *Host) {
	list := s.crowds[a]
	if list == nil {
		a.best = nil
		return
	}
	list.remove(h)
	if a.best = list.top(); list.Len() == 1 {
		delete(s.crowds, a)
	}
}

// fixHost restores the order of the ready hosts of an address after a change of the value of h.
func (s *Scheduler) fixHost(a *address, h *Host) {
	if list := s.crowds[a]; list != nil {
		list.fix(h)
		a.best = list.top()
	}
}
