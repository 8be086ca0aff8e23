package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaffinch/filter"
	"chaffinch/page"
)

// Amount is an amount of text.
type Amount struct {
	Pages int64 `json:"pages"`
	Words int64 `json:"words"`
	Bytes int64 `json:"bytes"` // of text
}

// add adds n times b.
func (a *Amount) add(b Amount, n int64) {
	a.Pages += n * b.Pages
	a.Words += n * b.Words
	a.Bytes += n * b.Bytes
}

// Split counts the text that a step kept and removed. Removed pages are pages of which
// nothing is kept.
type Split struct {
	Kept    Amount `json:"kept"`
	Removed Amount `json:"removed"`
}

// Flow counts the text that a step processed.
type Flow struct {
	Split
	// Cut is the number of kept pages that lost a part.
	Cut int64 `json:"cut"`
	// Reasons counts removed pages by reason; Parts counts removed parts of pages.
	Reasons map[string]*Amount `json:"reasons"`
	Parts   map[string]*Amount `json:"parts"`
	// Langs, PageTypes, Registers, Sites and Roles count the text by language, page type,
	// register, site and role. PageTypes is empty if the method estimates no types, Registers if
	// they were not requested. A text counts for each of its registers. Sites names only the sites with the
	// most text.
	Langs     map[string]*Split `json:"langs"`
	PageTypes map[string]*Split `json:"page_types"`
	Registers map[string]*Split `json:"registers,omitempty"`
	Sites     map[string]*Split `json:"sites"`
	Roles     map[string]*Split `json:"roles"`
	// MoreSites is the number of sites that are not named.
	MoreSites int `json:"more_sites,omitempty"`
	// Samples are examples of removed text for each reason.
	Samples []Sample `json:"samples" merge:"-"`
	// Keywords are words that are more frequent in the removed text than in the kept text.
	Keywords []Keyword `json:"keywords" merge:"-"`
}

// Bounds of a tally.
const (
	maxSites  = 100_000
	sitesKept = 500
	maxNames  = 1000 // languages, reasons
	others    = "..."
)

// tally counts the text that a completed step kept and removed.
func (b *builder) tally(ctx context.Context, s *step) (*Flow, error) {
	t, err := b.tallyTaken(ctx, s)
	if err != nil {
		return nil, err
	}
	if t == nil {
		if t, err = b.tallyAll(ctx, s); err != nil {
			return nil, err
		}
	}
	next := t.next()
	flow := t.end()
	if next != nil {
		next.words = t.words.next()
	}
	b.counted, b.next = s, next
	return flow, nil
}

// tallyAll counts both the kept and the removed text.
func (b *builder) tallyAll(ctx context.Context, s *step) (*tally, error) {
	t := newTally()
	t.words = &vocabulary{}
	if s.counts != "" {
		return t, b.digests(ctx, b.path(s.counts), func(d *digest) {
			if d.Kept != nil {
				t.kept(d, 1)
			}
			if d.Removed != nil {
				t.removed(d)
			}
		})
	}
	d := digester{sampling: b.sampling()}
	err := b.records(ctx, b.path(s.outputs[0]), func(r *record) error { t.kept(d.digest(r, nil), 1); return nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.outputs[0], err)
	}
	err = b.records(ctx, b.path(s.removed), func(r *record) error { t.removed(d.digest(nil, r)); return nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.removed, err)
	}
	if f := b.ledger.entry(s.name).Filter; f != nil { // lines removed from kept pages are in no output
		for why, lost := range f.Lines {
			a := Amount{Words: lost.Words, Bytes: lost.Bytes}
			of(t.flow.Parts, why, maxNames).add(a, 1)
			t.flow.Removed.add(a, 1)
		}
		t.flow.Cut = f.Changed
	}
	return t, nil
}

// tallyTaken reads only the removed text. It requires that the input was counted after the
// previous step, and that pages were removed only as a whole. Otherwise it returns nil.
func (b *builder) tallyTaken(ctx context.Context, s *step) (*tally, error) {
	t := b.next
	b.next = nil // t owns it now
	if t == nil || s.reads != b.counted {
		return nil, nil
	}
	stay := int64(-1) // kept pages, from the report of the step
	switch e := b.ledger.entry(s.name); {
	case e.Filter != nil && len(e.Filter.Lines) == 0 && e.Filter.Changed == 0:
		stay = e.Filter.Out.Docs
	case e.Dedup != nil && e.Dedup.Cut == 0:
		stay = e.Dedup.Out.Docs
	}
	if stay < 0 {
		return nil, nil
	}
	d := digester{sampling: b.sampling()}
	err := b.records(ctx, b.path(s.removed), func(r *record) error {
		if !r.isWhole() {
			return errCut
		}
		x := d.digest(r, r)
		t.kept(x, -1)
		t.removed(x)
		return nil
	})
	if err == errCut || err == nil && t.flow.Kept.Pages != stay {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.removed, err)
	}
	for _, m := range []map[string]*Split{t.flow.Langs, t.flow.PageTypes, t.flow.Registers, t.flow.Sites, t.flow.Roles} {
		maps.DeleteFunc(m, func(_ string, s *Split) bool { return *s == Split{} })
	}
	return t, nil
}

// errCut indicates that a page lost a part.
var errCut = errors.New("a page that was cut")

// tally is a Flow being counted.
type tally struct {
	flow    *Flow
	words   *vocabulary
	samples map[string]*sampler // by reason
}

func newTally() *tally {
	return &tally{flow: &Flow{
		Reasons: map[string]*Amount{}, Parts: map[string]*Amount{}, Langs: map[string]*Split{}, PageTypes: map[string]*Split{}, Registers: map[string]*Split{}, Sites: map[string]*Split{}, Roles: map[string]*Split{},
	}, samples: map[string]*sampler{}}
}

// next returns the tally of a step that reads the kept text, without vocabulary. It returns
// nil if some languages, sites or words were not counted by name.
func (t *tally) next() *tally {
	f := t.flow
	if len(f.Langs) >= maxNames || len(f.Sites) >= maxSites || t.words.full() {
		return nil
	}
	n := newTally()
	n.flow.Kept = f.Kept
	for from, to := range map[*map[string]*Split]map[string]*Split{&f.Langs: n.flow.Langs, &f.PageTypes: n.flow.PageTypes, &f.Registers: n.flow.Registers, &f.Sites: n.flow.Sites, &f.Roles: n.flow.Roles} {
		for name, s := range *from {
			to[name] = &Split{Kept: s.Kept}
		}
	}
	return n
}

// of returns the entry of a name in a dimension, adding it if needed. With most names
// already present it returns the entry of others.
func of[T any](m map[string]*T, name string, most int) *T {
	x := m[name]
	if x == nil && len(m) >= most {
		name = others
		x = m[name]
	}
	if x == nil {
		x = new(T)
		m[name] = x
	}
	return x
}

// dimensions returns the language, site, page type and register entries of a page.
func (t *tally) dimensions(d *digest) []*Split {
	list := []*Split{
		of(t.flow.Langs, cmp.Or(d.Lang, "und"), maxNames),
		of(t.flow.Sites, cmp.Or(d.Site, "unknown"), maxSites),
	}
	if d.PageType != "" {
		list = append(list, of(t.flow.PageTypes, d.PageType, maxNames))
	}
	for _, name := range d.Registers {
		list = append(list, of(t.flow.Registers, name, maxNames))
	}
	return list
}

// kept counts a kept page if n is 1, and uncounts a removed page if n is -1.
func (t *tally) kept(d *digest, n int64) {
	all := d.Kept.Amount
	all.Pages = 1
	for _, r := range d.Kept.Roles {
		r.Pages = 1
		of(t.flow.Roles, r.Name, page.RoleCount+1).Kept.add(r.Amount, n)
	}
	t.words.add(d.Kept, false, n)
	t.flow.Kept.add(all, n)
	for _, s := range t.dimensions(d) {
		s.Kept.add(all, n)
	}
}

// removed counts a removed page or removed parts of a page.
func (t *tally) removed(d *digest) {
	all := d.Removed.Amount
	reasons := t.flow.Parts
	if d.Whole {
		all.Pages, reasons = 1, t.flow.Reasons
	} else {
		t.flow.Cut++
	}
	for _, r := range d.Removed.Roles {
		r.Pages = all.Pages
		of(t.flow.Roles, r.Name, page.RoleCount+1).Removed.add(r.Amount, 1)
	}
	t.words.add(d.Removed, true, 1)
	for i := range d.Removed.Reasons {
		r := &d.Removed.Reasons[i]
		r.Pages = 1
		of(reasons, r.Why, maxNames).add(r.Amount, 1)
		t.sample(d, r)
	}
	t.flow.Removed.add(all, 1)
	for _, s := range t.dimensions(d) {
		s.Removed.add(all, 1)
	}
}

// isWhole reports whether the whole page was removed.
func (r *record) isWhole() bool {
	return r.Drop != "" || r.Filter.Rule != "" || r.Dedup.Dedup != "" && r.Dedup.Dedup != stays
}

// stays is the verdict on a kept document that lost a part.
const stays = "keep"

// lost returns the removed text of a block. If sentences are labelled, it returns the
// sentences that are not kept.
func (p *piece) lost(all bool) string {
	if all || len(p.Sentences) == 0 || p.Label != page.Good.String() && p.Label != page.NearGood.String() {
		return p.Text
	}
	var b strings.Builder
	for _, s := range p.Sentences {
		if kept := s.Label == page.Good.String() || s.Label == page.NearGood.String(); !kept && 0 <= s.Start && s.Start <= s.End && s.End <= len(p.Text) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(p.Text[s.Start:s.End])
		}
	}
	return b.String()
}

// whole returns the reason for which a page was removed, and the page that is kept instead.
func (r *record) whole() (why, first string) {
	if r.Drop != "" {
		return r.Drop, ""
	}
	if r.Filter.Rule != "" {
		return r.Filter.Rule, ""
	}
	first = cmp.Or(r.Dedup.Cluster, r.Dedup.First)
	for _, p := range r.Dedup.Paragraphs {
		first = cmp.Or(first, p.First)
	}
	return r.Dedup.Dedup, first
}

// limit returns the value and the limit of the rule that dropped a page, or "".
func (r *record) limit() string {
	switch f := &r.Filter; {
	case f.Min != nil:
		return filter.FormatScore(f.Value) + " < " + filter.FormatScore(*f.Min)
	case f.Max != nil:
		return filter.FormatScore(f.Value) + " > " + filter.FormatScore(*f.Max)
	}
	return ""
}

// why returns the reason for which a block was removed, and the document that keeps it. last is the
// verdict of the block before: most blocks have the same.
func (r *record) why(top int, p *piece, last *verdict) (why, first string) {
	if d := r.Dedup.Paragraphs; top < len(d) {
		return d[top].Dedup, d[top].First
	}
	if p.rule != "" {
		return p.rule, ""
	}
	if p.By != last.by || p.Label != last.label || last.why == "" {
		by, _, _ := strings.Cut(p.By, "/")
		*last = verdict{p.By, p.Label, "labelled " + cmp.Or(p.Label, page.Bad.String()) + " by " + cmp.Or(by, "nobody")}
	}
	return last.why, ""
}

// end completes the tally. It names only the sites with the most text.
func (t *tally) end() *Flow {
	f := t.flow
	names := slices.SortedFunc(maps.Keys(f.Sites), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Sites[b].words(), f.Sites[a].words()), cmp.Compare(a, b))
	})
	for _, name := range names[min(sitesKept, len(names)):] {
		s := f.Sites[name]
		delete(f.Sites, name)
		rest := of(f.Sites, others, sitesKept+1)
		rest.Kept.add(s.Kept, 1)
		rest.Removed.add(s.Removed, 1)
		f.MoreSites++
	}
	for _, why := range slices.Sorted(maps.Keys(t.samples)) {
		f.Samples = append(f.Samples, t.samples[why].list()...)
	}
	f.Keywords = t.words.keywords()
	return f
}

func (s *Split) words() int64 { return s.Kept.Words + s.Removed.Words }
