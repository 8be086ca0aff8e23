package input

import (
	"errors"
	"strconv"

	"chaffinch/format/jsonl"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// jsonlForm reads the lines of a JSONL file.
type jsonlForm struct {
	name string
	r    *jsonl.Reader
}

func newJSONL(name string, cfg Config, in *packed.Reader) *jsonlForm {
	return &jsonlForm{name, jsonl.Read(in, jsonl.Config{
		Field: cfg.Field, HTML: cfg.FieldHTML, MaxPageBytes: int(cfg.MaxPageBytes), MaxLineBytes: 2 * int(cfg.MaxPageBytes),
	})}
}

func (f *jsonlForm) next() (*page.Page, error) {
	p, err := f.r.Next()
	if p != nil {
		p.Source.File = f.name
		if p.ID == "" {
			p.ID = f.name + "#" + p.Source.Record
		}
	}
	var e *jsonl.Error
	if errors.As(err, &e) {
		err = &Error{File: f.name, Record: "line " + strconv.FormatInt(e.Line, 10), Offset: e.Offset, Err: e.Err}
	}
	return p, err
}

func (f *jsonlForm) pos() (packed.Pos, int64) { return f.r.Pos() }

func (f *jsonlForm) seek(p packed.Pos, line int64) error { return f.r.Seek(p, line) }
