package annotate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/lab/gold"
)

// draftEnding is what the name of the file with unfinished documents ends in.
const draftEnding = ".draft"

// Store keeps labels: documents that are done in a file of labelled lines
// (docs/formats/lines.md; TSV, or JSONL if its name says so), those that are
// not done beside it, in a file whose name ends in ".draft", which is gone when
// all are done.
type Store struct {
	path string
	kept []*gold.LineDoc // documents of the file that are not under work
	rest []draft         // likewise of the drafts
}

// draft is a document that is not done, one per line.
type draft struct {
	ID   string   `json:"id"`
	Text []string `json:"text"`
	// Labels holds for each line 1 or 0 if a person labelled it, else null.
	Labels []*int `json:"labels"`
}

// OpenStore reads what the file holds already, if it is there, into docs, and
// keeps the rest of it. A document whose lines are not those of the file is an
// error. With docs nil all documents of the file are returned.
func OpenStore(ctx context.Context, path string, docs []*Doc) (*Store, []*Doc, error) {
	if !gold.IsLineFile(path) {
		return nil, nil, fmt.Errorf("%s: wanted a file to write whose name ends in .tsv or .jsonl", path)
	}
	s := &Store{path: path}
	have, err := gold.ReadLineDocs(ctx, path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	if docs == nil {
		for _, g := range have {
			docs = append(docs, FromGold(g))
		}
	}
	byID := make(map[string]*Doc, len(docs))
	for _, d := range docs {
		if byID[d.ID] != nil {
			return nil, nil, fmt.Errorf("document %s is there twice: give each an id or a file name of its own", d.ID)
		}
		byID[d.ID] = d
	}
	for _, g := range have {
		d := byID[g.ID]
		if d == nil {
			s.kept = append(s.kept, g)
			continue
		}
		if err := s.same(d, g.Lines); err != nil {
			return nil, nil, err
		}
		lang := d.Lang
		*d = *FromGold(g)
		if d.Lang == "" {
			d.Lang = lang
		}
	}
	if err := s.openDrafts(byID); err != nil {
		return nil, nil, err
	}
	return s, docs, nil
}

// same checks that a document is still the one that was labelled.
func (s *Store) same(d *Doc, lines []string) error {
	texts := d.texts()
	if slices.Equal(texts, lines) {
		return nil
	}
	n := 0
	for n < len(texts) && n < len(lines) && texts[n] == lines[n] {
		n++
	}
	return fmt.Errorf("%s: document %s differs from line %d on from the one that is to be labelled (%d lines, now %d): name another file with -o", s.path, d.ID, n+1, len(lines), len(texts))
}

// openDrafts reads the documents that are not done.
func (s *Store) openDrafts(byID map[string]*Doc) error {
	b, err := os.ReadFile(s.path + draftEnding)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	drafts, err := parseDrafts(b)
	if err != nil {
		return fmt.Errorf("%s%s:%w", s.path, draftEnding, err)
	}
	for _, f := range drafts {
		d := byID[f.ID]
		if d == nil {
			s.rest = append(s.rest, f)
			continue
		}
		if err := s.same(d, f.Text); err != nil {
			return err
		}
		d.Done = false
		for i, l := range f.Labels {
			d.Lines[i].Label, d.Lines[i].Sure = None, l != nil
			if l != nil {
				d.Lines[i].Label = labelOf(*l == 1)
			}
		}
	}
	return nil
}

// parseDrafts reads the file of documents that are not done. Errors begin with
// the line.
func parseDrafts(b []byte) (out []draft, err error) {
	n := 0
	for line := range bytes.Lines(b) {
		n++
		var f draft
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, fmt.Errorf("%d: %w: remove the file to begin its documents again", n, err)
		}
		if len(f.Labels) != len(f.Text) {
			return nil, fmt.Errorf("%d: %d lines, %d labels: remove the file to begin its documents again", n, len(f.Text), len(f.Labels))
		}
		out = append(out, f)
	}
	return out, nil
}

// Save writes the documents: each file under another name first, then read
// again and compared, then renamed, so that what was there is never lost. It
// returns how many documents the file of labelled lines holds.
func (s *Store) Save(ctx context.Context, docs []*Doc) (int, error) {
	done := slices.Clone(s.kept)
	drafts := slices.Clone(s.rest)
	for _, d := range docs {
		switch {
		case d.Done:
			done = append(done, d.Gold())
		case d.sure() > 0:
			drafts = append(drafts, draftOf(d))
		}
	}
	// What is not done is written first: a document is in both files rather than in none.
	if err := s.saveDrafts(drafts); err != nil {
		return 0, err
	}
	if len(done) == 0 {
		err := disk.Remove(s.path) // taken back
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return 0, err
	}
	return len(done), replace(s.path, func(w io.Writer) error { return gold.WriteLineDocs(w, s.path, done) }, func(tmp string) error {
		back, err := gold.ReadLineDocs(ctx, tmp)
		if err != nil {
			return err
		}
		return equal(back, done)
	})
}

// equal checks that what was read is what was written.
func equal(got, want []*gold.LineDoc) error {
	if len(got) != len(want) {
		return fmt.Errorf("wrote %d documents and read %d", len(want), len(got))
	}
	for i, w := range want {
		g := got[i]
		if g.ID != w.ID || !slices.Equal(g.Lines, w.Lines) || !slices.Equal(g.Labels, w.Labels) {
			return fmt.Errorf("document %s is not the same when it is read again", w.ID)
		}
	}
	return nil
}

func draftOf(d *Doc) draft {
	f := draft{ID: d.ID, Text: d.texts(), Labels: make([]*int, len(d.Lines))}
	for i, l := range d.Lines {
		if l.Sure {
			v := 0
			if l.Label == Text {
				v = 1
			}
			f.Labels[i] = &v
		}
	}
	return f
}

func (s *Store) saveDrafts(drafts []draft) error {
	name := s.path + draftEnding
	if len(drafts) == 0 {
		if err := disk.Remove(name); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return replace(name, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		for _, f := range drafts {
			if err := enc.Encode(f); err != nil {
				return err
			}
		}
		return b.Flush()
	}, func(tmp string) error {
		b, err := os.ReadFile(tmp)
		if err == nil {
			_, err = parseDrafts(b)
		}
		return err
	})
}

// replace writes a file under another name in its folder, checks it, and
// renames it.
func replace(path string, write func(io.Writer) error, check func(tmp string) error) error {
	if err := replaced(path, write, check); err != nil {
		return fmt.Errorf("%s: %w: what was there is as it was", path, err)
	}
	return nil
}

func replaced(path string, write func(io.Writer) error, check func(tmp string) error) error {
	f, err := files.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	if err := check(f.Path()); err != nil {
		return err
	}
	return f.Commit()
}
