package tagger

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/conllu"
	"chaffinch/internal/testkit/must"
	"chaffinch/text/tag"
)

// sentences returns sentences of lines with a form, a lemma, a part of speech, a tag and features.
func sentences(t *testing.T, lines ...string) (list []*conllu.Sentence) {
	t.Helper()
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.ReplaceAll(line, " ", "\t") + "\t_\t_\t_\t_\n")
		if strings.HasPrefix(strings.Split(line, " ")[1], ".") {
			b.WriteByte('\n')
		}
	}
	for s, err := range conllu.NewReader("x.conllu", strings.NewReader(b.String())).All() {
		must.Succeed(t, err)
		list = append(list, s)
	}
	return list
}

// TestEmptyColumns: a treebank without lemmas and features results in a model without them, and
// words without a part of speech are skipped.
func TestEmptyColumns(t *testing.T) {
	list := sentences(t, "1 el _ DET _ _", "2 balo _ NOUN _ _", "3 _ x _ _ _", "4 . _ PUNCT _ _")
	m, err := Train(context.Background(), Default, list, nil)
	must.Succeed(t, err)
	if m.HasLemmas() || m.HasFeats() {
		t.Errorf("lemmas %t, features %t", m.HasLemmas(), m.HasFeats())
	}
	got := tag.NewTagger(m).Tag(nil, []string{"balo"})[0]
	if got.UPOS != "NOUN" || got.Lemma != "" || got.Feats != "" {
		t.Errorf("%+v", got)
	}
	_, err = Train(context.Background(), Default, sentences(t, "1 a _ _ _ _", "2 . _ _ _ _"), nil)
	must.Fail(t, err, "no sentence with parts of speech")
}

// TestSplits: frequent endings become rules, and rules of shorter endings replace longer ones.
func TestSplits(t *testing.T) {
	var list []sentence
	add := func(form string, words ...string) {
		s := sentence{tokens: []surface{{form: form, end: max(len(words), 1)}}}
		for _, w := range append(words, form)[:max(len(words), 1)] {
			s.words = append(s.words, word{form: w})
		}
		list = append(list, s)
	}
	for _, stem := range []string{"da", "lleva", "mira", "compra"} {
		add(stem+"rlo", stem+"r", "lo")
		add(stem + "r")
	}
	add("del", "de", "el")
	add("del", "de", "el")
	add("del")
	var whole, endings []string
	for _, s := range splits(&tag.Config{}, list) {
		if s.Suffix {
			endings = append(endings, s.Form+"="+strings.Join(s.Words, "+"))
		} else {
			whole = append(whole, s.Form)
		}
	}
	must.Equal(t, strings.Join(whole, " "), "comprarlo darlo del llevarlo mirarlo", "tokens")
	must.Equal(t, strings.Join(endings, " "), "lo=+lo", "endings")
}

func TestReadLexicon(t *testing.T) {
	list := must.Get(ReadLexicon("x.tsv", strings.NewReader("# words\nbalon\tbalo\tNOUN|Number=Plur\t7\r\n\nel\tel\tDET\n")))(t)
	want := []Entry{{"balon", "balo", "NOUN", "Number=Plur", 7}, {"el", "el", "DET", "", 1}}
	if len(list) != 2 || list[0] != want[0] || list[1] != want[1] {
		t.Errorf("entries %+v", list)
	}
	for in, want := range map[string]string{
		"a\tb\n":            "x.tsv:1: 2 columns",
		"a\tb\tX\t1\t2\n":   "x.tsv:1: 5 columns",
		"a\tb\tX\nc\td\t\n": "x.tsv:2: 3 columns, wanted a word, a lemma",
		"a\tb\tX\tmany\n":   `x.tsv:1: count "many"`,
		"a\tb\tX\t-1\n":     `x.tsv:1: count "-1"`,
	} {
		_, err := ReadLexicon("x.tsv", strings.NewReader(in))
		must.Fail(t, err, want)
	}
}

func TestConfig(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Passes = 0 }, func(c *Config) { c.Runs = 0 }, func(c *Config) { c.Bits = 9 },
		func(c *Config) { c.Guesses = 25 }, func(c *Config) { c.Margin = -1 },
	} {
		cfg := Default
		change(&cfg)
		if cfg.Check() == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}
