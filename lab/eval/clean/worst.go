package clean

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/align"
	"chaffinch/internal/sorts"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// Bad is a page on which a system does badly.
type Bad struct {
	Set    *Set
	Gold   *Gold
	System string
	Score  *Score
	// Value is the figure by which the page was selected.
	Value float64
	// Median is the median of other systems, NaN if the page was not compared; see
	// [MeasureAgainst].
	Median float64
	// Reach is the fraction of the gold's words that the blocks of the page contain, NaN if the
	// blocks are unknown. Labels cannot exceed it.
	Reach float64
	// Dropped and Kept are the longest wrong blocks: dropped blocks of the gold, and kept blocks
	// that are not in the gold. If blocks are unknown, they are runs of words.
	Dropped, Kept []Excerpt

	output *Output
}

// Excerpt is a wrongly labelled piece of text.
type Excerpt struct {
	Words int
	Text  string
	// Block is the block with its score; nil for a run of words.
	Block *BlockNote
}

// Worst returns the n pages with the lowest value of the metric below 1, over all sets, of the
// system at index system of each view. Pages of equal value are ordered by the number of wrong
// words.
func Worst(views []View, system int, m Metric, n int) []Bad {
	var all []Bad
	for _, v := range views {
		if system >= len(v.Results) {
			continue
		}
		r := v.Results[system]
		for i, s := range r.Scores {
			if x := m.Page(s); x < 1 {
				all = append(all, Bad{Set: v.Set, Gold: v.Set.Pages[i], System: r.System, Score: s, Value: x, Median: math.NaN(), output: v.Outputs[system]})
			}
		}
	}
	wrong := func(b Bad) int { return b.Score.Words.FP + b.Score.Words.FN }
	sorts.StableFunc(all, func(a, b Bad) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(wrong(b), wrong(a)))
	})
	all = all[:min(n, len(all))]
	for i := range all {
		all[i].look()
	}
	return all
}

// ViewOf returns a view of only the given pages as one set, with the ids SET/ID.
func ViewOf(views []View, bad []Bad) []View {
	if len(bad) == 0 {
		return nil
	}
	v := View{Set: &Set{Set: &gold.Set{Name: fmt.Sprintf("worst %d pages of %s", len(bad), bad[0].System)}}}
	for _, r := range views[0].Results {
		v.Results = append(v.Results, &Result{Set: v.Set.Name, System: r.System})
		v.Outputs = append(v.Outputs, &Output{Name: r.System, Pages: map[string]Prediction{}})
	}
	for _, b := range bad {
		page := *b.Gold.Page
		page.ID = b.Set.Name + "/" + b.Gold.ID
		v.Set.Pages = append(v.Set.Pages, &Gold{Page: &page, variants: b.Gold.variants})
		from := views[slices.IndexFunc(views, func(v View) bool { return v.Set == b.Set })]
		at := slices.Index(b.Set.Pages, b.Gold)
		for i, r := range v.Results {
			// Systems are the same for all sets, except for systems without output on one.
			score := newScore(page.ID)
			if k := slices.IndexFunc(from.Results, func(x *Result) bool { return x.System == r.System }); k >= 0 {
				score = from.Results[k].Scores[at]
				v.Outputs[i].Pages[page.ID] = from.Outputs[k].Pages[b.Gold.ID]
			}
			r.Scores = append(r.Scores, score)
		}
	}
	for _, r := range v.Results {
		r.Values = summarise(r.Scores, Config{})
	}
	return []View{v}
}

// look finds the wrong pieces.
func (b *Bad) look() {
	p := b.output.Pages[b.Gold.ID]
	b.Reach = math.NaN()
	if p.Blocks != nil {
		b.blocks(p.Blocks)
	} else {
		b.runs(p.Text)
	}
	for _, list := range [][]Excerpt{b.Dropped, b.Kept} {
		sorts.StableFunc(list, func(x, y Excerpt) int { return cmp.Compare(y.Words, x.Words) })
	}
}

// blocks finds wrong blocks: kept blocks with less than half of their words aligned with the gold,
// and dropped blocks with at least half.
func (b *Bad) blocks(blocks []BlockNote) {
	texts := make([]string, len(blocks))
	for i := range blocks {
		texts[i] = blocks[i].Text
	}
	found, reach := inGold(texts, b.Gold.Text)
	b.Reach = reach
	for i, f := range found {
		switch e := (Excerpt{f.words, texts[i], &blocks[i]}); {
		case f.words == 0:
		case f.wanted() && !blocks[i].Kept:
			b.Dropped = append(b.Dropped, e)
		case !f.wanted() && blocks[i].Kept:
			b.Kept = append(b.Kept, e)
		}
	}
}

// runs finds runs of words that occur only in the prediction or only in the gold.
func (b *Bad) runs(text string) {
	var v align.Vocabulary
	got, want := alignmentWords(text), alignmentWords(b.Gold.Text)
	i, j := 0, 0
	end := align.Block{A: len(got), B: len(want)}
	for _, m := range append(align.Blocks(v.IDs(got), v.IDs(want)), end) {
		if m.A > i {
			b.Kept = append(b.Kept, Excerpt{m.A - i, strings.Join(got[i:m.A], " "), nil})
		}
		if m.B > j {
			b.Dropped = append(b.Dropped, Excerpt{m.B - j, strings.Join(want[j:m.B], " "), nil})
		}
		i, j = m.A+m.Len, m.B+m.Len
	}
}

const (
	// worstExcerpts is the number of excerpts of each kind that are printed for a page.
	worstExcerpts = 4
	// excerptChars is the number of characters of an excerpt that are printed.
	excerptChars = 100
)

// WriteWorst writes pages for reading in a terminal.
func WriteWorst(w io.Writer, bad []Bad, m Metric) error {
	out := bufio.NewWriter(w)
	for i, b := range bad {
		c := b.Score.Words
		fmt.Fprintf(out, "%3d. %s %s  %s %s", i+1, b.Set.Name, b.Gold.ID, m.Name, percent(b.Value, 1))
		if !math.IsNaN(b.Median) {
			fmt.Fprintf(out, ", median %s", percent(b.Median, 1))
		}
		fmt.Fprintf(out, "  lost %d of %d words, %d too many of %d", c.FN, c.TP+c.FN, c.FP, c.TP+c.FP)
		if !math.IsNaN(b.Reach) {
			fmt.Fprintf(out, "; blocks hold %s %% of the gold", percent(b.Reach, 0))
		}
		for _, f := range []string{"page_type", "lang", "url"} {
			if v := b.Gold.Field(f); v != "-" {
				fmt.Fprintf(out, "  %s", v)
			}
		}
		fmt.Fprintln(out)
		writeExcerpts(out, "dropped", b.Dropped)
		writeExcerpts(out, "kept", b.Kept)
	}
	return out.Flush()
}

func writeExcerpts(w io.Writer, what string, list []Excerpt) {
	for i, e := range list {
		if i == worstExcerpts {
			n := 0
			for _, e := range list[i:] {
				n += e.Words
			}
			fmt.Fprintf(w, "       %-7s %6d words in %d more\n", what, n, len(list)-i)
			return
		}
		fmt.Fprintf(w, "       %-7s %6d words", what, e.Words)
		if b := e.Block; b != nil {
			fmt.Fprintf(w, "  %.3g", b.Score)
			if b.Role != page.NoRole {
				fmt.Fprintf(w, " %s", b.Role)
			}
			fmt.Fprintf(w, "  %s", b.Path)
		}
		fmt.Fprintf(w, "  %s\n", shorten(e.Text, excerptChars))
	}
}

// shorten removes the middle of a text of more than n characters.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-n/3]) + " … " + string(r[len(r)-n/3:])
}

// placeLevels is the number of elements around a block in its path.
const placeLevels = 3

// place returns the elements around a block, the innermost last, with class and id.
func place(p *page.Page, b *page.Block) string {
	if len(p.Elements) == 0 {
		return b.Path
	}
	var names []string
	for i, n := b.Element, 0; i >= 0 && n < placeLevels; i, n = p.Elements[i].Parent, n+1 {
		e := &p.Elements[i]
		name := e.Name
		if e.ID != "" {
			name += "#" + e.ID
		}
		for _, c := range strings.Fields(e.Class) {
			name += "." + c
		}
		names = append(names, shorten(name, 60))
	}
	slices.Reverse(names)
	return strings.Join(names, " > ")
}
