package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"chaffinch/input"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// source makes a [pipeline.Source] and [pipeline.Marker] of an [input.Reader].
type source struct {
	*input.Reader
	max  int64 // bytes of pages after which it ends, 0 for no end
	read *int64
}

// newSource returns the source of a run that reads so many bytes of pages, 0 for all.
func newSource(in *input.Reader, max int64) source { return source{in, max, new(int64)} }

// Next returns the next page.
func (in source) Next() (*page.Page, error) {
	if in.max > 0 && *in.read >= in.max {
		return nil, io.EOF
	}
	p, err := in.Reader.Next()
	if p != nil {
		*in.read += int64(len(p.Raw))
	}
	if errors.Is(err, input.ErrCut) {
		err = &pipeline.Fatal{Err: err}
	}
	return p, err
}

// Mark returns the position of the reader as JSON.
func (in source) Mark() ([]byte, error) { return json.Marshal(in.Position()) }

// Goto moves the reader to a mark; nil is the beginning.
func (in source) Goto(mark []byte) error {
	if mark == nil {
		return nil
	}
	var p input.Position
	if err := json.Unmarshal(mark, &p); err != nil {
		return fmt.Errorf("mark of the checkpoint: %w", err)
	}
	return in.Seek(p)
}
