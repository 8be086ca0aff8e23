package corpus

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Attachment is a file beside an index, such as its word sketches, that is open as long as the corpus.
type Attachment interface {
	Close() error
	Release() error
	// Changed reports whether the file on disk is another one.
	Changed() bool
}

// attached holds the attachments of a corpus, which its parts share.
type attached struct {
	mu  sync.Mutex
	now map[string]Attachment // by file name
	all []Attachment          // also replaced ones, which may still be in use
}

// Attach returns the attachment of the corpus with a file name. It calls open if there is none yet, or
// if its file has changed. Attachments are closed with the corpus.
func (c *Corpus) Attach(name string, open func() (Attachment, error)) (Attachment, error) {
	a := c.attached
	a.mu.Lock()
	defer a.mu.Unlock()
	if x := a.now[name]; x != nil && !x.Changed() {
		return x, nil
	}
	x, err := open()
	if err != nil {
		return nil, err
	}
	if a.now == nil {
		a.now = map[string]Attachment{}
	}
	a.now[name], a.all = x, append(a.all, x)
	return x, nil
}

// each calls do for all attachments.
func (a *attached) each(do func(Attachment) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var errs []error
	for _, x := range a.all {
		errs = append(errs, do(x))
	}
	return errors.Join(errs...)
}

// sketchTokens returns the tokens of a headword with a collocate in a relation, sorted. Package sketch
// sets it.
var sketchTokens func(ctx context.Context, c *Corpus, word, relation, collocate string) ([]uint32, error)

// RegisterSketches sets the function that finds the tokens of ws("take-v", "object", "look-n") in
// queries: tokens of the headword with the collocate in the relation, sorted. Package sketch calls it.
func RegisterSketches(find func(ctx context.Context, c *Corpus, word, relation, collocate string) ([]uint32, error)) {
	sketchTokens = find
}

// placesTest passes at places, which are sorted.
type placesTest []uint32

func (p placesTest) at(place uint32) bool {
	x, ok := p.next(place)
	return ok && x == place
}

func (p placesTest) anchor() *anchor {
	return &anchor{
		parts: []anchorPart{{open: func(*deadline, uint32, uint32) stream { return p }}},
		cost:  float64(len(p)),
	}
}

// next implements stream.
func (p placesTest) next(from uint32) (uint32, bool) {
	if i, _ := slices.BinarySearch(p, from); i < len(p) {
		return p[i], true
	}
	return 0, false
}
