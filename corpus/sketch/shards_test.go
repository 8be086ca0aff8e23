package sketch

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
)

// TestShards compares sketches over shards with the sketches of one index.
func TestShards(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"give/V", "take/V", "take/N", "Talk/N", "tea/N", "in/P", "of/P", "and/C", "old/J"}
	var docs []string
	for range 30 {
		var sents []string
		for range 8 {
			var s []string
			for range 3 + r.IntN(8) {
				s = append(s, words[r.IntN(len(words))])
			}
			sents = append(sents, strings.Join(s, " "))
		}
		docs = append(docs, strings.Replace(sentences(sents...), "<doc>", fmt.Sprintf(`<doc part="%d">`, r.IntN(2)), 1))
	}
	docs[0] += strings.Replace(sentences("unique/V tea/N"), "<doc>", `<doc part="0">`, 1)
	one := index(t, strings.Join(docs, ""))
	compute(t, one, grammar, BuildConfig{})
	var shards []corpus.Shard
	for _, part := range [][]string{docs[:1], docs[1:11], docs[11:]} {
		c := index(t, strings.Join(part, ""))
		compute(t, c, grammar, BuildConfig{})
		shards = append(shards, c)
	}
	s := must.Get(corpus.NewShards(t.Context(), "many", shards))(t)
	compareSketches(t, one, s)
	part := must.Get(one.Where(t.Context(), `doc.part="1"`))(t)
	parts := must.Get(s.Where(t.Context(), `doc.part="1"`))(t)
	compareSketches(t, part, parts)
	other := index(t, docs[0])
	compute(t, other, strings.Replace(grammar, "at the end", "last", 1), BuildConfig{})
	s = must.Get(corpus.NewShards(t.Context(), "other", []corpus.Shard{shards[0], other}))(t)
	must.Fail(t, must.Err(Of(t.Context(), s, "tea", Config{})), "another sketch grammar")
}

// compareSketches compares the sketches of one index and of shards.
func compareSketches(t *testing.T, one *corpus.Corpus, s *corpus.Shards) {
	t.Helper()
	want := must.Get(Open(one))(t)
	for _, pair := range [][2]string{{"give", "take"}, {"tea-n", "talk-n"}, {"take-v", "take-n"}, {"take", "take-v"}, {"unique-v", "give"}, {"give", "nothing"}} {
		for _, cfg := range []Config{{}, DefaultConfig, {MinHits: 2, Limit: 2}, {Relations: []string{"object", "no such"}}, {Relations: []string{"no such"}}, {Sort: "x"}} {
			a, wantErr := want.Diff(t.Context(), pair[0], pair[1], cfg)
			b, err := DiffOf(t.Context(), s, pair[0], pair[1], cfg)
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", wantErr) || fmt.Sprintf("%+v", b) != fmt.Sprintf("%+v", a) {
				t.Errorf("%s %+v: %v\n%+v\nwanted %v\n%+v", pair, cfg, err, b, wantErr, a)
			}
		}
	}
	for _, word := range []string{"give", "take", "take-n", "Take-V", "tea", "unique-v", "nothing"} {
		for _, cfg := range []ThesaurusConfig{{}, DefaultThesaurus, {Limit: 2, MinFreq: 60, Cluster: 0.5}, {Cluster: 0.9}} {
			a, wantErr := want.Thesaurus(t.Context(), word, cfg)
			b, err := ThesaurusOf(t.Context(), s, word, cfg)
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", wantErr) || fmt.Sprintf("%+v", b) != fmt.Sprintf("%+v", a) {
				t.Errorf("thesaurus of %s %+v: %v\n%+v\nwanted %v\n%+v", word, cfg, err, b, wantErr, a)
			}
		}
	}
	names := must.Get(RelationsOf(t.Context(), s))(t)
	if len(names) != len(want.Relations()) || names[0] != want.Relations()[0].Name {
		t.Errorf("relations %q, wanted %+v", names, want.Relations())
	}
	for _, word := range []string{"give", "take", "take-n", "Take-V", "tea", "unique-v", "nothing"} {
		for _, cfg := range []Config{{}, DefaultConfig, {MinHits: 2, Limit: 2, Sort: "hits"}, {Relations: []string{"object"}}, {Relations: []string{"no such"}}, {With: []string{"object=tea-n"}}, {With: []string{"object=tea-n", `"give" in ...=talk-n`}}, {With: []string{"tea"}}, {Sort: "x"}} {
			a, wantErr := want.Word(t.Context(), word, cfg)
			b, err := Of(t.Context(), s, word, cfg)
			if (err == nil) != (wantErr == nil) || reflect.TypeOf(err) != reflect.TypeOf(wantErr) && wantErr != nil && word == "nothing" {
				t.Errorf("%s %+v: error %v, wanted %v", word, cfg, err, wantErr)
			}
			if err == nil && wantErr == nil && fmt.Sprintf("%+v", b) != fmt.Sprintf("%+v", a) {
				t.Errorf("%s %+v:\n%+v\nwanted\n%+v", word, cfg, b, a)
			}
		}
	}
}
