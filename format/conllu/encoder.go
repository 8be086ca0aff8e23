package conllu

import (
	"cmp"
	"strconv"
	"strings"
	"sync"

	"chaffinch/page"
	"chaffinch/text/tag"
	"chaffinch/text/token"
)

// Encoder writes the kept text of pages as CoNLL-U: a document for each page, a paragraph for each
// block. Tokens are words; without Tags their other columns are unspecified.
type Encoder struct {
	// Tokens tokenizes the text. If nil, only the rules of each language are used.
	Tokens *token.Family
	// Tags adds lemmas, parts of speech and features. If nil, there are none.
	Tags *tag.Set
}

// buffers are the reused buffers of an encoder.
type buffers struct {
	sentences, words []token.Span
	forms            []string
	spaces           []bool
	tagged           []tag.Token
}

var pool = sync.Pool{New: func() any { return new(buffers) }}

// Append appends the sentences of p to dst, nothing for a dropped page.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None {
		return dst
	}
	b := pool.Get().(*buffers)
	defer pool.Put(b)
	id := cmp.Or(oneLine(p.ID), "doc")
	n := 0
	for i := range p.Blocks {
		block := &p.Blocks[i]
		text := block.Kept()
		lang := block.Lang
		if lang == "" || lang == page.UnknownLang {
			lang = p.Lang
		}
		tok := e.Tokens.For(lang)
		tagger, done := e.tagger(lang, p.Lang)
		b.sentences = tok.Sentences(text, b.sentences[:0])
		par := true
		for _, s := range b.sentences {
			sentence := e.sentence(b, tok, tagger, text[s.Start:s.End])
			if len(sentence.Words) == 0 {
				continue
			}
			if n++; n == 1 {
				sentence.Comments = append(sentence.Comments, "# newdoc id = "+id)
			}
			if par {
				sentence.Comments = append(sentence.Comments, "# newpar")
				par = false
			}
			sentence.Comments = append(sentence.Comments, "# sent_id = "+id+"-"+strconv.Itoa(n), "# text = "+oneLine(text[s.Start:s.End]))
			dst = sentence.Append(dst)
		}
		done()
	}
	return dst
}

// tagger returns the tagger of a language, or else of the document's language, or nil.
func (e Encoder) tagger(lang, doc string) (t *tag.Tagger, done func()) {
	if e.Tags == nil {
		return nil, func() {}
	}
	t, done, err := e.Tags.Tagger(lang, doc)
	if err != nil {
		panic(err) // the set has checked its models
	}
	return t, done
}

// sentence tokenizes and tags a sentence.
func (e Encoder) sentence(b *buffers, tok *token.Tokenizer, tagger *tag.Tagger, text string) *Sentence {
	b.words = tok.Words(text, b.words[:0])
	b.forms, b.spaces = b.forms[:0], b.spaces[:0]
	for i, w := range b.words {
		if w.Start == w.End {
			continue
		}
		next := len(text)
		if i+1 < len(b.words) {
			next = b.words[i+1].Start
		}
		b.forms = append(b.forms, oneLine(text[w.Start:w.End]))
		b.spaces = append(b.spaces, w.End < next || i+1 == len(b.words))
	}
	b.tagged = b.tagged[:0]
	if tagger != nil {
		b.tagged = tagger.Tag(b.tagged, b.forms)
	} else {
		for i, f := range b.forms {
			b.tagged = append(b.tagged, tag.Token{Form: f, Index: i})
		}
	}
	return Tagged(b.forms, b.spaces, b.tagged)
}

// oneLine returns s with single spaces for white space and control characters.
func oneLine(s string) string {
	clean := func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(clean, s)), " ")
}
