package vertical

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"chaffinch/internal/report"
	"chaffinch/page"
	postag "chaffinch/text/tag"
)

// Models adds columns to a vertical by models of package tag: each sentence is tagged by the model of
// its language, the attribute lang of its paragraph or document. The columns stay empty for languages
// without a model. A multiword token has the values of its words, joined by "+".
type Models struct {
	Set *postag.Set
	// Lang is the language of documents without the attribute lang. Default: "", unknown.
	Lang string
	// Workers is the number of goroutines. It does not affect the output. Default: one per processor.
	Workers int
}

// ModelColumns are the columns that [Models] and [Encoder] add: lemma, universal part of speech, tag
// of the treebank, features, and lemma with part of speech, such as take-v.
var ModelColumns = []string{"lemma", "pos", "tag", "feats", "lempos"}

// modelBatch is the number of tokens of a batch.
const modelBatch = 10_000

// Check returns an error if there are no models.
func (m *Models) Check() error {
	if m.Set == nil {
		return errors.New("tagger: no models")
	}
	return nil
}

// Names returns [ModelColumns].
func (*Models) Names() []string { return ModelColumns }

// Tag reads a vertical and writes it with the columns.
func (m *Models) Tag(ctx context.Context, out io.Writer, r *Reader) (rep TaggerReport, err error) {
	if err := m.Check(); err != nil {
		return rep, err
	}
	work := func(_ context.Context, b *batch) error { return m.tag(b) }
	err = annotate(ctx, out, r, m.Workers, modelBatch, len(ModelColumns), work, func(b *batch) {
		b.count(&rep)
		for lang, n := range b.report.Untagged {
			if rep.Untagged == nil {
				rep.Untagged = map[string]int64{}
			}
			rep.Untagged[lang] += n
		}
	})
	return rep, err
}

// tag fills the rows of a batch.
func (m *Models) tag(b *batch) error {
	b.rows = make([]row, len(b.ends))
	text := string(b.words)
	var tokens []string
	var words []postag.Token
	for i := 0; i < len(b.sents); {
		first, end := &b.sents[i], i+1
		for end < len(b.sents) && b.sents[end].lang == first.lang && b.sents[end].docLang == first.docLang {
			end++
		}
		sents := b.sents[i:end]
		i = end
		lang := cmp.Or(first.lang, m.Lang)
		t, done, err := m.Set.Tagger(lang, first.docLang)
		if err != nil {
			return err
		}
		if t == nil {
			if b.report.Untagged == nil {
				b.report.Untagged = map[string]int64{}
			}
			b.report.Untagged[lang] += int64(sents[len(sents)-1].end - sents[0].first)
			continue
		}
		for _, s := range sents {
			tokens = tokens[:0]
			for k := s.first; k < s.end; k++ {
				tokens = append(tokens, text[b.starts[k]:b.starts[k+1]])
			}
			words = t.Tag(words[:0], tokens)
			for w := 0; w < len(words); {
				n := max(words[w].Parts, 1)
				from := len(b.text)
				b.text = appendColumns(b.text, words[w:w+n])
				b.rows[s.first+words[w].Index] = row{from, len(b.text)}
				w += n
			}
		}
		done()
	}
	return nil
}

// appendColumns appends [ModelColumns] of a token, which consists of words, each after a tab.
func appendColumns(dst []byte, words []postag.Token) []byte {
	for c := range ModelColumns {
		dst = append(dst, '\t')
		for k := range words {
			if k > 0 {
				dst = append(dst, '+')
			}
			w := &words[k]
			switch c {
			case 0:
				dst = appendField(dst, w.Lemma, false)
			case 1:
				dst = append(dst, w.UPOS...)
			case 2:
				dst = append(dst, w.XPOS...)
			case 3:
				dst = append(dst, w.Feats...)
			case 4:
				if w.Lemma != "" {
					dst = appendField(dst, w.Lemma, false)
					dst = append(dst, '-', lemposLetter(w.UPOS))
				}
			}
		}
	}
	return dst
}

// Warnings describes the languages without a model.
func (r *TaggerReport) Warnings() (lines []string) {
	for _, lang := range slices.Sorted(maps.Keys(r.Untagged)) {
		lines = append(lines, fmt.Sprintf("no tagger for the language %q: %s tokens have no lemma and part of speech (docs/guides/tagger.md)", cmp.Or(lang, page.UnknownLang), report.Grouped(r.Untagged[lang])))
	}
	return lines
}

// lemposLetter returns the letter of a part of speech in the attribute lempos, as in Sketch Engine.
func lemposLetter(upos string) byte {
	switch upos {
	case "NOUN", "PROPN":
		return 'n'
	case "VERB", "AUX":
		return 'v'
	case "ADJ":
		return 'j'
	case "ADV":
		return 'a'
	case "PRON":
		return 'd'
	case "ADP":
		return 'i'
	case "CCONJ", "SCONJ":
		return 'c'
	case "NUM":
		return 'm'
	}
	return 'x'
}
