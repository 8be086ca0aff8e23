package gold

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"chaffinch/internal/align"
	"chaffinch/page"
)

// FromPagesConfig configures [FromPages].
type FromPagesConfig struct {
	// LeastReach is the minimum fraction of the gold's words that occur in the page's lines. Other
	// pages are omitted, since their gold belongs to another page or version.
	LeastReach float32 `json:"least_reach"`
	// LeastShare is the minimum fraction of the words of a text line that occur in the gold.
	LeastShare float32 `json:"least_share"`
	// Comments also labels readers' comments as text if the set has them separately from its gold:
	// annotators of lines keep them.
	Comments bool `json:"comments"`
	// MostLines is the maximum number of lines of a page, 0 for no limit. Longer pages are omitted,
	// since pages of lists would dominate.
	MostLines int `json:"most_lines"`
}

// DefaultFromPages is the configuration for training.
var DefaultFromPages = FromPagesConfig{LeastReach: .8, LeastShare: .5, Comments: true}

// FromPagesReport counts the resulting documents and the omitted pages.
type FromPagesReport struct {
	// Pages is the number of documents, Lines the number of their lines, Text the number of text
	// lines.
	Pages, Lines, Text int
	// Unfit pages do not belong to their gold ([Page.Fits]). Bare pages have an empty gold. Far
	// pages contain too little of it, Empty pages have no text, and Long pages have too many lines.
	Unfit, Bare, Far, Empty, Long int
	// Ambiguous counts lines that occur on the page more often than in the gold, so that the right
	// occurrence is unknown. They are omitted from their documents.
	Ambiguous int
}

// String returns the counts on one line.
func (r FromPagesReport) String() string {
	return fmt.Sprintf("%d pages, %d lines, %d of them text; left out: %d pages whose gold does not fit, %d without gold, %d with too little of their gold, %d without text, %d with too many lines, %d lines that occur more often on their page than in the gold",
		r.Pages, r.Lines, r.Text, r.Unfit, r.Bare, r.Far, r.Empty, r.Long, r.Ambiguous)
}

// FromPages labels the lines of the pages of a collection, their visible blocks, by the gold of
// each page. The ids are SET/ID, where the set determines the convention of the gold. Lines with an
// ambiguous alignment are omitted. Documents are in the order of the collection.
func FromPages(c *Collection, cfg FromPagesConfig) ([]*LineDoc, FromPagesReport) {
	var docs []*LineDoc
	var r FromPagesReport
	for _, it := range c.Items {
		d, one := cfg.Doc(it)
		if r.add(one); d != nil {
			docs = append(docs, d)
		}
	}
	return docs, r
}

func (r *FromPagesReport) add(o FromPagesReport) {
	r.Pages += o.Pages
	r.Lines += o.Lines
	r.Text += o.Text
	r.Unfit += o.Unfit
	r.Bare += o.Bare
	r.Far += o.Far
	r.Empty += o.Empty
	r.Long += o.Long
	r.Ambiguous += o.Ambiguous
}

// Doc returns the document of a page, nil if it is omitted, and its report.
func (cfg FromPagesConfig) Doc(it *Item) (d *LineDoc, r FromPagesReport) {
	if !it.Gold.Fits(it.Set.Name) {
		r.Unfit++
		return nil, r
	}
	if strings.TrimSpace(it.Gold.Text) == "" {
		r.Bare++
		return nil, r
	}
	lines := pageLines(it.Page)
	if len(lines) == 0 {
		r.Empty++
		return nil, r
	}
	if cfg.MostLines > 0 && len(lines) > cfg.MostLines {
		r.Long++
		return nil, r
	}
	text := it.Gold.Text
	if cfg.Comments && it.Gold.Commented {
		text += "\n" + it.Gold.Comments
	}
	labels, clear, reach := labelLines(lines, text, cfg.LeastShare)
	if reach < cfg.LeastReach {
		r.Far++
		return nil, r
	}
	d = &LineDoc{ID: it.Set.Name + "/" + it.Gold.ID, Lang: it.Page.Lang}
	for i, l := range lines {
		if !clear[i] {
			r.Ambiguous++
			continue
		}
		d.Lines, d.Labels = append(d.Lines, l), append(d.Labels, labels[i])
		if labels[i] {
			r.Text++
		}
	}
	r.Pages++
	r.Lines = len(d.Lines)
	return d, r
}

// SampleLineDocs returns n of the documents, or all if there are fewer, selected by the hash of
// their ids, in their order.
func SampleLineDocs(docs []*LineDoc, n int) []*LineDoc {
	if n >= len(docs) {
		return docs
	}
	key := make(map[*LineDoc]uint64, len(docs))
	for _, d := range docs {
		key[d] = bits.Reverse64(fnv(d.ID))
	}
	byKey := slices.Clone(docs)
	slices.SortFunc(byKey, func(a, b *LineDoc) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a.ID, b.ID)) })
	last := key[byKey[n]]
	return slices.DeleteFunc(slices.Clone(docs), func(d *LineDoc) bool { return key[d] >= last })
}

// pageLines returns the lines of the visible blocks of a page, without empty lines and trailing
// white space. A block of code has several lines.
func pageLines(p *page.Page) []string {
	var lines []string
	for i := range p.Blocks {
		if p.Blocks[i].Hidden {
			continue
		}
		for l := range strings.Lines(p.Blocks[i].Text) {
			if l = strings.TrimRight(l, " \t\r\n"); l != "" {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// labelLines labels the lines of a page by its gold text. Text lines have at least the fraction
// least of their words on a longest common subsequence of both. Since there may be several, the
// lines are aligned from the top and from the bottom, and a text line must be text in both
// alignments. A line is not clear if the two alignments differ on it and another line has the same
// words: then only one of the lines is text, and it is unknown which. reach is the fraction of the
// gold's words that the lines contain.
func labelLines(lines []string, gold string, least float32) (labels, clear []bool, reach float32) {
	a := align.NewPieces(lines, gold)
	first, reach := a.Shares(false)
	last, _ := a.Shares(true)
	labels, clear = make([]bool, len(lines)), make([]bool, len(lines))
	differ := map[string]int{} // by words, the number of lines on which the alignments differ
	text := func(s align.Share) bool { return s.Words > 0 && s.Fraction() >= least }
	for i, l := range lines {
		labels[i] = text(first[i]) && text(last[i])
		if clear[i] = text(first[i]) == text(last[i]); !clear[i] {
			differ[strings.ToLower(l)]++
		}
	}
	for i, l := range lines {
		clear[i] = clear[i] || differ[strings.ToLower(l)] < 2
	}
	return labels, clear, reach
}
