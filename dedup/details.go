package dedup

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/input/records"
	"chaffinch/page/weburl"
)

// Details holds the data of [Config.ReportFile] that [Report] does not count.
type Details struct {
	// Sites counts the text of each host. Further hosts are counted under "(others)",
	// documents without an address under "".
	Sites map[string]*SiteTally `json:"sites"`
	// Sizes counts the kept documents by the number of units dropped as their copies:
	// Sizes[i] counts those with 2^i to 2^(i+1)-1 copies.
	Sizes []int64 `json:"sizes"`
	// Samples are kept documents with some of their copies: the documents with the most
	// copies, then documents chosen by a hash.
	Samples []*Sample `json:"samples"`
}

// SiteTally counts the text of a host. Docs and Tokens count the input, DroppedDocs and
// DroppedTokens the text that was dropped.
type SiteTally struct {
	Docs          int64 `json:"docs"`
	Tokens        int64 `json:"tokens"`
	DroppedDocs   int64 `json:"dropped_docs"`
	DroppedTokens int64 `json:"dropped_tokens"`
}

// Sample is a kept document with some of the units that were dropped as its copies.
type Sample struct {
	// Kept is the number of the document, Copies the number of units dropped as its
	// copies.
	Kept   int64 `json:"kept"`
	Copies int64 `json:"copies"`
	// ID and URL identify the document. Text holds its beginning, "" for a document of an
	// index or a test set.
	ID   string `json:"id"`
	URL  string `json:"url,omitempty"`
	Text string `json:"text,omitempty"`
	// Dropped are some of the copies.
	Dropped []*Copy `json:"dropped"`
}

// Copy is a dropped unit.
type Copy struct {
	Doc  int64  `json:"doc"`
	Para int32  `json:"para"`
	ID   string `json:"id"`
	URL  string `json:"url,omitempty"`
	Why  string `json:"why"`
	// Share is the part that was seen in better ranked text, Similarity the similarity with
	// the kept document, 0 if the method does not compute it.
	Share      float32 `json:"share"`
	Similarity float32 `json:"similarity"`
	Text       string  `json:"text"`
}

// Bounds of the data of a report.
const (
	largestSamples = 6
	chosenSamples  = 10
	copiesOfSample = 3
	keptBytes      = 64 << 10 // of a kept document, to find a copied paragraph
	copyBytes      = 8 << 10  // of a copy
	quoteBytes     = 600
	nameBytes      = 300
	maxSites       = 1 << 14
	otherSites     = "(others)"
	maxGroups      = 1 << 17 // kept documents whose copies are counted at a time
)

// withMaps returns t, or new details if t is nil, with all maps.
func (t *Details) withMaps() *Details {
	if t == nil {
		t = new(Details)
	}
	if t.Sites == nil {
		t.Sites = map[string]*SiteTally{}
	}
	return t
}

// groups counts the dropped units by the document that stays in their place. If there are
// more than maxGroups, only documents with small hashes are counted.
type groups struct {
	copies map[int64]int64
	shift  int // a document is counted if its hash has this number of leading zeros
}

func hashOf(doc int64) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(doc))
	return xxh3.Hash(b[:])
}

func (g *groups) add(doc int64) {
	if bits.LeadingZeros64(hashOf(doc)) < g.shift {
		return
	}
	g.copies[doc]++
	for len(g.copies) > maxGroups {
		g.shift++
		for d := range g.copies {
			if bits.LeadingZeros64(hashOf(d)) < g.shift {
				delete(g.copies, d)
			}
		}
	}
}

// sizes returns [Details.Sizes].
func (g *groups) sizes() []int64 {
	var sizes []int64
	for _, n := range g.copies {
		class := bits.Len64(uint64(n)) - 1
		for len(sizes) <= class {
			sizes = append(sizes, 0)
		}
		sizes[class] += 1 << g.shift
	}
	return sizes
}

// samples returns the documents with the most copies, then others chosen by their hash.
func (g *groups) samples() []*Sample {
	var list []*Sample
	for doc, n := range g.copies {
		list = append(list, &Sample{Kept: doc, Copies: n})
	}
	byHash := func(a, b *Sample) int { return cmp.Compare(hashOf(a.Kept), hashOf(b.Kept)) }
	slices.SortFunc(list, func(a, b *Sample) int { return cmp.Or(cmp.Compare(b.Copies, a.Copies), byHash(a, b)) })
	rest := list[min(len(list), largestSamples):]
	slices.SortFunc(rest, byHash)
	return list[:min(len(list), largestSamples+chosenSamples)]
}

// keptOf returns the number of the document that stays in place of a dropped unit, -1 if
// there is none.
func keptOf(m *Mark) int64 {
	switch {
	case !m.Drop:
		return -1
	case m.Cluster >= 0:
		return m.Cluster
	}
	return m.First
}

// eachMark calls fn for all marks.
func (r *run) eachMark(fn func(m *Mark)) error {
	for rec, err := range r.scan(marksTable.Name, r.plan.merge, nil, nil) {
		if err != nil {
			return err
		}
		var m Mark
		m.get(rec)
		fn(&m)
	}
	return nil
}

// details counts the groups and chooses the samples.
func (r *run) details() (*Details, error) {
	g := groups{copies: map[int64]int64{}}
	if err := r.eachMark(func(m *Mark) {
		if kept := keptOf(m); kept >= 0 {
			g.add(kept)
		}
	}); err != nil {
		return nil, err
	}
	t := (&Details{Sizes: g.sizes(), Samples: g.samples()}).withMaps()
	of := map[int64]*Sample{}
	for _, s := range t.Samples {
		of[s.Kept] = s
	}
	rank := func(c *Copy) uint64 { return hashOf(c.Doc<<20 ^ int64(c.Para)) }
	return t, r.eachMark(func(m *Mark) {
		s := of[keptOf(m)]
		if s == nil {
			return
		}
		c := &Copy{Doc: m.Doc, Para: m.Para, Why: m.Reason.String(), Share: m.Share, Similarity: m.Similarity}
		at, _ := slices.BinarySearchFunc(s.Dropped, c, func(a, b *Copy) int { return cmp.Compare(rank(a), rank(b)) })
		s.Dropped = slices.Insert(s.Dropped, at, c)
		s.Dropped = s.Dropped[:min(len(s.Dropped), copiesOfSample)]
	})
}

// detailer collects the details during the second reading.
type detailer struct {
	*Details
	kept   map[int64]*Sample
	copies map[int64][]*Copy
}

// newDetailer returns a detailer that continues the details of a checkpoint.
func (r *run) newDetailer(rep *Result, id func(doc int64) (string, error)) (*detailer, error) {
	fresh, err := r.details()
	if err != nil {
		return nil, err
	}
	if old := rep.Details; old != nil {
		fresh.Sites = old.withMaps().Sites
		for i, s := range fresh.Samples {
			if i < len(old.Samples) && s.takes(old.Samples[i]) {
				fresh.Samples[i] = old.Samples[i]
			}
		}
	}
	rep.Details = fresh
	d := &detailer{fresh, map[int64]*Sample{}, map[int64][]*Copy{}}
	namer, named := r.cfg.Method.(Namer)
	for _, s := range fresh.Samples {
		switch {
		case named:
			s.ID = clip(namer.NameFirst(s.Kept), nameBytes)
		case s.Kept < r.m.Indexed:
			name, err := id(s.Kept)
			if err != nil {
				return nil, err
			}
			s.ID = clip(name, nameBytes)
		default:
			d.kept[s.Kept] = s
		}
		for _, c := range s.Dropped {
			d.copies[c.Doc] = append(d.copies[c.Doc], c)
		}
	}
	return d, nil
}

// takes reports whether old is the same sample as s.
func (s *Sample) takes(old *Sample) bool {
	if old == nil || s.Kept != old.Kept || s.Copies != old.Copies || len(s.Dropped) != len(old.Dropped) {
		return false
	}
	for i, c := range s.Dropped {
		if o := old.Dropped[i]; o == nil || c.Doc != o.Doc || c.Para != o.Para {
			return false
		}
	}
	return true
}

// add adds a document after the editor has decided on it.
func (t *detailer) add(d *records.Doc, num int64, e *editor) {
	t.site(d, e)
	if s := t.kept[num]; s != nil {
		s.ID, s.URL, s.Text = clip(d.ID, nameBytes), clipURL(d.URL), textOf(d, Whole, keptBytes)
	}
	for _, c := range t.copies[num] {
		c.ID, c.URL, c.Text = clip(d.ID, nameBytes), clipURL(d.URL), textOf(d, c.Para, copyBytes)
	}
}

func (t *detailer) site(d *records.Doc, e *editor) {
	host := hostOf(d.URL)
	s := t.Sites[host]
	if s == nil && len(t.Sites) >= maxSites {
		host = otherSites
		s = t.Sites[host]
	}
	if s == nil {
		s = new(SiteTally)
		t.Sites[strings.Clone(host)] = s
	}
	s.Docs++
	if !e.stays {
		s.DroppedDocs++
	}
	for i, n := range e.tokens {
		s.Tokens += int64(n)
		if !e.stays || i < len(e.paras) && e.paras[i].Drop {
			s.DroppedTokens += int64(n)
		}
	}
}

func hostOf(address string) string {
	u, err := weburl.Parse(address, nil)
	if err != nil {
		return ""
	}
	return u.Host()
}

// textOf returns the first bytes of a paragraph, or of all paragraphs as lines.
func textOf(d *records.Doc, para int32, most int) string {
	var b []byte
	for i := range d.Paras {
		p := &d.Paras[i]
		if para != Whole && int(para) != i || len(b) > most {
			continue
		}
		text := p.Text
		if d.Tokenized {
			text = p.Running(nil)
		}
		if len(b) > 0 {
			b = append(b, '\n')
		}
		b = append(b, text[:min(len(text), most+1)]...)
	}
	return clip(strings.ToValidUTF8(string(b), "\ufffd"), most)
}

// clip returns the first bytes of s up to a full character.
func clip(s string, most int) string {
	if len(s) <= most {
		return strings.Clone(s)
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return strings.Clone(s[:most])
}

// clipURL returns an address, "" if it is too long to be shown.
func clipURL(s string) string {
	if len(s) > 4*nameBytes {
		return ""
	}
	return strings.Clone(s)
}
