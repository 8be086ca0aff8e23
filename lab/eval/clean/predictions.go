package clean

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/pytext"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// Output is the output of a system for the pages of a set, by ID.
type Output struct {
	// Name is the name of the system in tables.
	Name  string
	Pages map[string]Prediction
	// Folds holds the fold, from 1, in which each page was measured; nil without cross-validation.
	Folds map[string]int
	// Notes are remarks for readers of the figures.
	Notes []string
}

// ReadPredictions reads the output of a program for the pages of s from DIR/SET/ID.txt, or from
// DIR/ID.txt if there is no folder SET. Types of segments are read from ID.tsv (type, TAB, text),
// or from markers <p>, <h>, <l> in the text. A page without a file is scored as empty; no file at
// all is an error.
func ReadPredictions(dir, name string, s *Set) (*Output, error) {
	if sub := filepath.Join(dir, s.Name); isDir(sub) {
		dir = sub
	}
	o := &Output{Name: name, Pages: map[string]Prediction{}}
	for _, g := range s.Pages {
		b, err := archive.ReadFile(filepath.Join(dir, filepath.FromSlash(g.ID)+".txt"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p := Prediction{Text: pytext.Decode(b)}
		p.Segments = markedLines(p.Text)
		if b, err := archive.ReadFile(filepath.Join(dir, filepath.FromSlash(g.ID)+".tsv")); err == nil {
			p.Segments = gold.ReadTyped(b)
		}
		o.Pages[g.ID] = p
	}
	if len(o.Pages) == 0 {
		return nil, fmt.Errorf("predictions %s: no ID.txt for any page of set %s: wanted one file per page, such as %s.txt", dir, s.Name, s.Pages[0].ID)
	}
	if n := len(s.Pages) - len(o.Pages); n > 0 {
		o.Notes = append(o.Notes, fmt.Sprintf("%d of %d pages have no output and are scored as empty", n, len(s.Pages)))
	}
	return o, nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// Save writes the output as DIR/ID.txt, and DIR/ID.tsv if it has types.
func (o *Output) Save(dir string) error {
	for id, p := range o.Pages {
		path := filepath.Join(dir, filepath.FromSlash(id))
		if err := disk.MkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		if err := files.WriteFileWith(path+".txt", []byte(p.Text), files.Options{Unsynced: true}); err != nil {
			return err
		}
		if p.Segments == nil {
			continue
		}
		var b strings.Builder
		for _, s := range p.Segments {
			kind := cmp.Or(s.Kind, '-')
			fmt.Fprintf(&b, "%c\t%s\n", kind, s.Text)
		}
		if err := files.WriteFileWith(path+".tsv", []byte(b.String()), files.Options{Unsynced: true}); err != nil {
			return err
		}
	}
	return nil
}

// BlockNote is a block of a page with its score and label.
type BlockNote struct {
	Text string
	// Path is the path of the block: its elements with class and id.
	Path string
	// Score is the system's score. Kept is set if the system keeps the block.
	Score float64
	Role  page.Role
	Kept  bool
}

// FromPage returns the prediction of a labelled page: the kept text of each block, and of each row
// of a data table, is a line and a segment.
func FromPage(p *page.Page) Prediction { return fromPage(p, false) }

// fromPage is FromPage. With detail it also returns the blocks.
func fromPage(p *page.Page, detail bool) Prediction {
	out := Prediction{Segments: []Segment{}, Tables: tablesOf(p), Confidence: p.Confidence, Type: p.Type, TypeConfidence: p.TypeConfidence}
	var b, comments strings.Builder
	for i := range p.Blocks {
		block := &p.Blocks[i]
		if detail {
			out.Blocks = append(out.Blocks, BlockNote{block.Text, place(p, block), block.Score, block.Role, block.Kept() != ""})
		}
		if block.Role == page.RoleComment {
			out.Classified = true
			comments.WriteString(block.Text)
			comments.WriteByte('\n')
		}
	}
	for i := 0; i < len(p.Blocks); {
		kind := byte('p')
		switch p.Blocks[i].Kind {
		case page.Heading:
			kind = 'h'
		case page.Item:
			kind = 'l'
		}
		var text string
		text, i = p.Line(i)
		if text = pytext.Collapse(text); text == "" {
			continue
		}
		out.Segments = append(out.Segments, Segment{Kind: kind, Text: text})
		b.WriteString(text)
		b.WriteByte('\n')
	}
	out.Text, out.Comments = b.String(), comments.String()
	return out
}
