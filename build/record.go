package build

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"chaffinch/input"
	"chaffinch/internal/jsonscan"
	"chaffinch/internal/readers"
	"chaffinch/pipeline"
)

// record is a line of an output of a step: a kept page, or text that cleaning, filter or
// dedup removed.
type record struct {
	ID        string   `json:"id"`
	URL       string   `json:"url"`
	Canonical string   `json:"canonical"`
	Lang      string   `json:"lang"`
	PageType  string   `json:"page_type"`
	Registers []string `json:"register"`
	Drop      string   `json:"drop"`
	Blocks    []piece  `json:"blocks"`
	Filter    struct {
		Filter string   `json:"filter"`
		Rule   string   `json:"rule"`
		Value  float64  `json:"value"`
		Min    *float64 `json:"min"`
		Max    *float64 `json:"max"`
	} `json:"filter"`
	Dedup struct {
		Dedup      string `json:"dedup"`
		First      string `json:"first"`
		Cluster    string `json:"cluster"`
		Paragraphs []struct {
			Dedup string `json:"dedup"`
			First string `json:"first"`
		} `json:"paragraphs"`
	} `json:"dedup"`
}

// piece is a block of a record.
type piece struct {
	Text      string  `json:"text"`
	Role      string  `json:"role"`
	By        string  `json:"by"`
	Label     string  `json:"label"`
	Hidden    bool    `json:"hidden"`
	Blocks    []piece `json:"blocks"`
	Sentences []span  `json:"sentences"`

	rule string // that removed the block
}

// span is a sentence of a block.
type span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Label string `json:"label"`
}

// read parses a record from a line like package encoding/json. It skips other fields, which
// make up most of a line.
func (r *record) read(line []byte) error {
	s := &jsonscan.Scanner{B: line}
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "id":
			r.ID, err = text(s)
		case "url":
			r.URL, err = text(s)
		case "canonical":
			r.Canonical, err = text(s)
		case "lang":
			r.Lang, err = text(s)
		case "page_type":
			r.PageType, err = text(s)
		case "register":
			err = small(s, &r.Registers)
		case "drop":
			r.Drop, err = text(s)
		case "blocks":
			r.Blocks, err = pieces(s)
		case "filter":
			err = small(s, &r.Filter)
		case "dedup":
			err = small(s, &r.Dedup)
		default:
			err = s.Skip()
		}
		return err
	})
}

// pieces parses a list of blocks.
func pieces(s *jsonscan.Scanner) (list []piece, err error) {
	err = s.Array(func() error {
		list = append(list, piece{})
		return list[len(list)-1].read(s)
	})
	return list, err
}

func (p *piece) read(s *jsonscan.Scanner) error {
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "text":
			p.Text, err = text(s)
		case "role":
			p.Role, err = text(s)
		case "by":
			p.By, err = text(s)
		case "label":
			p.Label, err = text(s)
		case "hidden":
			err = small(s, &p.Hidden)
		case "blocks":
			p.Blocks, err = pieces(s)
		case "sentences":
			err = s.Array(func() error {
				p.Sentences = append(p.Sentences, span{})
				return p.Sentences[len(p.Sentences)-1].read(s)
			})
		default:
			err = s.Skip()
		}
		return err
	})
}

func (x *span) read(s *jsonscan.Scanner) error {
	return s.Object(func(key []byte) (err error) {
		switch string(key) {
		case "start":
			x.Start, err = number(s)
		case "end":
			x.End, err = number(s)
		case "label":
			x.Label, err = text(s)
		default:
			err = s.Skip()
		}
		return err
	})
}

// urlOf returns the URL of a record, or "" if it has none.
func urlOf(line []byte) (url string, err error) {
	s := &jsonscan.Scanner{B: line}
	err = s.Object(func(key []byte) (err error) {
		if string(key) == "url" {
			url, err = text(s)
			return err
		}
		return s.Skip()
	})
	return url, err
}

// text parses a string.
func text(s *jsonscan.Scanner) (string, error) {
	b, err := s.Str()
	if err != nil || bytes.IndexByte(b, '\\') < 0 {
		return string(b), err
	}
	b, _, err = jsonscan.Unquote(nil, b, len(b)+utf8.UTFMax)
	return string(b), err
}

// number parses an integer.
func number(s *jsonscan.Scanner) (int, error) {
	b, err := s.Value()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(b))
}

// small parses a value that is short or rare.
func small(s *jsonscan.Scanner, v any) error {
	b, err := s.Value()
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// records calls fn for each record of a file.
func (b *builder) records(ctx context.Context, name string, fn func(*record) error) error {
	return b.eachLine(ctx, name, func(line []byte) error {
		var r record
		if err := r.read(line); err != nil {
			return err
		}
		return fn(&r)
	})
}

// eachLine calls fn for each line of a file.
func (b *builder) eachLine(ctx context.Context, name string, fn func(line []byte) error) error {
	in, err := openMetered(name, func(n, size int64) { b.reportProgress(pipeline.Status{Step: "count", Done: n, Total: size}) })
	if err != nil {
		return err
	}
	defer in.Close()
	return readLines(name, readers.Until(ctx, in), b.maxRecord(), fn)
}

// digests calls fn for each digest of a file. A digest is valid until fn returns.
func (b *builder) digests(ctx context.Context, name string, fn func(*digest)) error {
	var d digest
	var parts [2]part
	return b.eachLine(ctx, name, func(line []byte) error {
		err := d.read(line, &parts)
		if err == nil {
			fn(&d)
		}
		return err
	})
}

// maxRecord returns the maximum size of a record in bytes. JSON takes up to 6 bytes for a
// byte of text, and blocks have other fields.
func (b *builder) maxRecord() int {
	return 64<<20 + 8*int(cmp.Or(b.Recipe.Input.MaxPageBytes, input.Default.MaxPageBytes))
}

// readLines calls fn for each line of a file that is not blank. It fails if a line exceeds limit bytes.
func readLines(name string, in io.Reader, limit int, fn func(line []byte) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, min(limit, 256<<10)), limit)
	n := 1
	for ; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := fn(lines.Bytes()); err != nil {
			return err
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("%s: line %d: more than %d bytes, which no step writes: the file is damaged: remove it and build again", name, n, limit)
	}
	return err
}
