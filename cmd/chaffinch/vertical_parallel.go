package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/format/tmx"
	"chaffinch/format/vertical"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/readers"
	"chaffinch/text/tag/installed"
)

type verticalParallelCmd struct {
	Input []string `arg:"" help:"A translation memory in TMX, or one text file per language whose n-th lines correspond (Moses). Plain or compressed."`
	Out   string   `short:"o" required:"" placeholder:"DIR" help:"Output folder: one vertical per language, such as en.vert."`
	Langs []string `short:"l" placeholder:"TAG" help:"Languages, such as en,de. Of text files: the language of each, required. Of TMX: the languages to write; en includes en-US. Default: all."`

	tagFlags
	Jobs  int  `short:"j" placeholder:"N" help:"Taggers run in parallel. Default: one per processor. Does not change the output."`
	Quiet bool `short:"q" help:"No summary."`
}

// Help is the long text of --help.
func (verticalParallelCmd) Help() string {
	return `Writes one vertical per language from a parallel text. Each segment is an <align> with a number, so the n-th segments of all verticals correspond.

Examples:
  chaffinch vertical parallel memory.tmx -o parallel
  chaffinch vertical parallel news.en news.de --langs en,de --tag -o parallel
  chaffinch corpus index parallel/en.vert -o en.idx
  chaffinch corpus index parallel/de.vert -o de.idx
  chaffinch corpus align en.idx de.idx`
}

// maxSegment is the maximum length of a line of a text file in bytes.
const maxSegment = 8 << 20

// parallelText writes the verticals of the languages of a parallel text.
type parallelText struct {
	c     *verticalParallelCmd
	ctx   context.Context
	m     *vertical.Models
	langs []string
	files map[string]*vertical.Segments
	n     int // segments
	twice int // variants of a language after the first one of a unit
}

// Run writes the verticals.
func (c *verticalParallelCmd) Run(ctx context.Context, con *console) error {
	p := &parallelText{c: c, ctx: ctx, files: map[string]*vertical.Segments{}}
	if c.Tag {
		set, err := installed.Set(c.Taggers...)
		if err != nil {
			return err
		}
		p.m = &vertical.Models{Set: set, Workers: c.Jobs}
	}
	if err := disk.MkdirAll(c.Out); err != nil {
		return err
	}
	var err error
	if len(c.Input) == 1 {
		err = p.memory(c.Input[0], con)
	} else {
		err = p.lines(con)
	}
	if err == nil && p.n == 0 {
		err = fmt.Errorf("%s: no segments", strings.Join(c.Input, ", "))
	}
	said := count(int64(p.n), "segment")
	for _, lang := range p.langs {
		n, e := p.files[lang].Close(err)
		if err == nil {
			err = e
		}
		said += fmt.Sprintf("; %s: %s", lang, count(n, "token"))
	}
	if err != nil {
		return err
	}
	if p.twice > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s skipped: a segment has one text per language\n", count(int64(p.twice), "further variant"))
	}
	if !c.Quiet {
		fmt.Fprintf(con.err, "%s\n", said)
	}
	return nil
}

// language returns the vertical of a language, read from a file. It begins with an empty segment for each one so far.
func (p *parallelText) language(lang, input string) (*vertical.Segments, error) {
	if s := p.files[lang]; s != nil {
		return s, nil
	}
	path := filepath.Join(p.c.Out, lang+".vert")
	s := vertical.NewSegments(p.ctx, vertical.SegmentConfig{Doc: filepath.Base(input), Lang: lang, Models: p.m}, func(write func(io.Writer) error) error {
		return files.Replace(path, write)
	})
	p.langs, p.files[lang] = append(p.langs, lang), s
	return s, p.pad(s)
}

// pad adds empty segments to a vertical until it has one for each segment so far.
func (p *parallelText) pad(s *vertical.Segments) error {
	for s.Len() < p.n {
		if err := s.Add(""); err != nil {
			return err
		}
	}
	return nil
}

// memory reads a translation memory.
func (p *parallelText) memory(name string, con *console) error {
	in, _, shut, err := openPacked(name, con)
	if err != nil {
		return err
	}
	defer shut()
	if head, _ := in.Peek(512); !bytes.ContainsRune(head, '<') {
		return fmt.Errorf("%s: not TMX: wanted a translation memory, or one text file per language with --langs", name)
	}
	for u, err := range tmx.NewReader(readers.Until(p.ctx, in)).All() {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := p.unit(u); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// unit writes a unit as a segment of each language.
func (p *parallelText) unit(u *tmx.Unit) error {
	written := 0
	for _, v := range u.Variants {
		lang, ok := p.choose(v.Lang)
		if !ok {
			continue
		}
		s, err := p.language(lang, p.c.Input[0])
		if err != nil {
			return err
		}
		if s.Len() > p.n {
			p.twice++
			continue
		}
		written++
		if err := s.Add(v.Text); err != nil {
			return err
		}
	}
	if written == 0 {
		return nil
	}
	p.n++
	for _, lang := range p.langs {
		if err := p.pad(p.files[lang]); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the language under which a variant is written. ok is false for languages that are
// left out, and for tags that are unfit as file names.
func (p *parallelText) choose(tag string) (lang string, ok bool) {
	if len(p.c.Langs) == 0 {
		return tag, tag != "" && len(p.langs) < maxLangs && !strings.ContainsFunc(tag, func(r rune) bool {
			return r != '-' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
		})
	}
	for _, l := range p.c.Langs {
		if strings.EqualFold(tag, l) || len(tag) > len(l) && strings.EqualFold(tag[:len(l)], l) && tag[len(l)] == '-' {
			return l, true
		}
	}
	return "", false
}

// maxLangs is the maximum number of languages of a parallel text.
const maxLangs = 100

// lines reads one text file per language.
func (p *parallelText) lines(con *console) error {
	langs := p.c.Langs
	if len(langs) != len(p.c.Input) {
		return fmt.Errorf("--langs: %d languages for %d text files, wanted one for each, as in --langs en,de", len(langs), len(p.c.Input))
	}
	var in []*bufio.Scanner
	for i, name := range p.c.Input {
		if slices.Contains(langs[:i], langs[i]) || strings.ContainsAny(langs[i], `/\`) {
			return fmt.Errorf("--langs: %q: wanted different language tags, such as en,de", langs[i])
		}
		r, _, shut, err := openPacked(name, con)
		if err != nil {
			return err
		}
		defer shut()
		s := bufio.NewScanner(readers.Until(p.ctx, r))
		s.Buffer(nil, maxSegment)
		in = append(in, s)
		if _, err := p.language(langs[i], name); err != nil {
			return err
		}
	}
	for {
		var ended []string
		for i, s := range in {
			if s.Scan() {
				if err := p.files[langs[i]].Add(s.Text()); err != nil {
					return err
				}
				continue
			}
			if errors.Is(s.Err(), bufio.ErrTooLong) {
				return fmt.Errorf("%s: line %d: longer than %d MB: wanted one segment per line", p.c.Input[i], p.n+1, maxSegment>>20)
			}
			if s.Err() != nil {
				return fmt.Errorf("%s: %w", p.c.Input[i], s.Err())
			}
			ended = append(ended, p.c.Input[i])
		}
		switch len(ended) {
		case len(in):
			return nil
		case 0:
			p.n++
		default:
			return fmt.Errorf("%s: %d lines, fewer than the other files: wanted files whose n-th lines correspond", strings.Join(ended, ", "), p.n)
		}
	}
}
