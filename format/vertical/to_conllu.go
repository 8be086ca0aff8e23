package vertical

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/format/conllu"
)

// ToConllu converts a vertical with sentences to CoNLL-U and returns the number of tokens. The columns
// lemma, pos (or upos), tag (or xpos) and feats become columns of CoNLL-U; other columns become NAME=VALUE
// in the last one, except lempos. A token with the values of several words, joined by "+", becomes a
// multiword token whose words have the form "_". Documents keep their attributes as
// "# meta::NAME = VALUE", as [FromConllu] reads them.
func ToConllu(out io.Writer, r *Reader, columns []string) (tokens int64, err error) {
	x := &conlluWriter{columns: columns, w: conllu.NewWriter(out), doc: r.cfg.Doc}
	for {
		l, err := r.Next()
		if err == io.EOF {
			if tokens == 0 {
				return 0, fmt.Errorf("conllu: %w", ErrNoTokens)
			}
			return tokens, x.w.Flush()
		}
		if err != nil {
			return tokens, err
		}
		if l.Kind == Token {
			tokens++
		}
		if err := x.line(l); err != nil {
			return tokens, err
		}
	}
}

// conlluWriter collects the lines of a sentence.
type conlluWriter struct {
	columns  []string
	w        *conllu.Writer
	doc      string
	comments []string
	docID    string
	sentence *conllu.Sentence
	spelled  int // line of the sentence that spells the last token
	text     strings.Builder
	glued    bool
	docs     int
	n, id    int // sentences of the document, words of the sentence
}

func (x *conlluWriter) line(l *Line) error {
	switch name := string(l.Name); {
	case l.Kind == Token:
		if x.sentence == nil {
			return fmt.Errorf("line %d: a token outside of sentences: CoNLL-U needs <s>: tokenize the corpus", l.Number)
		}
		x.token(l)
	case l.Kind == Open && name == x.doc:
		x.docs++
		x.n, x.docID = 0, cmp.Or(oneSpace(l.Value("id")), fmt.Sprintf("doc%d", x.docs))
		x.comments = append(x.comments[:0], "# newdoc id = "+x.docID)
		for _, a := range l.Attrs {
			if string(a.Name) != "id" {
				x.comments = append(x.comments, "# meta::"+string(a.Name)+" = "+oneSpace(a.Value))
			}
		}
	case l.Kind == Open && name == paragraph:
		x.comments = append(x.comments, "# newpar")
	case l.Kind == Open && name == sentence:
		x.n++
		x.id = 0
		x.text.Reset()
		id := cmp.Or(oneSpace(l.Value("id")), fmt.Sprintf("%s-%d", cmp.Or(x.docID, "doc"), x.n))
		x.sentence = &conllu.Sentence{Comments: append(slices.Clone(x.comments), "# sent_id = "+id)}
		x.comments = x.comments[:0]
	case l.Kind == Close && name == sentence:
		return x.flush()
	case l.Kind == Empty && name == "g":
		x.glued = true
		if x.sentence == nil {
			return nil
		}
		if len(x.sentence.Words) > 0 {
			w := &x.sentence.Words[x.spelled]
			w.Misc = joinMisc("SpaceAfter=No", w.Misc)
		}
	}
	return nil
}

func joinMisc(a, b string) string {
	if b == "" || b == "_" {
		return a
	}
	return a + "|" + b
}

// flush writes the sentence.
func (x *conlluWriter) flush() error {
	s := x.sentence
	x.sentence = nil
	if s == nil || len(s.Words) == 0 {
		return nil
	}
	s.Comments = append(s.Comments, "# text = "+x.text.String())
	return x.w.Write(s)
}

// token adds a token.
func (x *conlluWriter) token(l *Line) {
	form := oneSpace(l.Fields[0])
	if x.text.Len() > 0 && !x.glued {
		x.text.WriteByte(' ')
	}
	x.glued = false
	x.text.WriteString(form)
	var w conllu.Word
	w.Form = form
	var misc []string
	for i, f := range l.Fields[1:] {
		v := oneSpace(f)
		switch name := x.columns[i+1]; name {
		case "lemma":
			w.Lemma = v
		case "pos", "upos":
			w.UPOS = v
		case "tag", "xpos":
			w.XPOS = v
		case "feats":
			w.Feats = v
		case "lempos":
		default:
			if v != "" {
				misc = append(misc, name+"="+strings.ReplaceAll(v, "|", "/"))
			}
		}
	}
	w.Misc = strings.Join(misc, "|")
	x.spelled = len(x.sentence.Words)
	tags, lemmas := strings.Split(w.UPOS, "+"), strings.Split(w.Lemma, "+")
	if len(tags) < 2 || len(tags) != len(lemmas) || slices.Contains(tags, "") {
		x.id++
		w.ID = x.id
		x.sentence.Words = append(x.sentence.Words, w)
		return
	}
	x.sentence.Words = append(x.sentence.Words, conllu.Word{ID: x.id + 1, Last: x.id + len(tags), Form: form, Misc: w.Misc})
	xpos, feats := strings.Split(w.XPOS, "+"), strings.Split(w.Feats, "+")
	for i := range tags {
		x.id++
		part := conllu.Word{ID: x.id, Form: "_", Lemma: lemmas[i], UPOS: tags[i]}
		if len(xpos) == len(tags) {
			part.XPOS = xpos[i]
		}
		if len(feats) == len(tags) {
			part.Feats = feats[i]
		}
		x.sentence.Words = append(x.sentence.Words, part)
	}
}

// oneSpace returns a value with single spaces.
func oneSpace(b []byte) string { return strings.Join(strings.Fields(string(b)), " ") }
