package corpus

import (
	"fmt"
	"io"

	"chaffinch/model"
)

// sections receives the sections of an index, one after another.
type sections interface {
	io.Writer
	// Section begins a section.
	Section(name string)
}

// aside stores sections in a temporary file until they can be copied.
type aside struct {
	p     *part
	names []string
	from  []int64 // start of each section
}

func newAside(dir string) (*aside, error) {
	p, err := newPart(dir)
	if err != nil {
		return nil, err
	}
	return &aside{p: p}, nil
}

// Section begins a section.
func (a *aside) Section(name string) {
	a.names, a.from = append(a.names, name), append(a.from, a.p.n)
}

// Write appends to the section.
func (a *aside) Write(b []byte) (int, error) { return a.p.Write(b) }

// copy writes the sections to w.
func (a *aside) copy(w *model.Writer) error {
	in, err := a.p.reader()
	if err != nil {
		return err
	}
	for i, name := range a.names {
		w.Section(name)
		to := a.p.n
		if i+1 < len(a.from) {
			to = a.from[i+1]
		}
		if _, err := io.CopyN(w, in, to-a.from[i]); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
	}
	return nil
}
