package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/internal/testkit/must"
)

// index builds an index of documents of word/lemma/pos tokens.
func index(t testing.TB, columns []string, docs ...string) *corpus.Corpus {
	t.Helper()
	cfg := corpus.DefaultBuild
	cfg.Columns = columns
	dir := t.TempDir()
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(strings.Join(docs, "")), dir, cfg)))
	c := must.Get(corpus.Open(dir))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// doc writes a document of one sentence.
func doc(attrs, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<doc %s>\n<s>\n", attrs)
	for w := range strings.FieldsSeq(text) {
		word, pos, _ := strings.Cut(w, "/")
		lemma := strings.TrimSuffix(strings.ToLower(word), "s")
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s-%s\n", word, lemma, pos, lemma, strings.ToLower(pos[:1]))
	}
	return b.String() + "</s>\n</doc>\n"
}

var tagged = []string{"word", "lemma", "pos", "lempos"}

func sample(t testing.TB) *corpus.Corpus {
	return index(t, tagged,
		doc(`year="2000" genre="news" url="https://a.example/1"`, "The/DET old/ADJ mill/NOUN turns/VERB slowly/ADV today/ADV ./PUNCT"),
		doc(`year="2001" genre="news" url="https://a.example/2"`, "Rivers/NOUN and/CCONJ lakes/NOUN ./PUNCT"),
		doc(`year="2002" genre="fiction" url="https://b.example/"`, "Mills/NOUN mill/VERB old/ADJ mill/NOUN ./PUNCT"),
		doc(`genre="fiction" url="https://b.example/2"`, "A/DET mill/NOUN ./PUNCT"))
}

func TestFind(t *testing.T) {
	c := sample(t)
	plain := index(t, []string{"word"}, "<doc>\nMill\nmill\n</doc>\n")
	for _, x := range []struct {
		c           *corpus.Corpus
		word, query string
		also        string
	}{
		{c, "mill-n", `[lempos=="mill-n"]`, ""}, {c, "mill", `[lempos=="mill-n"]`, "mill-v"}, {c, "Mill", `[lempos=="mill-n"]`, "mill-v"},
		{c, "Rivers", `[word=="Rivers"%c]`, ""}, {plain, "MILL", `[word=="MILL"%c]`, ""},
	} {
		w := must.Get(Find(t.Context(), x.c, x.word))(t)
		if w.Query != x.query || strings.Join(w.Also, " ") != x.also {
			t.Errorf("%s: %+v, wanted %s, also %q", x.word, w, x.query, x.also)
		}
	}
	for _, word := range []string{"windmill", "old mill", `"`, ""} {
		_, err := Find(t.Context(), c, word)
		if !errors.As(err, new(*corpus.ConfigError)) {
			t.Errorf("%q: %v", word, err)
		}
	}
}

// TestFindEmpty: tokens without a lemma are no word.
func TestFindEmpty(t *testing.T) {
	c := index(t, []string{"word", "lemma"}, "<doc>\na\t\n\tb\n</doc>\n")
	_, err := Find(t.Context(), c, "")
	must.Fail(t, err, `no word ""`)
}

func TestProfile(t *testing.T) {
	c := sample(t)
	w := must.Get(Find(t.Context(), c, "mill-n"))(t)
	p := must.Get(w.Profile(t.Context(), Config{}))(t)
	if s := p.Summary; s.Freq != 4 || s.DocFreq != 3 || *s.DP <= 0 || s.ARF <= 1 {
		t.Errorf("summary %+v", s)
	}
	var forms []string
	for _, r := range p.Forms {
		forms = append(forms, fmt.Sprint(r.Form, r.Hits))
	}
	if got := strings.Join(forms, " "); got != "mill3 Mills1" {
		t.Errorf("forms %s", got)
	}
	// 19 tokens, 4 hits: 2000 has 1 in 7 tokens, 2001 none in 4, 2002 has 2 in 5.
	for _, x := range []struct {
		d    *Division
		want string
	}{
		{p.Time, "doc.year: 2000 1/7, 2001 0/4, 2002 2/5"},
		{p.Register, "doc.genre: fiction 3/8, news 1/11"},
		{p.Site, "doc.host: b.example 3/8, a.example 1/11"},
	} {
		got := x.d.By + ":"
		for _, r := range x.d.Rows {
			got += fmt.Sprintf(" %s %d/%d,", r.Value, r.Hits, r.Tokens)
			if want := 1e6 * float64(r.Hits) / float64(r.Tokens); r.PerMillion != want {
				t.Errorf("%s: %v per million, wanted %v", r.Value, r.PerMillion, want)
			}
		}
		if got = strings.TrimSuffix(got, ","); got != x.want {
			t.Errorf("got %s, wanted %s", got, x.want)
		}
	}
	if len(p.Examples) == 0 || p.Examples[0].Ref == "" {
		t.Errorf("examples %+v", p.Examples)
	}
	if got := slices.Sorted(maps.Keys(p.Missing)); !slices.Equal(got, []string{"sketch", "thesaurus"}) {
		t.Errorf("missing %v", p.Missing)
	}
	g := must.Get(sketch.Parse("test", "*DEFAULTATTR pos\n=modifiers of \"%w\"\n2:\"ADJ\" 1:\"NOUN\"\n"))(t)
	must.Succeed(t, must.Err(sketch.Build(t.Context(), c, g, sketch.DefaultBuild)))
	p = must.Get(w.Profile(t.Context(), Config{Parts: []string{"sketch", "thesaurus"}}))(t)
	if len(p.Missing) > 0 || p.Sketch == nil || p.Thesaurus == nil || p.Summary != nil {
		t.Errorf("%+v", p)
	}
	p.Thesaurus.Similar = append(p.Thesaurus.Similar, sketch.Similar{Word: "a-n"})
	if all := p.Sections(); all[len(all)-1].About != "in the whole corpus" {
		t.Errorf("%+v", all)
	}
	for _, cfg := range []Config{{Parts: []string{"colour"}}, {Time: "doc.colour"}} {
		if _, err := w.Profile(t.Context(), cfg); !errors.As(err, new(*corpus.ConfigError)) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestPoor: a corpus of words alone has the summary, the forms and the collocations.
func TestPoor(t *testing.T) {
	c := index(t, []string{"word"}, "<text>\nMill\nmill\n</text>\n")
	w := must.Get(Find(t.Context(), c, "mill"))(t)
	p := must.Get(w.Profile(t.Context(), Config{}))(t)
	if p.Summary.Freq != 2 || p.Summary.DP != nil {
		t.Errorf("summary %+v", p.Summary)
	}
	if got := slices.Sorted(maps.Keys(p.Missing)); !slices.Equal(got, []string{"examples", "register", "site", "sketch", "thesaurus", "time"}) {
		t.Errorf("missing %v", p.Missing)
	}
	var html strings.Builder
	must.Succeed(t, p.WriteHTML(&html))
	for _, want := range []string{"<h2>Word forms</h2>", "left out: the corpus has no sentences", "Mill"} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// TestShards compares profiles over shards with the profiles of one index.
func TestShards(t *testing.T) {
	docs := []string{
		doc(`year="2000" genre="news"`, "The/DET old/ADJ mill/NOUN turns/VERB slowly/ADV today/ADV ./PUNCT"),
		doc(`year="2001" genre="news"`, "Rivers/NOUN and/CCONJ lakes/NOUN ./PUNCT"),
		doc(`year="2002" genre="fiction"`, "Mills/NOUN mill/VERB old/ADJ mill/NOUN ./PUNCT"),
		doc(`year="2002" genre="fiction"`, "An/DET old/ADJ mill/NOUN turns/VERB ./PUNCT"),
	}
	one := index(t, tagged, docs...)
	many := must.Get(corpus.NewShards(t.Context(), one.Dir(), []corpus.Shard{index(t, tagged, docs[0]), index(t, tagged, docs[1:]...)}))(t)
	for _, word := range []string{"mill", "mill-v", "Rivers", "TODAY", "nothing"} {
		text := func(c corpus.Source) string {
			w, err := Find(t.Context(), c, word)
			if err != nil {
				return err.Error()
			}
			p := must.Get(w.Profile(t.Context(), Config{}))(t)
			b := must.Get(json.MarshalIndent(p, "", " "))(t)
			return string(b)
		}
		if want, got := text(one), text(many); got != want {
			t.Errorf("%s:\n%s\nwanted\n%s", word, got, want)
		}
	}
}
