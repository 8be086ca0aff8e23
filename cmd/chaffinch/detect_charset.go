package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"chaffinch/format/plain"
	"chaffinch/input"
	"chaffinch/internal/panics"
	"chaffinch/internal/termsafe"
	"chaffinch/pipeline"
	"chaffinch/text/charset"
)

type detectCharsetCmd struct {
	Input []string `arg:"" optional:"" help:"Files, folders and tar archives, plain or compressed (gzip, zstd, lz4); - or nothing is standard input."`

	InputFormat string `was:"as" default:"" enum:",html,text" placeholder:"NAME" help:"Format of all inputs: html or text, in which meta tags and XML declarations are ignored. Default: html if the file begins with a tag."`

	Candidates int      `short:"n" placeholder:"N" help:"Show the N best encodings of each file, with the language of the resulting text."`
	JSON       bool     `name:"json" help:"Write JSON lines, one object per file."`
	HTTP       string   `name:"http" placeholder:"LABEL" help:"Charset of the HTTP header of the files: evidence like a meta tag, not binding."`
	Encodings  []string `placeholder:"NAME" help:"Consider only these encodings, besides UTF-8 and declared ones (web: the encodings of the WHATWG Encoding standard). Default: all."`
	Model      string   `placeholder:"FILE" help:"Model written by chaffinch train charset. Default: the embedded one."`
	List       bool     `help:"List the encodings and exit."`
}

// Help is the long help.
func (detectCharsetCmd) Help() string {
	return `Prints for each file, separated by tabs: name, encoding, evidence (bom, http, meta, utf-8, detected, default), language
(- if the file has too few letters beyond ASCII), confidence (- if not needed), and problems: invalid characters with
the offset of the first, lines in another encoding, mojibake, or content that is not text.

  chaffinch detect charset old/*.txt
  chaffinch detect charset -n 3 page.html
  curl -s https://example.org | chaffinch detect charset --http iso-8859-1

To convert, use chaffinch clean; --repair-mojibake repairs mojibake.`
}

// detected is the result for a file.
type detected struct {
	File       string      `json:"file"`
	Charset    string      `json:"charset"`
	From       string      `json:"from"`
	Lang       string      `json:"lang,omitempty"`
	Confidence float64     `json:"confidence"`
	Replaced   int         `json:"replaced,omitempty"`
	First      *int        `json:"first_replaced,omitempty"`
	Media      string      `json:"media_type,omitempty"` // type of content that is not text
	Mixed      int         `json:"mixed_lines,omitempty"`
	MixedAs    string      `json:"mixed_as,omitempty"`
	Twice      string      `json:"twice_through,omitempty"`
	Sequences  int         `json:"twice_sequences,omitempty"`
	Candidates []candidate `json:"candidates,omitempty"`
}

type candidate struct {
	Charset    string  `json:"charset"`
	Lang       string  `json:"lang,omitempty"`
	Confidence float64 `json:"confidence"`
	Same       bool    `json:"same,omitempty"` // as the one before, in this file
}

// heldBytes bounds the files that are read and not yet answered.
const heldBytes = 64 << 20

// Run prints a line for each file.
func (c *detectCharsetCmd) Run(ctx context.Context, con *console) error {
	out := bufio.NewWriter(con.out)
	if c.List {
		for _, name := range charset.Encodings() {
			fmt.Fprintln(out, name)
		}
		return out.Flush()
	}
	cfg := charset.Default
	cfg.Model, cfg.Encodings = c.Model, c.Encodings
	html, err := charset.New(cfg)
	if err != nil {
		return err
	}
	cfg.NoMeta = true
	text, err := charset.New(cfg)
	if err != nil {
		return err
	}
	if c.HTTP != "" && !charset.Known(c.HTTP) {
		fmt.Fprintf(con.err, "chaffinch: --http %s: unknown encoding label, ignored: --list shows all\n", c.HTTP)
	}
	inputs := c.Input
	if len(inputs) == 0 {
		if isTerminal(con.in) {
			return fmt.Errorf("no input: name files or folders, or pipe a file in")
		}
		inputs = []string{"-"}
	}
	bad := faults{con: con}
	type file struct {
		name string
		raw  []byte
		out  bytes.Buffer
		err  error
		long bool
	}
	long := int64(0) // files
	errEnough := errors.New("enough")
	err = eachInput(ctx, con, inputs, out, func(in string) error {
		files := 0
		err := pipeline.Flow[file]{Memory: heldBytes, Size: func(f *file) int64 { return int64(len(f.raw)) }, Work: func(_ int, f *file) error {
			if f.long = int64(len(f.raw)) > input.Default.MaxPageBytes; f.long {
				f.raw = f.raw[:input.Default.MaxPageBytes]
			}
			d := html
			if c.InputFormat == "text" || c.InputFormat == "" && !markup(f.raw) {
				d = text
			}
			f.err = panics.Catch(func() error { return c.write(&f.out, f.name, f.raw, d) })
			return nil
		}, Use: func(f *file) error {
			files++
			if errors.As(f.err, new(*panics.Panic)) {
				bad.report(fmt.Errorf("%s: %w", f.name, f.err))
			} else if f.err != nil {
				return f.err
			}
			if f.long {
				long++
				fmt.Fprintf(con.err, "chaffinch: %s: more than %d bytes: the rest is ignored\n", f.name, input.Default.MaxPageBytes)
			}
			_, err := out.Write(f.out.Bytes())
			*f = file{}
			return err
		}}.RunFrom(ctx, func(send func(file) bool) error {
			return eachFile(ctx, in, con, func(name string, in io.Reader) error {
				raw, err := readUpTo(name, in, input.Default.MaxPageBytes+1)
				if err == nil && !send(file{name: name, raw: raw}) {
					err = errEnough
				}
				return err
			})
		})
		if err == nil && files == 0 {
			err = fmt.Errorf("%s: no file in this folder", in)
		}
		return err
	})
	if err = cmp.Or(err, bad.judge("file", "")); err == nil && long > 0 {
		err = errNo{count(long, "file") + " larger than the limit"}
	}
	return err
}

// markup reports whether raw begins with a tag, after white space, NULs and byte order
// marks, in any encoding that includes ASCII.
func markup(raw []byte) bool {
	for _, b := range raw[:min(len(raw), 1024)] {
		if strings.IndexByte(" \t\r\n\x00\xEF\xBB\xBF\xFE\xFF", b) < 0 {
			return b == '<'
		}
	}
	return false
}

// write writes the result for one file.
func (c *detectCharsetCmd) write(out *bytes.Buffer, name string, raw []byte, d *charset.Detector) error {
	r, found := d.Detect(raw, c.HTTP, c.Candidates)
	_, m := charset.RepairMojibake(r.Text)
	media := plain.Sniff(raw)
	switch media {
	case plain.HTML, plain.Text, "text/xml", "application/json":
		media = ""
	}
	if c.JSON {
		o := detected{File: name, Charset: r.Name, From: r.From, Lang: r.Lang, Confidence: round3(r.Confidence), Replaced: r.Replaced, Media: media,
			Mixed: r.Mixed, MixedAs: r.MixedAs, Twice: m.Through, Sequences: m.Sequences}
		if r.Replaced > 0 {
			o.First = &r.FirstReplaced
		}
		for _, f := range found {
			o.Candidates = append(o.Candidates, candidate{f.Name, f.Lang, round3(f.Confidence), f.Same})
		}
		b, err := json.Marshal(o)
		if err != nil {
			return err
		}
		_, err = out.Write(append(b, '\n'))
		return err
	}
	lang, sure := "-", "-"
	if r.Lang != "" {
		lang = r.Lang
	}
	if r.From == "detected" || len(found) > 1 {
		sure = fmt.Sprintf("%.3f", r.Confidence)
	}
	fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s", termsafe.Field(name), r.Name, r.From, lang, sure)
	var notes []string
	if media != "" {
		notes = append(notes, fmt.Sprintf("not text (%s)", media))
	}
	if r.Replaced > 0 {
		notes = append(notes, fmt.Sprintf("%d invalid characters, the first at byte %d", r.Replaced, r.FirstReplaced))
	}
	if r.Mixed > 0 {
		notes = append(notes, fmt.Sprintf("%d lines are in %s", r.Mixed, r.MixedAs))
	}
	if m.Rounds > 0 {
		notes = append(notes, fmt.Sprintf("%d characters of mojibake through %s", m.Sequences, m.Through))
	}
	if len(notes) > 0 {
		fmt.Fprintf(out, "\t%s", strings.Join(notes, "; "))
	}
	_, err := fmt.Fprintln(out) // an error of out stays
	for _, f := range found {
		same := ""
		if f.Same {
			same = "\tsame text"
		}
		lang := "-"
		if f.Lang != "" {
			lang = f.Lang
		}
		_, err = fmt.Fprintf(out, "  %s\t%s\t%.3f%s\n", f.Name, lang, f.Confidence, same)
	}
	return err
}

func round3(x float64) float64 { return float64(int(float64(x*1000)+0.5)) / 1000 }
