package desk

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/sorts"
	"chaffinch/lab/annotate"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// goldRoles are the roles of the gold text: the main content of a page of any type.
var goldRoles = func() page.Roles {
	r, err := page.ParseRoles(gold.Main)
	if err != nil {
		panic(err) // a name of the program
	}
	return r
}()

const allRoles = ^page.Roles(0)

// agreed returns the labels of a finished page: the adjudicated labels, else the labels of
// the majority of annotators who finished it; ties are decided by the order of names. It
// returns nil if no annotator has finished the page. The caller holds s.mu.
func (s *Desk) agreed(d *doc) (labels []string) {
	var done []*work
	for _, p := range s.names() {
		if w := s.people.All()[p].works[d]; w != nil && w.done {
			done = append(done, w)
		}
	}
	if len(done) == 0 {
		return nil
	}
	var judged *work
	if j := s.people.All()[judgedPerson]; j != nil {
		judged = j.works[d]
	}
	labels = make([]string, len(d.spans))
	for i := range labels {
		if judged != nil && judged.marks[i].Label != "" {
			labels[i] = judged.marks[i].Label
			continue
		}
		votes := map[string]int{}
		for _, w := range done {
			votes[w.marks[i].Label]++
		}
		for _, w := range done {
			if l := w.marks[i].Label; votes[l] > votes[labels[i]] {
				labels[i] = l
			}
		}
	}
	return labels
}

// names returns the names of the annotators in order. The caller holds s.mu.
func (s *Desk) names() (all []string) {
	for name, p := range s.people.All() {
		if name != judgedPerson && p.group > 0 {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// roles returns the table of the pages that are done, and the lines.
func (s *Desk) roles() (pages []gold.RolePage, done map[*doc][]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set := s.Name()
	done = map[*doc][]string{}
	for _, d := range s.docs {
		labels := s.agreed(d)
		if labels == nil {
			continue
		}
		done[d] = labels
		if !d.two {
			pages = append(pages, gold.RolePage{Set: set, ID: d.ID, SHA256: d.SHA256, Spans: spansOf(d.spans, labels)})
		}
	}
	sorts.Func(pages, func(a, b gold.RolePage) int { return strings.Compare(a.ID, b.ID) })
	return pages, done
}

// spansOf puts neighbouring blocks of one label together.
func spansOf(blocks [][2]int, labels []string) (out []gold.RoleSpan) {
	for i, l := range labels {
		role, further, err := gold.ParseRole(l)
		if err != nil {
			continue // no label
		}
		n := len(out) - 1
		if i > 0 && n >= 0 && labels[i-1] == l {
			out[n].End = max(out[n].End, blocks[i][1])
			continue
		}
		out = append(out, gold.RoleSpan{Start: blocks[i][0], End: blocks[i][1], Role: role, Further: further})
	}
	return out
}

// writeGold brings the files that follow from the labels in line with them, for a page
// whose labels changed.
func (s *Desk) writeGold(ctx context.Context, changed ...*doc) error {
	s.goldMu.Lock()
	defer s.goldMu.Unlock()
	pages, done := s.roles()
	anyLines := false
	for _, d := range changed {
		if d.plain {
			anyLines = true
			continue
		}
		err := s.writeFile(filepath.Join(goldFolder, d.ID+".txt"), done[d] != nil, func(out *bytes.Buffer) error {
			p, err := s.read(ctx, d)
			if err == nil {
				out.WriteString(goldText(d, p, done[d]))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if anyLines {
		if err := s.writeLines(ctx, done); err != nil {
			return err
		}
	}
	return s.writeFile(rolesFile, len(pages) > 0, func(out *bytes.Buffer) error { return gold.WriteRolePages(out, pages) })
}

// goldText is the gold text of a page with these labels.
func goldText(d *doc, p *page.Page, labels []string) string {
	if !d.two {
		text, _ := annotate.GoldText(p, spansOf(d.spans, labels), goldRoles)
		return text
	}
	var out strings.Builder
	for i := range p.Blocks {
		if labels[i] == gold.LineLabel(true) {
			out.WriteString(oneLine.Replace(p.Blocks[i].Text))
			out.WriteByte('\n')
		}
	}
	return out.String()
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// writeFile writes a file of the set, or removes it if there is nothing in it.
func (s *Desk) writeFile(name string, some bool, write func(*bytes.Buffer) error) error {
	name = filepath.Join(s.cfg.Dir, name)
	if !some {
		if err := disk.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	return files.WriteFile(name, out.Bytes())
}

// writeLines writes the documents of lines that are done.
func (s *Desk) writeLines(ctx context.Context, done map[*doc][]string) error {
	var docs []*gold.LineDoc
	for _, d := range s.docs {
		if !d.plain || done[d] == nil {
			continue
		}
		p, err := s.read(ctx, d)
		if err != nil {
			return err
		}
		g := &gold.LineDoc{ID: d.ID, Lang: d.Lang}
		for i := range p.Blocks {
			g.Lines = append(g.Lines, oneLine.Replace(p.Blocks[i].Text))
			g.Labels = append(g.Labels, done[d][i] == gold.LineLabel(true))
		}
		docs = append(docs, g)
	}
	return s.writeFile(linesFile, len(docs) > 0, func(out *bytes.Buffer) error { return gold.WriteLineDocs(out, linesFile, docs) })
}
