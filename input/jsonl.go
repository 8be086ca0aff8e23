package input

import (
	"errors"

	"chaffinch/format/jsonl"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// jsonlForm reads the lines of a JSONL file.
type jsonlForm struct {
	name string
	r    *jsonl.Reader
}

func newJSONL(name string, cfg Config, in *packed.Reader) (*jsonlForm, error) {
	r, err := jsonl.NewReader(in, jsonlConfig(&cfg))
	return &jsonlForm{name, r}, err
}

func jsonlConfig(cfg *Config) jsonl.Config {
	return jsonl.Config{
		Field: cfg.Field, HTML: cfg.FieldHTML, Kept: cfg.Kept, FindHTML: cfg.findHTML(), OnHTML: cfg.OnHTML, MaxPageBytes: int(cfg.MaxPageBytes), MaxLineBytes: 2 * int(cfg.MaxPageBytes),
	}
}

func (f *jsonlForm) next() (*page.Page, error) {
	p, err := f.r.Next()
	if p != nil {
		place(p, f.name, p.Source.Record)
	}
	var e *page.Error
	if errors.As(err, &e) {
		e.File = f.name
	}
	return p, err
}

func (f *jsonlForm) pos(p *Position) {
	at := f.r.Pos()
	p.Offset, p.Skip, p.Record = at.Member, at.Skip, at.Lines
}

func (f *jsonlForm) seek(p Position) error {
	return f.r.Seek(jsonl.Pos{Member: p.Offset, Skip: p.Skip, Lines: p.Record})
}

func (f *jsonlForm) close() {}
