package corpus

import "chaffinch/internal/sorts"

// top keeps the first limit of many items in an order, or all items without a limit.
// The result does not depend on the order of insertion, unless two items compare as
// equal.
type top[T any] struct {
	limit   int // 0 = no limit
	compare func(a, b T) int
	ends    *deadline // deadline of sorting; nil means none
	items   []T       // with a limit, a heap with the last item in order at the root
}

// add adds an item. If there are limit items already, it drops one of them or x, and returns it.
func (t *top[T]) add(x T) (dropped T, full bool) {
	switch {
	case t.limit <= 0:
		t.items = append(t.items, x)
	case len(t.items) < t.limit:
		t.items = append(t.items, x)
		for i := len(t.items) - 1; i > 0; {
			up := (i - 1) / 2
			if t.compare(t.items[i], t.items[up]) <= 0 {
				break
			}
			t.items[i], t.items[up] = t.items[up], t.items[i]
			i = up
		}
	case t.compare(x, t.items[0]) >= 0:
		return x, true
	default:
		dropped, full = t.items[0], true
		t.items[0] = x
		for i := 0; ; {
			c := 2*i + 1
			if c >= len(t.items) {
				return dropped, full
			}
			if c+1 < len(t.items) && t.compare(t.items[c+1], t.items[c]) > 0 {
				c++
			}
			if t.compare(t.items[c], t.items[i]) <= 0 {
				return dropped, full
			}
			t.items[i], t.items[c] = t.items[c], t.items[i]
			i = c
		}
	}
	return dropped, full
}

// sorted returns the kept items in order. After the deadline, the order is
// undefined.
func (t *top[T]) sorted() []T {
	compare := t.compare
	if t.ends != nil {
		compare = func(a, b T) int {
			if t.ends.Over(0) {
				return 0
			}
			return t.compare(a, b)
		}
	}
	sorts.Func(t.items, compare)
	return t.items
}
