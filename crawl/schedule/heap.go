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

func byHost(a, b *address) bool { return byValue(a.hosts.top(), b.hosts.top()) }

func (h *addressHeap) Len() int           { return len(h.list) }
func (h *addressHeap) Less(i, j int) bool { return h.before(h.list[i], h.list[j]) }
func (h *addressHeap) Swap(i, j int) {
	h.list[i], h.list[j] = h.list[j], h.list[i]
	h.list[i].at, h.list[j].at = i, j
}

func (h *addressHeap) Push(x any) {
	a := x.(*address)
	a.at = len(h.list)
	h.list = append(h.list, a)
}

func (h *addressHeap) Pop() any {
	last := len(h.list) - 1
	a := h.list[last]
	h.list = h.list[:last]
	return a
}
