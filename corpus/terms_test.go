package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// tagged writes documents of words with their parts of speech, as in "old/ADJ mill/NOUN".
func tagged(docs ...[2]string) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "<doc lang=\"%s\">\n<s>\n", d[0])
		for _, w := range strings.Fields(d[1]) {
			word, pos, _ := strings.Cut(w, "/")
			fmt.Fprintf(&b, "%s\t%s\t%s\n", word, strings.TrimSuffix(strings.ToLower(word), "s"), pos)
		}
		b.WriteString("</s>\n</doc>\n")
	}
	return b.String()
}

// TestTerms counts the terms of a sentence in English and of one in Spanish.
func TestTerms(t *testing.T) {
	terms := func(vert string, cfg TermConfig) (list []string) {
		cfg.MinFreq = 1
		got := must.Get(FindTerms(t.Context(), build(t, vert, "word", "lemma", "pos"), nil, cfg))(t)
		for _, r := range got.Rows {
			list = append(list, fmt.Sprintf("%s %d", r.Term, r.Freq))
		}
		slices.Sort(list)
		return list
	}
	english := tagged([2]string{"en", "Old/ADJ wind/NOUN mills/NOUN in/ADP Brno/PROPN and/CCONJ wind/NOUN from/ADP hills/NOUN 5/NOUN"})
	spanish := tagged([2]string{"es-MX", "molino/NOUN viejo/ADJ de/ADP viento/NOUN"})
	for _, c := range []struct {
		vert string
		cfg  TermConfig
		want string
	}{
		{english, TermConfig{}, "Old wind 1, Old wind mills 1, hills 1, mills 1, wind 2, wind mills 1"},
		{english, TermConfig{MinTokens: 2, MaxTokens: 2}, "Old wind 1, wind mills 1"},
		{english, TermConfig{Attr: "word", MaxTokens: 1}, "hills 1, mills 1, wind 2"},
		{spanish, TermConfig{}, "molino 1, molino viejo 1, viento 1"},
		{tagged([2]string{"fr", "moulin/NOUN à/ADP vent/NOUN"}), TermConfig{}, "moulin 1, moulin à vent 1, vent 1"},
		{tagged([2]string{"en", "mills/NOUN mills/NOUN"}, [2]string{"en", "mill/NOUN"}), TermConfig{MaxTokens: 1}, "mill 3"},
		{"<doc>\n/\t/\tADP\nusr\tusr\tNOUN\n</doc>\n", TermConfig{}, "usr 1"},
		{"<doc>\n/\t/\tADP\n<g/>\nusr\tusr\tNOUN\n<g/>\n/\t/\tADP\n<g/>\nshare\tshare\tNOUN\nmill\tmill\tNOUN\n</doc>\n", TermConfig{}, "mill 1"},
		{tagged([2]string{"en", "moulin/NOUN à/ADP vent/NOUN"}), TermConfig{}, "moulin 1, vent 1"},
	} {
		if got := strings.Join(terms(c.vert, c.cfg), ", "); got != c.want {
			t.Errorf("%+v:\n%s, want\n%s", c.cfg, got, c.want)
		}
	}
}

// TestTermsAgainst: in the focus of 4 tokens, "mill" has 2 hits (500,000 per million) and in the reference
// of 5 tokens 1 hit (200,000), so its score with n = 100,000 is 600/300 = 2. "wind mill" is not in the
// reference: 350/100 = 3.5 (250,000 per million).
func TestTermsAgainst(t *testing.T) {
	focus := build(t, tagged([2]string{"en", "wind/NOUN mills/NOUN grind/VERB"}, [2]string{"en", "mill/NOUN"}), "word", "lemma", "pos")
	reference := build(t, tagged([2]string{"en", "the/DET mill/NOUN by/ADP the/DET wind/NOUN"}), "word", "lemma", "upos")
	cfg := TermConfig{MinFreq: 1, Smoothing: 100_000}
	got := must.Get(FindTerms(t.Context(), focus, reference, cfg))(t)
	if len(got.Rows) != 3 || got.Types != 3 || got.Tokens != 4 || got.RefTokens != 5 {
		t.Fatalf("%+v", got)
	}
	if r := got.Rows[0]; r.Term != "wind mills" || r.Key != "wind mill" || r.Freq != 1 || r.RefFreq != 0 || !near(r.Score, 3.5, 1e-9) {
		t.Errorf("%+v", r)
	}
	if r := got.Rows[1]; r.Term != "mill" || r.Freq != 2 || r.RefFreq != 1 || !near(r.Score, 2, 1e-9) {
		t.Errorf("%+v", r)
	}
	alone, err := FindTerms(t.Context(), focus, nil, cfg)
	if err != nil || alone.RefTokens != 0 || alone.Rows[0].Term != "mill" || !near(alone.Rows[0].Score, 6, 1e-9) {
		t.Errorf("against zero: %+v, %v", alone, err)
	}
	part := must.Get(focus.Where(t.Context(), `doc.lang="en"`))(t)
	if same, err := FindTerms(t.Context(), part, reference, cfg); err != nil || fmt.Sprint(same) != fmt.Sprint(got) {
		t.Errorf("a part with everything: %+v, %v", same, err)
	}
}

func TestTermsRefused(t *testing.T) {
	c := build(t, tagged([2]string{"en", "wind/NOUN mill/NOUN"}), "word", "lemma", "pos")
	for _, x := range []struct {
		c   *Corpus
		cfg TermConfig
	}{
		{c, TermConfig{MaxTokens: 7}}, {c, TermConfig{MinTokens: 3, MaxTokens: 2}}, {c, TermConfig{Attr: "colour"}}, {c, TermConfig{Tag: "colour"}}, {c, TermConfig{Tag: "word"}}, {c, TermConfig{Smoothing: -1}},
		{build(t, zoo, "word"), TermConfig{}},
	} {
		if _, err := FindTerms(t.Context(), x.c, nil, x.cfg); !errors.As(err, new(*ConfigError)) {
			t.Errorf("%+v: %v", x.cfg, err)
		}
	}
}
