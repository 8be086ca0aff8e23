package tag

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"chaffinch/format/conllu"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/tagger"
)

// sentence returns a sentence of words. "ab=a+b" is a multiword token.
func sentence(words ...string) []*conllu.Sentence {
	s := &conllu.Sentence{}
	id := 1
	add := func(form string) {
		s.Words = append(s.Words, conllu.Word{ID: id, Form: form, Lemma: form, UPOS: "X", XPOS: "_", Feats: "_"})
		id++
	}
	for _, w := range words {
		form, parts, ok := strings.Cut(w, "=")
		if !ok {
			add(form)
			continue
		}
		list := strings.Split(parts, "+")
		s.Words = append(s.Words, conllu.Word{ID: id, Last: id + len(list) - 1, Form: form})
		for _, p := range list {
			add(p)
		}
	}
	return []*conllu.Sentence{s}
}

// TestAlignment: words align as in the script of the shared task.
func TestAlignment(t *testing.T) {
	f := strings.Fields
	for _, c := range []struct {
		gold, found string
		right       int
	}{
		{"abcd", "a b c d", 0},
		{"abc", "a b c", 0},
		{"a bc d", "a b c d", 2},
		{"a b bc d", "a b b cd", 2},
		{"abcd=a+b+cd e", "abc=a+bx d e", 2},
		{"abc=ab+c d", "ab=ax+b c d", 2},
		{"a bc=b+c d", "a b c d", 4},
		{"abcd=a+b+c+d", "ab=a+b cd=c+d", 4},
		{"abc=ab+c", "a bc=b+c", 1},
		{"\u200b\ufeff ab \u200bc", "ab c", 2},
	} {
		s := must.Get(compare(sentence(f(c.gold)...), sentence(f(c.found)...)))(t)
		if s.Words.Right != c.right || s.UPOS.Right != c.right || s.Sentences.Right != 1 {
			t.Errorf("%s, found %s: %d words, %d tags, wanted %d", c.gold, c.found, s.Words.Right, s.UPOS.Right, c.right)
		}
	}
	_, err := compare(sentence("a", "bc"), sentence("ab", "d"))
	must.Fail(t, err, `texts differ: "d", gold "c"`)
}

// TestColumns: only universal features count, in any order, and the lemma _ matches all lemmas.
func TestColumns(t *testing.T) {
	gold, found := sentence("a", "b", "c"), sentence("a", "b", "c")
	gold[0].Words[0].Feats, found[0].Words[0].Feats = "Case=Nom|Foo=Bar|Number=Sing", "Number=Sing|Case=Nom"
	gold[0].Words[1].Lemma, found[0].Words[1].Lemma = "_", "x"
	found[0].Words[2].Lemma, found[0].Words[2].XPOS = "_", "y"
	s := must.Get(compare(gold, found))(t)
	if s.Feats.Right != 3 || s.Lemmas.Right != 2 || s.XPOS.Right != 2 || s.All.Right != 2 || s.UPOS.F() != 1 {
		t.Errorf("%+v", s)
	}
}

// bank is a treebank of n sentences.
func bank(n int) string {
	line := func(id, form, lemma, upos string) string {
		return id + "\t" + form + "\t" + lemma + "\t" + upos + "\t_\t_\t_\t_\t_\t_\n"
	}
	var b strings.Builder
	for i := range n {
		k := string(rune('a'+i%26)) + string(rune('a'+i/26%26))
		b.WriteString(line("1", "The", "the", "DET") + line("2", k+"on", k+"o", "NOUN") + line("3-4", "dun", "_", "_") + line("3", "du", "do", "VERB") + line("4", "n", "not", "PART"))
		b.WriteString(line("5", k+"at", k, "VERB") + line("6", ".", ".", "PUNCT") + "\n")
	}
	return b.String()
}

// TestRun: a model that has learned a treebank scores it with and without gold tokens.
func TestRun(t *testing.T) {
	list := must.Get(Read("x.conllu", strings.NewReader(bank(200))))(t)
	m := must.Get(tagger.Train(context.Background(), tagger.Default, list, nil))(t)
	r := must.Get(Run(m, "x", list))(t)
	if r.Words != 1200 || r.Gold.UPOS.F() < .99 || r.Gold.Lemmas.F() < .99 {
		t.Errorf("%d words, UPOS %.3f, lemmas %.3f", r.Words, r.Gold.UPOS.F(), r.Gold.Lemmas.F())
	}
	if r.Own.Words.F() < .99 || r.Own.Tokens.F() < .99 || r.Own.UPOS.F() < .98 {
		t.Errorf("own tokens: words %.3f, tokens %.3f, UPOS %.3f", r.Own.Words.F(), r.Own.Tokens.F(), r.Own.UPOS.F())
	}
	var steps []string
	cv, err := CrossValidate(context.Background(), tagger.Default, "cv", list, 4, func(done, total int) { steps = append(steps, strconv.Itoa(done*100/total)) })
	must.Succeed(t, err)
	if cv.Words != 1200 || cv.Gold.UPOS.F() < .95 || cv.Gold.UPOS.F() > r.Gold.UPOS.F() || steps[len(steps)-1] != "100" {
		t.Errorf("%d held-out words, UPOS %.3f, steps %v", cv.Words, cv.Gold.UPOS.F(), steps)
	}
	tables := Tables([]*Result{r, cv})
	if len(tables) != 2 || len(tables[0].Rows) != 3 || tables[0].Rows[2].System != "mean" {
		t.Errorf("tables %+v", tables)
	}
}
