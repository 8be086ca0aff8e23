package input

import (
	"io"
	"strconv"
	"unicode/utf8"

	"chaffinch/format/jsonl"
	"chaffinch/page"
)

// parquetForm reads the rows of a Parquet file.
type parquetForm struct {
	name string
	rows Rows
	p    *jsonl.Parser
	line []byte
}

func newParquet(name string, cfg Config, rows Rows) *parquetForm {
	return &parquetForm{name: name, rows: rows, p: jsonl.NewParser(jsonlConfig(&cfg))}
}

func (f *parquetForm) next() (*page.Page, error) {
	line, err := f.rows.Next(f.line[:0])
	if f.line = line; cap(line) > 1<<20 {
		f.line = nil // of one large row
	}
	if err == io.EOF {
		return nil, err
	}
	record := strconv.FormatInt(f.rows.Row(), 10)
	if err != nil {
		return nil, &page.Error{File: f.name, Offset: -1, Err: err}
	}
	p, err := f.p.Parse(line, false)
	if p != nil {
		if !utf8.Valid(p.Raw) { // bytes in another encoding, which the page may declare
			p.HTTPCharset = ""
		}
		place(p, f.name, record)
	}
	if err != nil {
		err = &page.Error{File: f.name, Record: "row " + record, Offset: -1, Err: err}
	}
	return p, err
}

// place sets the id and the source of p, unless they are set.
func place(p *page.Page, file, record string) {
	if p.ID == "" {
		p.ID = file + "#" + record
	}
	if p.Source.File == "" {
		p.Source = page.Source{File: file, Offset: p.Source.Offset, Record: record}
	}
}

func (f *parquetForm) pos(p *Position) { p.Record = f.rows.Row() }

func (f *parquetForm) seek(p Position) error { return f.rows.Goto(p.Record) }

func (f *parquetForm) close() { f.rows.Close() }
