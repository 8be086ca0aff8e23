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

// FromPagesConfig says how pages with gold text become documents of labelled
// lines.
type FromPagesConfig struct {
	// LeastReach is the share of the gold's words that must stand in the page's
	// lines; a page with less is left out, since its gold is that of another page
	// or of another state of it.
	LeastReach float32 `json:"least_reach"`
	// LeastShare is the share of a line's words that must stand in the gold for
	// it to be text.
	LeastShare float32 `json:"least_share"`
	// Comments takes readers' comments for text too, where the set has them
	// apart from its gold: annotators of lines keep them.
	Comments bool `json:"comments"`
	// MostLines is the number of lines above which a page is left out, 0 for
	// any: pages of lists would outweigh all others.
	MostLines int `json:"most_lines"`
}

// DefaultFromPages is the configuration that training takes.
var DefaultFromPages = FromPagesConfig{LeastReach: .8, LeastShare: .5, Comments: true}

// FromPagesReport counts what was made and what was left out.
type FromPagesReport struct {
	// Pages became documents, with these lines, of which Text are text.
	Pages, Lines, Text int
	// Unfit pages are known not to fit their gold ([Page.Fits]), Bare ones have
	// an empty gold, Far ones hold too small a part of it, Empty ones no text,
	// Long ones too many lines.
	Unfit, Bare, Far, Empty, Long int
	// Ambiguous lines stand on the page several times and in the gold less often, so
	// that nobody knows which is meant. They are left out of their documents.
	Ambiguous int
}

// String tells the counts in one line.
func (r FromPagesReport) String() string {
	return fmt.Sprintf("%d pages, %d lines, %d of them text; left out: %d pages whose gold does not fit, %d without gold, %d with too little of their gold, %d without text, %d with too many lines, %d lines that stand on their page more often than in the gold",
		r.Pages, r.Lines, r.Text, r.Unfit, r.Bare, r.Far, r.Empty, r.Long, r.Ambiguous)
}

// FromPages labels the lines of the pages of a collection, their visible blocks,
// by the gold of each page. The ids are SET/ID, which tells the convention of the gold;
// languages are those of the pages. Lines that no alignment can label are left
// out. The order is that of the collection.
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

// Doc makes the document of one page, nil if it is left out, and its report.
func (cfg FromPagesConfig) Doc(it *Item) (d *LineDoc, r FromPagesReport) {
	if !it.Gold.Fits(it.Set.Name) {
		r.Unfit++
		return nil, r
	}
	if strings.TrimSpace(it.Gold.Text) == "" {
		r.Bare++
		return nil, r
	}
	lines := PageLines(it.Page)
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

// SampleLineDocs returns n of the documents, all if there are no more, chosen by
// the hash of their ids and in their order.
func SampleLineDocs(docs []*LineDoc, n int) []*LineDoc {
	if n >= len(docs) {
		return docs
	}
	key := make(map[*LineDoc]uint64, len(docs))
	for _, d := range docs {
		key[d] = bits.Reverse64(fnv(fnvStart, d.ID))
	}
	byKey := slices.Clone(docs)
	slices.SortFunc(byKey, func(a, b *LineDoc) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a.ID, b.ID)) })
	last := key[byKey[n]]
	return slices.DeleteFunc(slices.Clone(docs), func(d *LineDoc) bool { return key[d] >= last })
}

// PageLines returns the lines of the blocks that a page shows, without empty ones and
// without the white space behind them. A block of code has several.
func PageLines(p *page.Page) []string {
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

// labelLines labels the lines of a page by its gold text: text are those of
// which at least the share least of the words stands in a longest common
// subsequence of both. There may be several, so the lines are aligned from the
// top and from the bottom, and text is what is text in both. A line is not
// clear if the two differ on it and another line has the same words: one of them
// is text, and nothing tells which. reach is the share of the gold's words that
// the lines hold.
func labelLines(lines []string, gold string, least float32) (labels, clear []bool, reach float32) {
	a := align.NewPieces(lines, gold)
	first, reach := a.Shares(false)
	last, _ := a.Shares(true)
	labels, clear = make([]bool, len(lines)), make([]bool, len(lines))
	differ := map[string]int{} // lines of these words on which the alignments differ
	text := func(s align.Share) bool { return s.Words > 0 && s.Of() >= least }
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
