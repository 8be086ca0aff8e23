package vertical

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"chaffinch/format/tree"
	"chaffinch/internal/hostname"
	"chaffinch/internal/runes"
	_ "chaffinch/model/data/segmenters" // a token is a word in every language
	"chaffinch/page"
	postag "chaffinch/text/tag"
	"chaffinch/text/token"
)

// Encoder writes pages as a vertical. Each page is a <doc> with attributes, each block (or
// row of a data table) a <p>, each sentence an <s>, and each token a line. <g/> joins tokens
// without a blank between them, and <sp s="..."/> holds white space other than one space.
// [Blocks] restores the text of each block byte for byte.
type Encoder struct {
	// Annotate also writes dropped pages and bad blocks.
	Annotate bool
	// Tokens tokenizes the text. If nil, only the rules of each language are used.
	Tokens *token.Family
	// Tags adds the columns of [ModelColumns], by the models of these languages. If nil, there is
	// only the word.
	Tags *postag.Set
}

// maxToken is the length in bytes at which a token is split into parts joined by <g/>.
// Lucene accepts at most 32,766 bytes and Manatee 32,767; readers expect much less.
const maxToken = 4096

// maxValue is the length in bytes at which the value of an attribute is truncated. Manatee
// accepts 32,767.
const maxValue = 32767

// Append appends the <doc> of p to dst. It appends nothing for a page without a token, nor
// for a dropped page unless annotated.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !e.Annotate {
		return dst
	}
	begin := len(dst)
	w := newWriter(e.Tokens, e.Tags)
	defer w.free()
	dst = e.head(dst, p)
	head := len(dst)
	for i := 0; i < len(p.Blocks); {
		b := paragraphAt(p, i, e.Annotate)
		dst = e.paragraph(w, dst, p, b)
		i = b.next
	}
	if len(dst) == head && !e.Annotate {
		return dst[:begin] // two empty documents would have the same position
	}
	return append(dst, "</doc>\n"...)
}

// head appends the tag of the document.
func (e Encoder) head(dst []byte, p *page.Page) []byte {
	chars := 0
	for i := range p.Blocks {
		chars += runes.Count(p.Blocks[i].Kept())
	}
	dst = append(dst, "<doc"...)
	for _, a := range []struct{ name, value string }{
		{"id", p.ID},
		{"url", p.URL},
		{"urldomain", domain(p.URL)},
		{"title", p.Meta.Title},
		{"author", strings.Join(p.Meta.Authors, "; ")},
		{"lang", p.Lang},
		{"declared_lang", p.Meta.Lang},
		{"date", p.Meta.Date},
		{"crawl_date", p.Meta.Fetched},
		{"license", p.Meta.License},
		{"optout", p.Meta.Optout},
		{"translated", p.Meta.Translated},
		{"charset", p.Charset},
		{"file_type", p.MIME},
		{"length", sizeClass(chars)},
		{"words", strconv.Itoa(token.CountPage(p).WordsKept)},
		{"file", p.Source.File},
		{"offset", strconv.FormatInt(p.Source.Offset, 10)},
		{"record", p.Source.Record},
		{"confidence", share(p.Confidence)},
		{"confidence_policy", p.ConfidencePolicy},
		{"page_type", p.Type},
		{"page_type_confidence", share(p.TypeConfidence)},
		{"register", strings.Join(p.Registers, tree.RegisterSeparator)},
		{"drop", p.Drop.String()},
		{"cut", p.Cut.String()},
	} {
		dst = value(dst, a.name, a.value)
	}
	dst = fields(dst, p, value)
	return append(dst, ">\n"...)
}

// domain returns the host of an address without www., the usual unit of sources in corpora.
func domain(address string) string { return strings.TrimPrefix(hostname.Of(address), "www.") }

// value appends an attribute as one line, trimmed and truncated to the limit of Manatee. It
// omits empty values.
func value(dst []byte, name, v string) []byte {
	if isPlain(v) { // as nearly all values of paragraphs
		if v == "" {
			return dst
		}
		dst = append(append(dst, ' '), name...)
		dst = append(append(dst, '=', '"'), v...)
		return append(dst, '"')
	}
	if v = strings.TrimSpace(v); v == "" {
		return dst
	}
	if strings.ContainsFunc(v, isControl) {
		v = strings.Map(func(r rune) rune {
			if isControl(r) {
				return ' '
			}
			return r
		}, v)
	}
	if len(v) > maxValue {
		v = v[:cut(v, maxValue)]
	}
	dst = append(dst, ' ')
	dst = append(dst, name...)
	dst = append(dst, '=')
	// File names and addresses may contain any bytes.
	return appendValue(dst, strings.ToValidUTF8(v, "\ufffd"))
}

// isPlain reports whether a value is short and all its bytes are written unchanged.
func isPlain(v string) bool {
	for i := range len(v) {
		if special[v[i]]&4 != 0 {
			return false
		}
	}
	return len(v) < maxValue
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// paragraph appends the <p> of b, if it has a token.
func (e Encoder) paragraph(w *writer, dst []byte, p *page.Page, b para) []byte {
	lang := b.Lang
	if !known(lang) {
		lang = p.Lang
	}
	begin := len(dst)
	dst = append(dst, "<p"...)
	heading := "0"
	if b.Kind == page.Heading {
		heading = "1"
	}
	dst = value(dst, "heading", heading)
	dst = value(dst, "class", b.Label.String())
	dst = value(dst, "role", b.Role.String())
	dst = value(dst, "kind", b.kind)
	dst = value(dst, "lang", b.Lang)
	if e.Annotate {
		dst = value(dst, "score", strconv.FormatFloat(b.Score, 'g', 6, 64))
		dst = value(dst, "why", b.Reason)
		if b.Hidden {
			dst = value(dst, "hidden", "1")
		}
	}
	dst = append(dst, ">\n"...)
	w.use(lang, p.Lang)
	n := w.tokens
	if e.Annotate && len(b.Sentences) > 0 {
		dst = w.labelled(dst, b.Block)
	} else {
		dst = w.text(dst, b.text)
	}
	if w.tokens == n {
		return dst[:begin]
	}
	return append(dst, "</p>\n"...)
}

// writer splits texts into sentences and tokens. It reuses its buffers.
type writer struct {
	family    *token.Family
	tags      *postag.Set // nil: no columns
	tagger    *postag.Tagger
	untag     func()
	tagged    [2]string // languages for which tagger was taken, if untag is set
	tok       *token.Tokenizer
	lang      string
	sentences []token.Span
	words     []token.Span
	forms     []string       // of words
	analyses  []postag.Token // of words
	tokens    int64
}

var writers = sync.Pool{New: func() any { return &writer{tok: token.For("")} }}

// newWriter returns a writer with the tokenizers of family and the taggers of tags.
func newWriter(family *token.Family, tags *postag.Set) *writer {
	w := writers.Get().(*writer)
	w.tags = tags
	if w.family != family {
		w.family, w.lang, w.tok = family, "", family.For("")
	}
	return w
}

// free returns the writer to the pool.
func (w *writer) free() {
	w.release()
	w.tags = nil
	writers.Put(w)
}

// release returns the tagger.
func (w *writer) release() {
	if w.untag != nil {
		w.untag()
		w.tagger, w.untag = nil, nil
	}
}

// use selects the rules and the tagger of a language, or else the tagger of the document's language.
func (w *writer) use(lang, doc string) {
	if lang != w.lang {
		w.lang, w.tok = lang, w.family.For(lang)
	}
	if w.tags == nil {
		return
	}
	if w.untag != nil && w.tagged == [2]string{lang, doc} {
		return
	}
	w.release()
	w.tagged = [2]string{lang, doc}
	var err error
	if w.tagger, w.untag, err = w.tags.Tagger(lang, doc); err != nil {
		panic(err) // the set has checked its models
	}
}

// text appends sentences, tokens and the white space between them. A single space between
// tokens is the default and is not written.
func (w *writer) text(dst []byte, text string) []byte {
	w.words, w.sentences = w.tok.SentenceWords(text, w.words[:0], w.sentences[:0])
	last, words := -1, w.words // last is the end of the last token
	for _, s := range w.sentences {
		n := 0
		for n < len(words) && words[n].Start < s.End {
			n++
		}
		dst, last = w.sentence(dst, text, words[:n], last, "<s>\n")
		words = words[n:]
	}
	if last >= 0 && last < len(text) {
		dst = appendSpace(dst, text[last:])
	}
	return dst
}

// labelled appends the sentences of b with their labels.
func (w *writer) labelled(dst []byte, b *page.Block) []byte {
	last := -1
	for _, s := range b.Sentences {
		var open [64]byte
		tag := append(open[:0], "<s"...)
		tag = value(tag, "class", s.Label.String())
		tag = value(tag, "score", strconv.FormatFloat(s.Score, 'g', 6, 64))
		tag = append(tag, ">\n"...)
		w.words = w.tok.WordsIn(b.Text, token.Span{Start: s.Start, End: s.End}, w.words[:0])
		dst, last = w.sentence(dst, b.Text, w.words, last, string(tag))
	}
	if last >= 0 && last < len(b.Text) {
		dst = appendSpace(dst, b.Text[last:])
	}
	return dst
}

// sentence appends the tokens of a sentence and returns the end of the last token. last is
// the end of the previous token, or -1. tag opens the sentence; "" writes no tags.
func (w *writer) sentence(dst []byte, text string, words []token.Span, last int, tag string) ([]byte, int) {
	w.analyse(text, words)
	next := 0 // of w.analyses
	for i, t := range words {
		start, from := t.Start, next
		for next < len(w.analyses) && w.analyses[next].Index == i {
			next++
		}
		if start != last+1 || last < 0 || text[last] != ' ' {
			dst = appendGap(dst, text, last, start)
		}
		if i == 0 {
			dst = append(dst, tag...)
		}
		for t.End-start > maxToken {
			n := cut(text[start:t.End], maxToken)
			dst = appendField(dst, text[start:start+n], true)
			dst = w.columns(dst, w.analyses[from:next])
			dst = append(dst, "\n<g/>\n"...)
			start += n
			w.tokens++
		}
		dst = appendToken(dst, text, start, t.End)
		if w.tags != nil {
			dst = w.columns(dst, w.analyses[from:next])
		}
		dst = append(dst, '\n')
		last = t.End
		w.tokens++
	}
	if tag != "" && len(words) > 0 {
		dst = append(dst, "</s>\n"...)
	}
	return dst, last
}

// analyse tags the words of a sentence.
func (w *writer) analyse(text string, words []token.Span) {
	w.analyses = w.analyses[:0]
	if w.tagger == nil {
		return
	}
	w.forms = w.forms[:0]
	for _, t := range words {
		w.forms = append(w.forms, text[t.Start:t.End])
	}
	w.analyses = w.tagger.Tag(w.analyses, w.forms)
}

// columns appends the columns of a token, which consists of words.
func (w *writer) columns(dst []byte, words []postag.Token) []byte {
	if w.tags == nil {
		return dst
	}
	return appendColumns(dst, words)
}

// line appends tokens without sentences.
func (w *writer) line(dst []byte, text string) []byte {
	w.words = w.tok.Words(text, w.words[:0])
	dst, last := w.sentence(dst, text, w.words, -1, "")
	if last >= 0 && last < len(text) {
		dst = appendSpace(dst, text[last:])
	}
	return dst
}

// appendGap appends the text between the token that ended at last (-1 if there was none) and
// the token that begins at start.
func appendGap(dst []byte, text string, last, start int) []byte {
	switch {
	case last < 0 && start == 0:
	case last < 0:
		return appendSpace(dst, text[:start])
	case last == start:
		return append(dst, "<g/>\n"...)
	case start == last+1 && text[last] == ' ':
	default:
		return appendSpace(dst, text[last:start])
	}
	return dst
}

// appendSpace appends <sp s="..."/> for white space other than one space. All of it is
// written as references, because Manatee strips blanks from the ends of values.
func appendSpace(dst []byte, space string) []byte {
	dst = append(dst, `<sp s=`...)
	dst = appendRefs(dst, space)
	return append(dst, "/>\n"...)
}

// appendRefs appends a quoted value with each character as a reference.
func appendRefs[T text](dst []byte, s T) []byte {
	dst = append(dst, '"')
	for _, r := range string(s) {
		dst = append(dst, "&#"...)
		dst = strconv.AppendInt(dst, int64(r), 10)
		dst = append(dst, ';')
	}
	return append(dst, '"')
}

// cut returns the length of the longest prefix of s of at most n bytes that ends between two
// characters.
func cut(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return n
}
