package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"chaffinch/input"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// source adapts an [input.Reader] to [pipeline.Source] and [pipeline.Marker].
type source struct {
	*input.Reader
	max  int64 // maximum bytes of pages, 0 for no maximum
	read int64
	out  *Output // checked against the first page, nil after it
	// unseen holds the fields of the output that the format lacks and no page had.
	unseen []string
}

// newSource returns a source that ends after max bytes of pages; 0 means no maximum. The first
// page must be able to have the fields that out selects.
func newSource(in *input.Reader, max int64, out *Output) *source {
	return &source{Reader: in, max: max, out: out}
}

// Next returns the next page.
func (in *source) Next() (*page.Page, error) {
	if in.max > 0 && in.read >= in.max {
		return nil, io.EOF
	}
	p, err := in.Reader.Next()
	if p != nil {
		in.read += int64(len(p.Raw))
	}
	if p != nil && p.Drop == page.None && in.out != nil {
		out := in.out
		in.out = nil
		if err := out.checkFields(in.HasFields()); err != nil {
			return nil, &pipeline.Fatal{Err: err}
		}
		in.unseen = out.otherFields()
	}
	if p != nil && len(in.unseen) > 0 {
		in.unseen = slices.DeleteFunc(in.unseen, func(name string) bool {
			return slices.ContainsFunc(p.Fields, func(f page.Field) bool { return f.Name == name })
		})
	}
	if errors.Is(err, input.ErrCut) {
		err = &pipeline.Fatal{Err: err}
	}
	return p, err
}

// Mark returns the position of the reader as JSON.
func (in *source) Mark() ([]byte, error) { return json.Marshal(in.Position()) }

// Goto moves the reader to a mark; nil is the beginning.
func (in *source) Goto(mark []byte) error {
	if mark == nil {
		return nil
	}
	in.out = nil
	var p input.Position
	if err := json.Unmarshal(mark, &p); err != nil {
		return fmt.Errorf("mark of the checkpoint: %w", err)
	}
	return in.Seek(p)
}
