package vertical

import (
	"io"
	"strings"

	"chaffinch/format/conllu"
	postag "chaffinch/text/tag"
)

// FromConllu converts CoNLL-U to a vertical with the columns word and [ModelColumns], and returns the
// number of tokens. A multiword token whose words spell it, such as don't, becomes its words; another
// one has the values of its words, joined by "+". Documents and sentences keep their ids, and
// documents the values of "# meta::NAME = VALUE".
func FromConllu(out io.Writer, r *conllu.Reader) (tokens int64, err error) {
	var buf []byte
	doc, par := false, false
	closing := func() {
		if par {
			buf = append(buf, "</p>\n"...)
		}
		par = false
	}
	for s, err := range r.All() {
		if err != nil {
			return tokens, err
		}
		id, newDoc := comment(s, "newdoc")
		if newDoc || !doc {
			closing()
			if doc {
				buf = append(buf, "</doc>\n"...)
			}
			buf = value(append(buf, "<doc"...), "id", id)
			for _, c := range s.Comments {
				if name, v, ok := strings.Cut(strings.TrimPrefix(c, "# meta::"), "="); ok && strings.HasPrefix(c, "# meta::") {
					if name = attrName(strings.TrimSpace(name)); name != "" && name != "id" {
						buf = value(buf, name, v)
					}
				}
			}
			buf = append(buf, ">\n"...)
			doc = true
		}
		if _, newPar := comment(s, "newpar"); newPar || !par {
			closing()
			buf = append(buf, "<p>\n"...)
			par = true
		}
		buf = append(buf, "<s"...)
		if id, ok := s.Comment("sent_id"); ok {
			buf = value(buf, "id", id)
		}
		buf = append(buf, ">\n"...)
		list := s.Segments()
		for i, t := range list {
			words := make([]postag.Token, len(t.Words))
			for k, w := range t.Words {
				words[k].Lemma, words[k].Tag = w.Analysis()
			}
			buf = appendColumns(appendField(buf, t.Form, true), words)
			buf = append(buf, '\n')
			if !t.Space && i+1 < len(list) {
				buf = append(buf, "<g/>\n"...)
			}
			tokens++
		}
		buf = append(buf, "</s>\n"...)
		if len(buf) >= 1<<16 {
			if _, err := out.Write(buf); err != nil {
				return tokens, err
			}
			buf = buf[:0]
		}
	}
	closing()
	if doc {
		buf = append(buf, "</doc>\n"...)
	}
	_, err = out.Write(buf)
	return tokens, err
}

// comment returns the id of a comment "# KEY id = ID", and reports whether a comment has the key.
func comment(s *conllu.Sentence, key string) (id string, ok bool) {
	for _, c := range s.Comments {
		words := strings.Fields(strings.TrimLeft(c, "#"))
		if len(words) > 0 && words[0] == key {
			_, id, _ := strings.Cut(c, "=")
			return strings.TrimSpace(id), true
		}
	}
	return "", false
}
