package serve

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/format/conllu"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/tagger"
	"chaffinch/model"
	"chaffinch/text/tag"
)

// TestTokenizeTag tags tokens, and joins the words of one token.
func TestTokenizeTag(t *testing.T) {
	const treebank = `1-2	du	_	_	_	_	_	_	_	_
1	de	de	ADP	P	_	3	case	_	_
2	le	le	DET	D	Gender=Masc	3	det	_	_
3	chat	chat	NOUN	N	Gender=Masc	0	root	_	_

`
	var list []*conllu.Sentence
	for s, err := range conllu.NewReader("mini.conllu", strings.NewReader(strings.Repeat(treebank, 5))).All() {
		must.Succeed(t, err)
		list = append(list, s)
	}
	cfg := tagger.Default
	cfg.Lang = "fr"
	m := must.Get(tagger.Train(t.Context(), cfg, list, nil))(t)
	name := filepath.Join(t.TempDir(), "fr.chf")
	must.Succeed(t, m.Save(name, model.Header{Name: "fr"}))
	set := new(tag.Set)
	must.Succeed(t, set.AddFile(name))
	s := start(t, Config{Taggers: set})
	for _, x := range []struct{ query, want string }{
		{"lang=fr&tag=true", `[{"text":"du","start":0,"end":2,"lemma":"de+le","upos":"ADP+DET","xpos":"P+D","feats":"+Gender=Masc"},{"text":"chat","start":3,"end":7,"lemma":"chat","upos":"NOUN","xpos":"N","feats":"Gender=Masc"}]`},
		{"lang=fr", `[{"text":"du","start":0,"end":2},{"text":"chat","start":3,"end":7}]`},
		{"lang=en&tag=true", `[{"text":"du","start":0,"end":2},{"text":"chat","start":3,"end":7}]`},
	} {
		_, text := s.post(t, "/v1/tokenize?"+x.query, "text/plain", "du chat")
		var k tokenized
		must.Succeed(t, json.Unmarshal([]byte(text), &k))
		b := must.Get(json.Marshal(k.Sentences[0].Tokens))(t)
		if string(b) != x.want {
			t.Errorf("%s: %s\nwanted %s", x.query, b, x.want)
		}
	}
}

// TestPageTags completes tags with their names.
func TestPageTags(t *testing.T) {
	dir := t.TempDir()
	cfg := corpus.DefaultBuild
	cfg.Columns = []string{"word", "pos", "feats"}
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader("<doc>\ndogs\tNOUN\tCase=Nom|Number=Plur\nbark\tVERB\t\n</doc>\n"), dir, cfg)))
	s := start(t, Config{Corpora: map[string]string{"dogs": dir}})
	b := testkit.Open(t, s.URL+"/#corpus/dogs", 800)
	b.Wait(`document.querySelector("input[role=combobox]")`)
	for query, want := range map[string]string{`[pos="N`: "noun · 1", `[feats="C`: "nominative, plural · 1"} {
		b.Eval(`(i => { i.value = '` + query + `'; i.focus(); i.setSelectionRange(99, 99); i.dispatchEvent(new Event("input")); })(document.querySelector("input[role=combobox]"))`)
		b.Wait(`document.querySelector(".offers:not([hidden]) small")?.textContent == "` + want + `"`)
	}
}

// TestTextEncoding: the charset of a text is its encoding; positions are bytes of the decoded text.
func TestTextEncoding(t *testing.T) {
	s := start(t, Config{})
	for _, c := range []struct{ kind, body, want string }{
		{"text/plain; charset=windows-1251", "\xf7\xe0\xe9\xea\xe0", "чайка"},
		{"text/plain; charset=iso-8859-1", "F\xe4hre", "Fähre"},
		{"text/plain; charset=utf-8", "~{VPND~}", "VPND"},
		{"text/plain; charset=utf-8", "a\x00b c\x00d", `"d","start":6,"end":7`},
		{"text/plain; charset=unknown", "F\xe4hre", "Fähre"},
		{"text/plain", "F\xe4hre", "Fähre"},
	} {
		if a, got := s.post(t, "/v1/tokenize", c.kind, c.body); a.StatusCode != 200 || !strings.Contains(got, c.want) {
			t.Errorf("%s: status %d, wanted %s: %s", c.kind, a.StatusCode, c.want, got)
		}
	}
}
