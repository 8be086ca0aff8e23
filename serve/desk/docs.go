package desk

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/clean/blocks"
	"chaffinch/extract/site"
	"chaffinch/internal/panics"
	"chaffinch/lab/gold"
	"chaffinch/lab/gold/origin"
	"chaffinch/page"
)

// doc is the part of a page that is kept in memory.
type doc struct {
	info
	plain bool
	two   bool     // the labels are text and boilerplate, not roles
	title string   // "" if the page has none
	site  string   // "" if it is not known
	host  string   // site of the page, for the model
	spans [][2]int // of the blocks
	path  []uint64 // fingerprints of the elements around the blocks, none of lines
	both  []uint64 // of these and the text
	at    map[[2]int]int

	proposed []proposal // for the blocks
	model    int        // the model that said so, -1 if none was asked yet
}

// file returns the path of the file with the bytes of a page.
func (d *doc) file(dir string) string {
	if d.plain {
		return filepath.Join(dir, textFolder, d.ID+".txt")
	}
	return filepath.Join(dir, htmlFolder, d.ID+".html")
}

// check returns an error if a block of the page cannot have a label.
func (d *doc) check(label string) error {
	if label == "" {
		return nil
	}
	if d.two {
		if label != gold.LineLabel(true) && label != gold.LineLabel(false) {
			return fmt.Errorf("label %q: wanted %s or %s", label, gold.LineLabel(true), gold.LineLabel(false))
		}
		return nil
	}
	_, _, err := gold.ParseRole(label)
	return err
}

// read cuts a page into blocks.
func (s *Desk) read(ctx context.Context, d *doc) (*page.Page, error) {
	raw, err := os.ReadFile(d.file(s.cfg.Dir))
	if err != nil {
		return nil, err
	}
	if got := gold.RoleHashOf(raw); got != d.SHA256 {
		return nil, fmt.Errorf("%s: SHA-256 begins with %q, wanted %q (recorded in %s): restore the page", d.file(s.cfg.Dir), got, d.SHA256, metaFile)
	}
	p := &page.Page{ID: d.ID, URL: d.URL, Raw: raw, MIME: "text/html"}
	if d.plain {
		p.MIME, p.HTTPCharset = "text/plain", "utf-8"
	}
	if err := panics.Catch(func() error { return s.extract.Do(ctx, p) }); err != nil {
		return nil, err
	}
	p.Raw = nil
	return p, nil
}

// scan fills in the fields of a page.
func (d *doc) scan(p *page.Page, count *site.Counter) error {
	d.title = strings.TrimSpace(p.Meta.Title)
	g := &gold.Page{ID: d.ID, Meta: map[string]any{"url": d.URL, "site": d.Site}}
	d.site, d.host = origin.Site(g, p), site.Of(p)
	if d.host == "" {
		d.host = d.site
	}
	d.at = make(map[[2]int]int, len(p.Blocks))
	for i := range p.Blocks {
		span := [2]int{p.Blocks[i].Start, p.Blocks[i].End}
		d.spans = append(d.spans, span)
		d.at[span] = i
	}
	if d.plain {
		return nil
	}
	d.path, d.both = site.Prints(p)
	if d.host == "" {
		return nil
	}
	return count.Add(d.host, p)
}

// proposal is the prediction of a model for a block.
type proposal struct {
	label string
	score float32 // probability
}

// propose asks the model in use about the blocks of a page. all are the probabilities of
// the roles, blocks.Roles for each block, nil for lines.
func (s *Desk) propose(ctx context.Context, d *doc, p *page.Page) (out []proposal, all []float32, model int, err error) {
	out = make([]proposal, len(p.Blocks))
	if d.plain {
		m, err := s.lines()
		if err != nil {
			return nil, nil, 0, err
		}
		texts := make([]string, len(p.Blocks))
		for i := range p.Blocks {
			texts[i] = p.Blocks[i].Text
		}
		for i, v := range m.Score(nil, d.Lang, texts) {
			text := v >= float32(m.Threshold())
			if !text {
				v = 1 - v
			}
			out[i] = proposal{gold.LineLabel(text), v}
		}
		return out, nil, 0, nil
	}
	if d.host != "" {
		if err := s.table.Mark(d.host, p); err != nil {
			return nil, nil, 0, err
		}
	}
	m := s.model.Load()
	if all, err = m.labeller.Probabilities(ctx, p); err != nil {
		return nil, nil, 0, err
	}
	for i := range out {
		of := all[i*blocks.Roles:][:blocks.Roles]
		if d.two {
			out[i] = textOrNot(of)
			continue
		}
		best := blocks.MostProbable(of, allRoles)
		out[i] = proposal{best.String(), of[best-1]}
	}
	return out, all, m.number, nil
}

// odds returns the likely labels of a block with their probabilities, from the probabilities
// of the roles.
func (d *doc) odds(of []float32) map[string]float32 {
	if d.two {
		text := blocks.Probability(of, goldRoles)
		return map[string]float32{gold.LineLabel(true): hundredths(text), gold.LineLabel(false): hundredths(1 - text)}
	}
	all := map[string]float32{}
	for r, p := range of {
		if p = hundredths(p); p > 0 {
			all[page.Role(r+1).String()] = p
		}
	}
	return all
}

func hundredths(p float32) float32 { return float32(math.Round(100*float64(p))) / 100 }

// textOrNot is the proposal of two labels.
func textOrNot(of []float32) proposal {
	text := blocks.Probability(of, goldRoles)
	return proposal{gold.LineLabel(text >= .5), max(text, 1-text)}
}

// unsure is the mean doubt about the blocks, 0 to 1.
func unsure(of []proposal) float64 {
	sum := 0.
	for _, p := range of {
		sum += float64(1 - p.score)
	}
	return sum / float64(max(len(of), 1))
}
