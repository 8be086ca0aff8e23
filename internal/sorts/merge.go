package sorts

import (
	"container/heap"
	"iter"
)

// Merge yields the items of sorted sequences in order. Equal items are in the order of their sequences. Each
// next returns the next item of a sequence; ok is false at the end.
func Merge[T any](compare func(a, b T) int, sequences ...func() (x T, ok bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		h := &mergeHeap[T]{compare: compare}
		for i, next := range sequences {
			x, ok, err := next()
			if err != nil {
				yield(none, err)
				return
			}
			if ok {
				h.heads = append(h.heads, head[T]{x, i})
			}
		}
		for heap.Init(h); len(h.heads) > 0; {
			first := &h.heads[0]
			if !yield(first.item, nil) {
				return
			}
			x, ok, err := sequences[first.sequence]()
			switch {
			case err != nil:
				yield(none, err)
				return
			case ok:
				first.item = x
				heap.Fix(h, 0)
			default:
				heap.Pop(h)
			}
		}
	}
}

// head is the current item of a sequence.
type head[T any] struct {
	item     T
	sequence int
}

// mergeHeap is a heap of heads.
type mergeHeap[T any] struct {
	compare func(a, b T) int
	heads   []head[T]
}

func (h *mergeHeap[T]) Len() int      { return len(h.heads) }
func (h *mergeHeap[T]) Swap(i, j int) { h.heads[i], h.heads[j] = h.heads[j], h.heads[i] }
func (h *mergeHeap[T]) Push(any)      { panic("sorts: sequences are fixed") }
func (h *mergeHeap[T]) Less(i, j int) bool {
	c := h.compare(h.heads[i].item, h.heads[j].item)
	return c < 0 || c == 0 && h.heads[i].sequence < h.heads[j].sequence
}
func (h *mergeHeap[T]) Pop() any {
	h.heads = h.heads[:len(h.heads)-1]
	return nil
}
