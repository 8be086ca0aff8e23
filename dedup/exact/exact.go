// Package exact finds pages, paragraphs, sentences and addresses that are exactly the
// same. It normalises white space and, on request, case, digits and punctuation. [New]
// returns the method; [NormalizeURL] normalises addresses.
//
// The text of a unit is hashed to 128 bits (XXH3), so that two different units among
// 10^12 collide with a probability below 10^-14. One table is sorted by the hash. Of
// the units with the same hash, the unit in the best ranked document stays.
package exact

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/text/token"
)

// Config configures the comparison.
type Config struct {
	// Unit is "page", "paragraph", "sentence" or "url". With "sentence", a paragraph
	// is dropped if at least Percent of its text is in sentences seen before.
	Unit    string  `json:"unit"`
	Percent float64 `json:"percent"`
	// Fold lists differences to ignore: "case", "digits" (each run of digits is one 0)
	// and "punctuation".
	Fold []string `json:"fold,omitempty"`
	// MinWords is the minimum number of words of a unit to be compared; shorter units
	// stay.
	MinWords int `json:"min_unit_words,omitempty"`
	// WWW treats www.example.org and example.org as one host.
	WWW bool `json:"www,omitempty"`
}

// Default compares paragraphs verbatim except for white space.
var Default = Config{Unit: "paragraph", Percent: 100}

// Units lists the units, in the order of help.
var Units = []string{"page", "paragraph", "sentence", "url"}

// Method implements [dedup.Method].
type Method struct {
	cfg  Config
	fold fold
}

// New returns the method. It returns an error if cfg is invalid.
func New(cfg Config) (*Method, error) {
	m := &Method{cfg: cfg}
	if cfg.Percent <= 0 || cfg.Percent > 100 {
		return nil, fmt.Errorf("exact: percent %g, wanted more than 0 and at most 100", cfg.Percent)
	}
	if cfg.WWW && cfg.Unit != "url" {
		return nil, fmt.Errorf("exact: www is for the unit url, not %s", cfg.Unit)
	}
	if len(cfg.Fold) > 0 && cfg.Unit == "url" {
		return nil, errors.New("exact: fold is for text, not for the unit url")
	}
	for _, f := range cfg.Fold {
		switch f {
		case "case":
			m.fold.lower = true
		case "digits":
			m.fold.digits = true
		case "punctuation":
			m.fold.punct = true
		default:
			return nil, fmt.Errorf("exact: fold %q is not known: take of case, digits, punctuation", f)
		}
	}
	switch cfg.Unit {
	case "page", "paragraph", "sentence", "url":
	default:
		return nil, fmt.Errorf("exact: unit %q is not known: take one of %s", cfg.Unit, strings.Join(Units, ", "))
	}
	return m, nil
}

// Name returns the name of the method.
func (m *Method) Name() string { return "exact/1" }

// Config returns the configuration.
func (m *Method) Config() any { return m.cfg }

// sentences holds hash (16), document, paragraph, bytes of the sentence, and bytes of
// all sentences of the paragraph.
var sentences = dedup.Table{Name: "sentences", Record: 16 + dedup.DocBytes + dedup.ParaBytes + 8, Key: 16, Doc: 16}

// units holds hash (16), document, paragraph.
var units = dedup.Table{Name: "units", Record: 16 + dedup.DocBytes + dedup.ParaBytes, Key: 16, Doc: 16}

// Tables returns the only table of the method.
func (m *Method) Tables() []dedup.Table {
	if m.cfg.Unit == "sentence" {
		return []dedup.Table{sentences}
	}
	return []dedup.Table{units}
}

// Sketcher returns a new sketcher.
func (m *Method) Sketcher() dedup.Sketcher {
	return &sketcher{m: m}
}

type sketcher struct {
	m     *Method
	text  []byte
	spans []token.Span
	sums  []sentence
}

// Sketch emits a record for each unit.
func (s *sketcher) Sketch(d *records.Doc, num int64, emit func(int) []byte) {
	put := func(text []byte, para int) {
		sum := xxh3.Hash128(text).Bytes()
		rec := emit(0)
		copy(rec, sum[:])
		dedup.PutDoc(rec[16:], num)
		dedup.PutPara(rec[16+dedup.DocBytes:], int32(para))
	}
	switch s.m.cfg.Unit {
	case "url":
		if d.URL != "" {
			put([]byte(NormalizeURL(d.URL, s.m.cfg.WWW)), 0)
		}
	case "page":
		s.text = s.text[:0]
		words := 0
		for i := range d.Paras {
			var n int
			s.text, n = s.m.fold.append(s.text, d.Paras[i].Text)
			s.text = append(s.text, '\n')
			words += n
		}
		if words > 0 && words >= s.m.cfg.MinWords {
			put(s.text, 0)
		}
	case "sentence":
		for i := range d.Paras {
			s.sentences(d, i, num, emit)
		}
	default:
		for i := range d.Paras {
			var n int
			s.text, n = s.m.fold.append(s.text[:0], d.Paras[i].Text)
			if n > 0 && n >= s.m.cfg.MinWords {
				put(s.text, i)
			}
		}
	}
}

// Group marks all units with the same hash except the best ranked one.
func (m *Method) Group(ctx context.Context, g *dedup.Group) error {
	if m.cfg.Unit == "sentence" {
		return m.groupSentences(ctx, g)
	}
	why := dedup.Same
	if m.cfg.Unit == "url" {
		why = dedup.SameURL
	}
	whole := m.cfg.Unit == "page" || m.cfg.Unit == "url"
	return m.copies(ctx, g, units.Name, func(c *found) error {
		mark := dedup.Mark{Doc: c.doc, Para: c.para, Drop: !c.stays, Reason: why, First: c.best, Cluster: -1}
		if c.stays {
			mark.Reason, mark.First = dedup.Unique, -1
		} else {
			mark.Share = 1
		}
		if whole {
			mark.Para, mark.Cluster, mark.Size, mark.Similarity = dedup.Whole, c.best, int32(min(c.size, 1<<31-1)), 1
		} else if c.stays {
			return nil
		}
		return g.Mark(mark)
	})
}

// found is one of several units of the same text.
type found struct {
	rec    []byte
	doc    int64
	para   int32
	best   int64 // the document of the unit that stays
	stays  bool  // this unit stays
	size   int64 // units of that text
	worker int
}

// copies calls do for each unit that occurs more than once, in a table of units or
// sentences. The argument of do is valid until do returns.
func (m *Method) copies(ctx context.Context, g *dedup.Group, table string, do func(*found) error) error {
	return g.Groups(table, func(worker int, group *dedup.Records) error {
		if group.Len() < 2 {
			return nil
		}
		best, at, err := m.best(g, group)
		if err != nil {
			return err
		}
		c := found{best: best, size: int64(group.Len()), worker: worker}
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			c.rec, c.doc, c.para = rec, dedup.DocAt(rec[16:]), dedup.ParaAt(rec[16+dedup.DocBytes:])
			c.stays = c.doc == best && c.para == at
			if err := do(&c); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// best returns the document and the paragraph of the unit of a group that stays.
func (m *Method) best(g *dedup.Group, group *dedup.Records) (doc int64, para int32, err error) {
	doc = -1
	var rank int64
	for rec, err := range group.All() {
		if err != nil {
			return 0, 0, err
		}
		d := dedup.DocAt(rec[16:])
		if d == doc {
			continue // a later position in the same document
		}
		if r := g.Rank(d); doc < 0 || r < rank {
			doc, rank, para = d, r, dedup.ParaAt(rec[16+dedup.DocBytes:])
		}
	}
	return doc, para, nil
}

// IgnoresSingletons reports whether units that occur once are ignored: always true for the tables
// of this package.
func (m *Method) IgnoresSingletons(table string) bool {
	return table == units.Name || table == sentences.Name
}

// Divide returns ByKey, since each unit is marked independently. For sentences it
// returns ByCluster: the sentences of a paragraph are in all parts of the keys.
func (m *Method) Divide() dedup.Division {
	if m.cfg.Unit == "sentence" {
		return dedup.ByCluster
	}
	return dedup.ByKey
}

// KeepRecord reports whether the unit of a record stays and so is added to an index.
func (m *Method) KeepRecord(table string, record []byte, dropped func(para int32) bool) bool {
	return m.cfg.Unit == "page" || m.cfg.Unit == "url" || !dropped(dedup.ParaAt(record[16+dedup.DocBytes:]))
}
