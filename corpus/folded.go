package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"chaffinch/internal/timecheck"
)

// foldedValues holds the values of a lower-case attribute that full case folding
// changes, such as κόσμος and straße. In most languages there are few. It is built on
// first use.
type foldedValues struct {
	mu     sync.Mutex
	made   bool
	values []foldedValue // sorted by text, then number
}

type foldedValue struct {
	text string // folded
	id   uint32
}

// foldedIDs returns the sorted numbers of the values that equal one of texts after case
// folding. texts must be folded, and the values of a must be in lower case.
func (a *Attr) foldedIDs(ctx context.Context, texts []string) (ids []uint32, err error) {
	changed, err := a.changed(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if id, ok := a.ID(t); ok {
			ids = append(ids, id)
		}
		i, _ := slices.BinarySearchFunc(changed, t, func(v foldedValue, t string) int { return strings.Compare(v.text, t) })
		for ; i < len(changed) && changed[i].text == t; i++ {
			ids = append(ids, changed[i].id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// changed returns the values that case folding changes.
func (a *Attr) changed(ctx context.Context) ([]foldedValue, error) {
	f := &a.folded
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made {
		return f.values, nil
	}
	var values []foldedValue
	w := timecheck.New(ctx)
	for id := range uint32(a.n) {
		b := a.bytes(id)
		if err := w.Done(len(b)); err != nil {
			return nil, err
		}
		if !ascii(b) {
			if text := foldCase(string(b)); text != string(b) {
				values = append(values, foldedValue{text, id})
			}
		}
	}
	slices.SortFunc(values, func(x, y foldedValue) int { return cmp.Or(strings.Compare(x.text, y.text), cmp.Compare(x.id, y.id)) })
	f.values, f.made = values, true
	return values, nil
}

// ascii reports whether b is ASCII.
func ascii(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
