package tag

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"chaffinch/format/conllu"
	"chaffinch/internal/cputime"
	"chaffinch/lab/eval/result"
	"chaffinch/text/tag"
	"chaffinch/text/token"
)

// Result holds the scores of a model on a treebank.
type Result struct {
	Name string
	// Gold is the score on the words of the treebank, Own on the tokens of our tokenizer.
	Gold, Own Score
	// Words is the number of words. Time is the processor time for tagging the words of the treebank.
	Words int
	Time  time.Duration
	// Tagged is the text with our tokens and tags.
	Tagged []*conllu.Sentence
}

// Speed returns the number of words that are tagged in a second of processor time.
func (r *Result) Speed() float64 { return float64(r.Words) / max(r.Time.Seconds(), 1e-6) }

// Read reads a treebank. name is the name of r in errors.
func Read(name string, r io.Reader) ([]*conllu.Sentence, error) {
	var list []*conllu.Sentence
	for s, err := range conllu.NewReader(name, r).All() {
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no sentence", name)
	}
	return list, nil
}

// Run scores a model on a treebank.
func Run(m *tag.Model, name string, gold []*conllu.Sentence) (*Result, error) {
	r := &Result{Name: name}
	found := r.tagWords(m, gold)
	score, err := compare(gold, found)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.Gold = *score
	r.Tagged = tagText(m, gold)
	if score, err = compare(gold, r.Tagged); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.Own = *score
	return r, nil
}

// tagWords tags the words of a treebank.
func (r *Result) tagWords(m *tag.Model, gold []*conllu.Sentence) []*conllu.Sentence {
	var words []tag.Token
	var lengths []int
	for _, s := range gold {
		n := len(words)
		for i := range s.Words {
			if s.Words[i].IsWord() {
				words = append(words, tag.Token{Form: s.Words[i].Form})
			}
		}
		lengths = append(lengths, len(words)-n)
	}
	r.Words = len(words)
	t := tag.NewTagger(m)
	begin := cputime.Used()
	rest := words
	for _, n := range lengths {
		t.TagWords(rest[:n])
		rest = rest[n:]
	}
	r.Time = cputime.Used() - begin
	out := make([]*conllu.Sentence, len(gold))
	for i, s := range gold {
		out[i] = &conllu.Sentence{Words: make([]conllu.Word, len(s.Words))}
		copy(out[i].Words, s.Words)
		for k := range out[i].Words {
			if w := &out[i].Words[k]; w.IsWord() {
				w.Lemma, w.UPOS, w.XPOS, w.Feats = column(words[0].Lemma), words[0].UPOS, column(words[0].XPOS), column(words[0].Feats)
				words = words[1:]
			}
		}
	}
	return out
}

func column(value string) string { return cmp.Or(value, "_") }

// tagText tokenizes and tags the text of a treebank.
func tagText(m *tag.Model, gold []*conllu.Sentence) []*conllu.Sentence {
	tokenizer := token.For(m.Config().Lang)
	t := tag.NewTagger(m)
	var out []*conllu.Sentence
	var b strings.Builder
	var words, sentences []token.Span
	flush := func() {
		text := b.String()
		b.Reset()
		words, sentences = tokenizer.Split(text, words[:0], sentences[:0])
		k := 0
		for _, s := range sentences {
			var forms []string
			var space []bool
			for ; k < len(words) && words[k].End <= s.End; k++ {
				forms = append(forms, text[words[k].Start:words[k].End])
				space = append(space, k+1 == len(words) || words[k+1].Start > words[k].End)
			}
			if len(forms) > 0 {
				out = append(out, conllu.Tagged(forms, space, t.Tag(nil, forms)))
			}
		}
	}
	for _, s := range gold {
		if s.Begins() {
			flush()
		}
		for _, t := range s.Tokens() {
			b.WriteString(t.Form)
			if t.Space {
				b.WriteByte(' ')
			}
		}
	}
	flush()
	for _, s := range out {
		for i := range s.Words {
			w := &s.Words[i]
			w.Lemma, w.XPOS, w.Feats = column(w.Lemma), column(w.XPOS), column(w.Feats)
		}
	}
	return out
}

// Tables returns a table for words of the treebanks and one for our tokens, with the means if there
// are several treebanks.
func Tables(list []*Result) []*result.Table {
	percent := func(name string) result.Column { return result.Column{Name: name, Unit: "%", Digits: 2} }
	gold := &result.Table{Task: "tag", Data: "gold tokens", Note: "F1 of the measures of CoNLL 2018 on the words of the treebank.",
		Columns: []result.Column{{Name: "words", Neutral: true}, percent("UPOS"), percent("XPOS"), percent("UFeats"), percent("AllTags"), percent("Lemmas")}}
	own := &result.Table{Task: "tag", Data: "own tokens", Note: "F1 of the measures of CoNLL 2018 on the tokens and sentences of our tokenizer.",
		Columns: []result.Column{percent("Tokens"), percent("Sentences"), percent("Words"), percent("UPOS"), percent("XPOS"), percent("UFeats"), percent("AllTags"), percent("Lemmas")}}
	for _, r := range list {
		g, o := &r.Gold, &r.Own
		addRow(gold, r.Name, float64(r.Words), g.UPOS.F(), g.XPOS.F(), g.Feats.F(), g.All.F(), g.Lemmas.F())
		addRow(own, r.Name, o.Tokens.F(), o.Sentences.F(), o.Words.F(), o.UPOS.F(), o.XPOS.F(), o.Feats.F(), o.All.F(), o.Lemmas.F())
	}
	if len(list) > 1 {
		addMean(gold)
		addMean(own)
	}
	return []*result.Table{gold, own}
}

func addRow(t *result.Table, name string, values ...float64) {
	row := result.Row{System: name}
	for _, v := range values {
		row.Values = append(row.Values, result.Figure{Value: v})
	}
	t.Rows = append(t.Rows, row)
}

// addMean adds the means of the columns.
func addMean(t *result.Table) {
	sums := make([]float64, len(t.Columns))
	for _, r := range t.Rows {
		for i, f := range r.Values {
			sums[i] += f.Value / float64(len(t.Rows))
		}
	}
	for i := range sums {
		sums[i] = math.Round(sums[i]*1e6) / 1e6
	}
	addRow(t, "mean", sums...)
}
