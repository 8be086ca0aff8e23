package annotate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/extract"
	"chaffinch/input"
	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/text/langid"
)

// ReadConfig says what documents are read.
type ReadConfig struct {
	// Input says how the files are read.
	Input input.Config
	// Lang is the language of all documents, "" if each tells it by its text.
	Lang string
	// Sample takes so many documents of all, 0 for all: which ones follows from
	// their ids and Seed.
	Sample int
	Seed   uint64
	// Skipped is called with what cannot be read and why; reading goes on.
	Skipped func(err error)
}

// Read reads documents: pages as the labeller sees them, the lines of the blocks
// that they show, and files of labelled lines, whose documents are done.
func Read(ctx context.Context, paths []string, cfg ReadConfig) ([]*Doc, error) {
	r := reader{cfg: cfg}
	var err error
	if r.extract, err = extract.New(extract.Default); err != nil {
		return nil, err
	}
	if r.langs, err = langid.NewPages(langid.DefaultPage); err != nil {
		return nil, err
	}
	for _, p := range paths {
		if labelled(p) {
			err = r.labelled(ctx, p)
		} else {
			err = r.pages(ctx, p)
		}
		if err != nil {
			return nil, err
		}
	}
	if r.cut(); len(r.docs) == 0 {
		return nil, fmt.Errorf("%s: no document with text", strings.Join(paths, ", "))
	}
	return r.docs, nil
}

type reader struct {
	cfg     ReadConfig
	extract *extract.Extractor
	langs   *langid.Pages
	docs    []*Doc
}

// labelled reports whether a file holds labels already: a table, or JSON lines
// with the field.
func labelled(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".tsv":
		return true
	case ".jsonl":
		f, err := os.Open(path)
		if err != nil {
			return false
		}
		defer f.Close()
		line, _ := bufio.NewReader(io.LimitReader(f, 1<<24)).ReadBytes('\n')
		return bytes.Contains(line, []byte(`"labels"`))
	}
	return false
}

func (r *reader) labelled(ctx context.Context, path string) error {
	docs, err := gold.ReadLineDocs(ctx, path)
	for _, g := range docs {
		d := FromGold(g)
		r.docs = append(r.docs, d)
		if r.cfg.Lang != "" {
			d.Lang = r.cfg.Lang
		}
	}
	return err
}

func (r *reader) pages(ctx context.Context, path string) error {
	in, err := input.Open([]string{path}, r.cfg.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = r.page(ctx, p)
		}
		var bad *page.Error
		if err != nil && !errors.As(err, &bad) {
			return err
		}
		if err != nil && r.cfg.Skipped != nil {
			r.cfg.Skipped(err)
		}
	}
}

func (r *reader) page(ctx context.Context, p *page.Page) error {
	if p.Drop == page.None {
		if err := r.extract.Do(ctx, p); err != nil {
			return err
		}
	}
	if p.Drop == page.NoText || p.Drop == page.Scripted || p.Drop == page.Empty {
		return nil
	}
	if p.Drop == page.NotText && p.Source.Record == "" {
		return nil // the reader reports a file that is no text
	}
	if p.Drop != page.None {
		return &page.Error{File: p.Source.File, Record: p.Source.Record, Offset: -1, Err: fmt.Errorf("not read: %s", p.Drop)}
	}
	lines := gold.PageLines(p)
	if len(lines) == 0 {
		return nil
	}
	if r.cfg.Lang != "" {
		p.Lang = r.cfg.Lang
	} else if err := r.langs.Do(ctx, p); err != nil {
		return err
	}
	r.docs = append(r.docs, NewDoc(p.ID, p.Lang, lines))
	if n := r.cfg.Sample; n > 0 && len(r.docs) >= 2*n+1000 {
		r.cut()
	}
	return nil
}

// Draw returns a number that follows from a name as if it were drawn by chance.
func Draw(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() * 0x9e3779b97f4a7c15 // the high bits of FNV-1a know little of the last letters
}

// OneOf tells whether a name is drawn when one of every n is.
func OneOf(n uint64, name string) bool { return Draw(name)>>40%n == 0 }

// cut takes the sample: the documents whose ids have the least hashes, in their order.
func (r *reader) cut() {
	n := r.cfg.Sample
	if n <= 0 || len(r.docs) <= n {
		return
	}
	key := func(d *Doc) uint64 { return Draw(fmt.Sprintf("%d %s", r.cfg.Seed, d.ID)) }
	by := slices.Clone(r.docs)
	slices.SortStableFunc(by, func(a, b *Doc) int { return cmp.Compare(key(a), key(b)) })
	in := map[*Doc]bool{}
	for _, d := range by[:n] {
		in[d] = true
	}
	r.docs = slices.DeleteFunc(r.docs, func(d *Doc) bool { return !in[d] })
}
