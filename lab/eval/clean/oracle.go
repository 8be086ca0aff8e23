package clean

import (
	"context"

	"chaffinch/internal/align"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// found counts the words of a block and those in the gold.
type found struct{ words, gold int }

// wanted reports whether a block belongs to the text: at least half of its words are in the gold.
func (f found) wanted() bool { return f.words > 0 && 2*f.gold >= f.words }

// inGold aligns the words of the blocks of a page with the words of the gold. reach is the fraction
// of the gold's words in the blocks.
func inGold(blocks []string, gold string) (out []found, reach float64) {
	var v align.Vocabulary
	of := v.IDs(alignmentWordsOf(gold))
	var words []int32
	out = make([]found, len(blocks))
	for i, text := range blocks {
		n := len(words)
		words = append(words, v.IDs(alignmentWordsOf(text))...)
		out[i].words = len(words) - n
	}
	hit := make([]bool, len(words))
	hits := 0
	for _, m := range align.Blocks(words, of) {
		hits += m.Len
		for i := m.A; i < m.A+m.Len; i++ {
			hit[i] = true
		}
	}
	from := 0
	for i := range out {
		for _, h := range hit[from : from+out[i].words] {
			if h {
				out[i].gold++
			}
		}
		from += out[i].words
	}
	return out, float64(hits) / float64(max(1, len(of)))
}

// oracle labels blocks by their gold.
type oracle map[string]string

// Oracle returns a stage that keeps the blocks with at least half of their words in the gold, in
// its order. Labels of whole blocks cannot be much better.
func Oracle(s *Set) pipeline.Stage {
	o := oracle{}
	for _, g := range s.Pages {
		o[g.ID] = g.Text
	}
	return o
}

// OracleOf is [Oracle] for gold texts by page ID.
func OracleOf(gold map[string]string) pipeline.Stage { return oracle(gold) }

// Name returns "oracle/1".
func (oracle) Name() string { return "oracle/1" }

// Do labels the blocks.
func (o oracle) Do(_ context.Context, p *page.Page) error {
	texts := make([]string, len(p.Blocks))
	for i := range p.Blocks {
		texts[i] = p.Blocks[i].Text
	}
	in, _ := inGold(texts, o[p.ID])
	for i, f := range in {
		v := page.Verdict{By: o.Name(), Label: page.Bad, Score: float64(f.gold) / float64(max(1, f.words))}
		if f.wanted() {
			v.Label = page.Good
		}
		p.Blocks[i].Verdict = v
	}
	return nil
}
