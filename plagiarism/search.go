package plagiarism

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"chaffinch/internal/sorts"
)

// SearchConfig configures a search.
type SearchConfig struct {
	// Align configures the alignment.
	Align AlignConfig
	// Near is the maximum distance, in words, of shared fingerprints of one passage.
	// Hits is the minimum number of shared fingerprints for comparing two sections.
	Near, Hits int
	// Candidates is the maximum number of source sections compared with a section of
	// the suspicious document. Sections with the most fingerprints are preferred.
	Candidates int
	// Self also compares documents with the same id.
	Self bool
	// Progress, if not nil, is called with the number of bytes of suspicious
	// documents searched since the last call. Several goroutines call it.
	Progress func(n int)
}

// DefaultSearch is the default configuration.
var DefaultSearch = SearchConfig{Align: DefaultAlign, Near: 60, Hits: 4, Candidates: 50}

// Check returns an error if a setting is invalid.
func (c *SearchConfig) Check() error {
	switch {
	case c.Near < 1:
		return fmt.Errorf("plagiarism search: near %d: wanted at least 1 word", c.Near)
	case c.Hits < 1:
		return fmt.Errorf("plagiarism search: hits %d: wanted at least 1 fingerprint", c.Hits)
	case c.Candidates < 1:
		return fmt.Errorf("plagiarism search: candidates %d: wanted at least 1 section", c.Candidates)
	}
	return c.Align.Check()
}

// Searcher finds passages of documents in an index. It must be used by one goroutine
// at a time. Any number of searchers may share the index.
type Searcher struct {
	x      *Index
	cfg    SearchConfig
	al     aligner
	sec    section // of the current document
	prints prints
	hits   []hit
	groups hitGroups
	cache  cache
	// touched keeps the compiler from omitting reads that load postings into the caches.
	touched uint32
	// Compared is the number of pairs of sections aligned.
	Compared int64
	// Same indicates that the last search skipped a source that shares passages with
	// the document, because it has the same id.
	Same bool
}

// NewSearcher returns a searcher for an index.
func NewSearcher(x *Index, cfg SearchConfig) (*Searcher, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return &Searcher{x: x, cfg: cfg, al: aligner{cfg: cfg.Align}}, nil
}

// Search returns the passages of a document that are derived from sources, in document
// order. It returns the error of ctx soon after ctx is done.
func (s *Searcher) Search(ctx context.Context, id, text string) ([]Passage, error) {
	var all []found
	var err error
	s.Same = false
	at := 0
	sec := &s.sec
	sec.each(text, func() {
		if err != nil {
			return
		}
		s.progress(sec.base - at)
		at = sec.base
		all, err = s.compare(ctx, id, all)
	})
	if err != nil {
		return nil, err
	}
	s.progress(len(text) - at)
	return s.passages(id, text, s.cfg.Align.filter(all))
}

// compare appends the passages of the current section of document id to all.
func (s *Searcher) compare(ctx context.Context, id string, all []found) ([]found, error) {
	sections, err := s.candidates(&s.sec)
	if err != nil {
		return nil, err
	}
	numbered := false
	for _, n := range sections {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		doc, text, from, err := s.x.section(n)
		if err != nil {
			return nil, err
		}
		if !s.cfg.Self && id != "" {
			source, err := s.x.ID(doc)
			if err != nil {
				return nil, err
			}
			if source == id {
				s.Same = true
				continue
			}
		}
		if !numbered { // few sections are like any source
			s.sec.number(&s.cache.sorter)
			numbered = true
		}
		all = append(all, s.align(s.cache.get(n, text, from), doc)...)
	}
	return all, ctx.Err()
}

func (s *Searcher) progress(n int) {
	if s.cfg.Progress != nil {
		s.cfg.Progress(n)
	}
}

// align compares the current section of the suspicious document with a section of document doc
// of the sources.
func (s *Searcher) align(src *section, doc int) (out []found) {
	s.Compared++
	sec := &s.sec
	s.al.compare(sec, src)
	for _, part := range s.al.cluster(s.al.seeds()) {
		p, ok := s.al.piece(part)
		if !ok || p.evidence < s.cfg.Align.Evidence || p.shared < s.cfg.Align.Share {
			continue
		}
		if min(p.i2-p.i1, p.j2-p.j1) < s.cfg.Align.MinWords {
			continue
		}
		f := found{doc: doc, evidence: p.evidence, shared: p.shared}
		f.s1, f.s2 = sec.bytes(p.i1, p.i2)
		f.r1, f.r2 = src.bytes(p.j1, p.j2)
		out = append(out, f)
	}
	return out
}

// passages converts the found passages to passages with ids and code points.
func (s *Searcher) passages(id, text string, all []found) ([]Passage, error) {
	out := make([]Passage, 0, len(all))
	texts := map[int]string{} // of the sources
	for _, f := range all {
		src, err := s.x.Text(f.doc)
		if err != nil {
			return nil, err
		}
		source, err := s.x.ID(f.doc)
		if err != nil {
			return nil, err
		}
		if m := s.cfg.Align.MinChars; utf8.RuneCountInString(text[f.s1:f.s2]) < m || utf8.RuneCountInString(src[f.r1:f.r2]) < m {
			continue
		}
		out = append(out, Passage{
			Suspicious: id, SuspiciousStart: f.s1, SuspiciousEnd: f.s2,
			Source: source, SourceNumber: f.doc, SourceStart: f.r1, SourceEnd: f.r2, Score: f.shared,
		})
		texts[f.doc] = src
	}
	var places []*int
	of := map[int][]*int{}
	for i := range out {
		p := &out[i]
		places = append(places, &p.SuspiciousStart, &p.SuspiciousEnd)
		of[p.SourceNumber] = append(of[p.SourceNumber], &p.SourceStart, &p.SourceEnd)
	}
	codePoints(text, places)
	for doc, at := range of {
		codePoints(texts[doc], at)
	}
	sorts.Func(out, func(a, b Passage) int {
		return cmp.Or(a.SuspiciousStart-b.SuspiciousStart, a.SuspiciousEnd-b.SuspiciousEnd, cmp.Compare(a.Source, b.Source), a.SourceStart-b.SourceStart)
	})
	return out, nil
}

// filter merges passages found in parts, in overlapping sections. Unless All is set,
// it keeps the strongest of several sources of one piece.
func (c *AlignConfig) filter(all []found) []found {
	for n := -1; n != len(all); {
		n = len(all)
		all = merge(all)
	}
	sorts.Func(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.evidence, a.evidence), a.doc-b.doc, a.s1-b.s1, a.r1-b.r1)
	})
	if c.All {
		return all
	}
	var out []found
next:
	for _, f := range all {
		for _, o := range out {
			if 2*overlap(o.s1, o.s2, f.s1, f.s2) > min(f.s2-f.s1, o.s2-o.s1) {
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// merge merges passages of the same source that overlap on both sides.
func merge(all []found) []found {
	sorts.Func(all, func(a, b found) int {
		return cmp.Or(a.doc-b.doc, a.s1-b.s1, a.r1-b.r1, a.s2-b.s2, a.r2-b.r2)
	})
	var out []found
	first := 0 // of the document
next:
	for _, f := range all {
		if len(out) > 0 && out[len(out)-1].doc != f.doc {
			first = len(out)
		}
		for i := range out[first:] {
			o := &out[first+i]
			if overlap(o.s1, o.s2, f.s1, f.s2) > 0 && overlap(o.r1, o.r2, f.r1, f.r2) > 0 {
				weight := func(f *found) float64 { return float64(f.s2 - f.s1 + f.r2 - f.r1) }
				wo, wf := weight(o), weight(&f)
				o.shared = (float64(o.shared*wo) + float64(f.shared*wf)) / (wo + wf)
				o.s1, o.s2, o.r1, o.r2 = min(o.s1, f.s1), max(o.s2, f.s2), min(o.r1, f.r1), max(o.r2, f.r2)
				o.evidence += f.evidence
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// overlap returns the length of the intersection of two spans.
func overlap(a1, a2, b1, b2 int) int { return max(0, min(a2, b2)-max(a1, b1)) }
