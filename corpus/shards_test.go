package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/corpus/gdex"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// randomDocs draws documents with words, lemmas and universal parts of speech.
func randomDocs(t *rapid.T) []string {
	words := []string{"the", "The", "cat", "Cat", "dog", "é", "É", "old", "house", "sees", "of", "B", "b", "9", "10", ","}
	tags := []string{"NOUN", "ADJ", "VERB", "ADP", "DET"}
	docs := make([]string, rapid.IntRange(1, 8).Draw(t, "documents"))
	for i := range docs {
		var b strings.Builder
		fmt.Fprintf(&b, "<doc id=\"d%d\" lang=%q year=\"%d\">\n", i, rapid.SampledFrom([]string{"en", "fr", ""}).Draw(t, "lang"), 2000+i%4)
		for range rapid.IntRange(1, 4).Draw(t, "sentences") {
			b.WriteString("<s>\n")
			for range rapid.IntRange(1, 9).Draw(t, "tokens") {
				w := rapid.SampledFrom(words).Draw(t, "word")
				tag := tags[(len(w)+int(w[0]))%len(tags)]
				fmt.Fprintf(&b, "%s\t%s\t%s\n", w, strings.ToLower(w), tag)
				if w == "," {
					b.WriteString("<g/>\n")
				}
			}
			b.WriteString("x\tx\tNOUN\n</s>\n")
		}
		b.WriteString("w\tw\tNOUN\n</doc>\n")
		docs[i] = b.String()
	}
	return docs
}

// split divides documents among shards in order. A shard has at least one document.
func split(t *rapid.T, docs []string) (parts []string) {
	for len(docs) > 0 {
		n := len(docs)
		if len(parts) < 4 {
			n = rapid.IntRange(1, len(docs)).Draw(t, "documents of a shard")
		}
		parts, docs = append(parts, strings.Join(docs[:n], "")), docs[n:]
	}
	return parts
}

func shardConfig() BuildConfig {
	cfg := DefaultBuild
	cfg.Columns = []string{"word", "lemma", "pos"}
	return cfg
}

// TestShards compares all operations over shards with one index of all documents.
func TestShards(t *testing.T) {
	testkit.Slow(t)
	property.Check(t, func(t *rapid.T) {
		docs := randomDocs(t)
		var one, many Source = buildTemp(t, strings.Join(docs, ""), shardConfig()), nil
		var shards []Shard
		for _, part := range split(t, docs) {
			shards = append(shards, buildTemp(t, part, shardConfig()))
		}
		ctx := context.Background()
		s := must.Get(NewShards(ctx, one.Dir(), shards))(t)
		many = s
		for _, x := range rapid.SampledFrom([][]Selection{nil, {{Where: `doc.lang="en"`}}, {{Where: `doc.year>=2001 & doc.lang!="fr"`}}, {{Query: `"cat"`, In: "doc"}}, {{Query: "old", In: "s"}, {Attr: "doc.lang", Values: []string{"fr", ""}}}}).Draw(t, "parts") {
			part, err := Select(ctx, one, x)
			if err != nil { // no token
				if _, err := Select(ctx, many, x); err == nil {
					t.Fatalf("%+v: shards have tokens, one index has none", x)
				}
				return
			}
			one = part
			many = must.Get(Select(ctx, many, x))(t)
		}
		if one.Size() != many.Size() || one.Condition() != many.Condition() {
			t.Fatalf("%d tokens of %s, wanted %d of %s", many.Size(), many.Condition(), one.Size(), one.Condition())
		}
		compareSources(t, one, many)
	})
}

// compareSources compares the results of two sources as JSON.
func compareSources(t *rapid.T, one, many Source) {
	ctx := context.Background()
	same := func(what string, f func(Source) (any, error)) {
		t.Helper()
		text := func(s Source) string {
			v, err := f(s)
			if err != nil {
				return "error: " + folder.ReplaceAllString(err.Error(), "")
			}
			b := must.Get(json.MarshalIndent(v, "", " "))(t)
			return string(b)
		}
		if want, got := text(one), text(many); got != want {
			t.Fatalf("%s:\n%s\nwanted\n%s", what, got, want)
		}
	}
	cql := rapid.SampledFrom([]string{`"cat"`, `[]`, `[lc="the"] []`, `"nowhere"`, `cat`, `old-house the`, `c* {the`, `1:[pos="ADJ"] 2:[pos="NOUN"] & 1.lemma!=2.lemma`, `"the" []{0,2} "dog" within <s/>`, `<s/>`, `[wrong="x"]`}).Draw(t, "query")
	fold := rapid.Bool().Draw(t, "fold")
	limit := rapid.SampledFrom([]int{0, 1, 3, 20}).Draw(t, "limit")
	draw := func(of ...string) string { return rapid.SampledFrom(of).Draw(t, "choice") }
	number := func(most int) int { return rapid.IntRange(0, most).Draw(t, "number") }
	same("count "+cql, func(s Source) (any, error) { n, canonical, err := s.Count(ctx, cql); return []any{n, canonical}, err })
	freqs := FreqConfig{Fold: fold, Limit: limit, MinHits: int64(number(2)), Sort: draw("", "word", "freq")}
	freqs.By = [][]string{{"word"}, {"lemma@-1"}, {"doc.lang"}, {"doc.year", "word@1"}, {"doc.lang", "doc.year"}, {"nothing"}}[number(5)]
	if freqs.By[0] == "doc.lang" && len(freqs.By) == 1 {
		freqs.Sort = draw("relative", "")
	}
	same(fmt.Sprintf("freqs %s %+v", cql, freqs), func(s Source) (any, error) { return s.Freqs(ctx, cql, freqs) })
	words := WordListConfig{Fold: fold, Limit: limit, NGram: number(3), Words: draw("", "w") != "", MinFreq: int64(number(3)), Sort: draw("", "docf", "word", "arf", "aldf", "dp"), DP: draw("", "doc", "doc.lang", "s"), DocFreq: draw("", "d") != "", ARF: draw("", "a") != "",
		By: draw("", "doc.lang", "doc.year"), MaxValues: number(2), Pattern: draw("", ".*a.*", "("), Attr: draw("", "lemma"), Within: draw("", "doc")}
	same(fmt.Sprintf("words %+v", words), func(s Source) (any, error) { return s.WordList(ctx, words) })
	colloc := CollocationConfig{Fold: fold, Limit: limit, Words: draw("", "w") != "", From: -number(3), To: number(3), Within: draw("doc", "s"), MinHits: int64(1 + number(1)), MinFreq: int64(1 + number(3)), Sort: draw("", "mi", "tscore", "x"), Attr: draw("", "lemma")}
	same(fmt.Sprintf("collocations %s %+v", cql, colloc), func(s Source) (any, error) { return s.Collocations(ctx, cql, colloc) })
	trends := TrendConfig{By: draw("doc.year", "doc.lang"), Fold: fold, MinFreq: int64(1 + number(3)), Limit: limit, Sort: draw("p", "change", "slope", "word")}
	same(fmt.Sprintf("trends %+v", trends), func(s Source) (any, error) { return s.Trends(ctx, trends) })
	terms := TermConfig{Fold: fold, Limit: limit, MinFreq: int64(1 + number(2)), MinTokens: 1 + number(1)}
	same(fmt.Sprintf("terms %+v", terms), func(s Source) (any, error) { return FindTermsIn(ctx, s, nil, terms) })
	keywords := KeywordConfig{Fold: fold, Limit: limit, NGram: number(2), MinFreq: int64(number(2)), Sort: draw("simple", "logl", "din")}
	condition := draw(`doc.year=2000`, `doc.lang="en"`)
	by := draw("doc.lang", "doc.year")
	same(fmt.Sprintf("keywords by %s %+v", by, keywords), func(s Source) (any, error) { return FindKeywordsBy(ctx, s, by, 2, keywords) })
	if focus, err := Part(ctx, one, condition); err == nil {
		part := must.Get(Part(ctx, many, condition))(t)
		same(fmt.Sprintf("keywords %s %+v", condition, keywords), func(s Source) (any, error) {
			if s == one {
				return FindKeywordsIn(ctx, focus, one, keywords)
			}
			return FindKeywordsIn(ctx, part, many, keywords)
		})
	}
	same("canonical "+cql, func(s Source) (any, error) { return s.Canonical(ctx, cql) })
	documents := DocumentConfig{Query: draw("", cql), First: number(3), Limit: limit, Uncounted: draw("", "u") != ""}
	same(fmt.Sprintf("documents %+v", documents), func(s Source) (any, error) {
		d, err := s.Documents(ctx, documents)
		if err != nil {
			return nil, err
		}
		var rows []Document
		for x, err := range d.Rows {
			must.Succeed(t, err)
			rows = append(rows, x)
		}
		return []any{d.Attrs, d.Total, rows}, nil
	})
	start, context := int64(number(60)), int64(number(20))
	same(fmt.Sprintf("excerpt at %d, %d", start, context), func(s Source) (any, error) { return s.Excerpt(ctx, start, start+1, context) })
	attr, prefix := draw("", "lemma", "doc.lang", "doc.id", "doc.nothing"), draw("", "c", "d", "x")
	same(fmt.Sprintf("values %q %q", attr, prefix), func(s Source) (any, error) { return s.Values(ctx, attr, prefix, limit) })
	hits := ConcordanceConfig{View: View(draw("kwic", "kwic", "sentence")), Unit: "s", Context: number(30), Tokens: draw("", "t") != "", First: number(3), Limit: limit, Sample: []int{0, 0, 1, 4}[number(3)], Seed: 7, Uncounted: draw("", "u") != ""}
	hits.Sort = [][]string{nil, nil, {"left"}, {"right", "doc.year"}, {"match", "left"}, {"doc.lang", "s"}, {"doc", "right"}}[number(6)]
	hits.Refs = [][]string{nil, {"doc.id", "s"}, {"doc", "doc.lang"}}[number(2)]
	if draw("", "good") != "" {
		hits.View, hits.Sort, hits.Uncounted, hits.Good = Sentence, nil, false, gdex.Default()
		hits.Good.Length, hits.Good.Whole, hits.Good.Rare.Common, hits.Good.Rare.Limit = gdex.Length{}, gdex.Feature{}, number(9), 1
	}
	format := draw("json", "tsv", "html")
	same(fmt.Sprintf("hits %s %+v", cql, hits), func(s Source) (any, error) {
		k, err := s.Search(ctx, cql, hits)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = k.Write(ctx, &b, format)
		shown := k.Shown
		if hits.Uncounted {
			shown = 0 // one index does not count a first page either, but skips hits without counting
			b.Reset()
			for l, err := range k.Lines(ctx) {
				must.Succeed(t, err)
				fmt.Fprintf(&b, "%+v\n", l)
			}
		}
		return []any{b.String(), shown}, err
	})
}

var folder = regexp.MustCompile(`corpus \S+: `)

// lost is a shard that fails.
type lost struct {
	Shard
	after int // rows
}

func (l lost) Ask(ctx context.Context, r *Request) (*Counts, error) {
	c, err := l.Shard.Ask(ctx, r)
	if r.Op == OpSize || err != nil {
		return c, err
	}
	if l.after < 0 || c.Rows == nil {
		return nil, errors.New("connection refused")
	}
	rows := c.Rows
	c.Rows = func(yield func(Row, error) bool) {
		n := 0
		for row, err := range rows {
			if n++; n > l.after {
				yield(Row{}, errors.New("connection reset"))
				return
			}
			if !yield(row, err) {
				return
			}
		}
		yield(Row{}, errors.New("connection reset"))
	}
	return c, nil
}

// TestLostShard: a shard that fails at once or while its rows are read is an error that names it.
func TestLostShard(t *testing.T) {
	for _, after := range []int{-1, 0, 1} {
		a, b := build(t, zoo, "word"), build(t, strings.ReplaceAll(zoo, `<doc id="`, `<doc id="b`), "word")
		s := must.Get(NewShards(t.Context(), "both", []Shard{a, lost{b, after}}))(t)
		for what, f := range map[string]func() error{
			"count":        func() error { return func() error { _, _, err := s.Count(t.Context(), `"cat"`); return err }() },
			"freqs":        func() error { return must.Err(s.Freqs(t.Context(), `"cat"`, FreqConfig{By: []string{"word@1"}})) },
			"words":        func() error { return must.Err(s.WordList(t.Context(), WordListConfig{})) },
			"collocations": func() error { return must.Err(s.Collocations(t.Context(), `"cat"`, CollocationConfig{MinHits: 1})) },
			"keywords":     func() error { return must.Err(FindKeywordsIn(t.Context(), s, a, KeywordConfig{})) },
			"parts":        func() error { return must.Err(s.Breakdown(t.Context(), "doc.lang")) },
			"bins":         func() error { return must.Err(s.Bins(t.Context(), `"cat"`, 4)) },
			"hits": func() error {
				k, err := s.Search(t.Context(), `"cat"`, ConcordanceConfig{View: KWIC, Uncounted: true})
				if err != nil {
					return err
				}
				return lastError(k.Lines(t.Context()))
			},
		} {
			if err := f(); err == nil || !strings.Contains(err.Error(), b.Dir()) || !strings.Contains(err.Error(), "connection") {
				t.Errorf("%s after %d rows: %v", what, after, err)
			}
		}
	}
}

func lastError[T any](rows iter.Seq2[T, error]) (err error) {
	for _, err = range rows {
	}
	return err
}

// TestShardSizes: bins and positions count all shards.
func TestShardSizes(t *testing.T) {
	whole := build(t, zoo+strings.ReplaceAll(zoo, "cat", "lion"), "word")
	s := must.Get(NewShards(t.Context(), "both", []Shard{build(t, zoo, "word"), build(t, strings.ReplaceAll(zoo, "cat", "lion"), "word")}))(t)
	bins := must.Get(s.Bins(t.Context(), `"lion"`, 4))(t)
	if fmt.Sprint(bins) != "[0 0 2 2]" {
		t.Errorf("bins %v", bins)
	}
	a := must.Get(whole.Describe(t.Context()))(t)
	b := must.Get(s.Describe(t.Context()))(t)
	for i := range a.Structures {
		if a.Structures[i].Name != b.Structures[i].Name || a.Structures[i].Count != b.Structures[i].Count {
			t.Errorf("structure %+v, wanted %+v", b.Structures[i], a.Structures[i])
		}
	}
	if a.Tokens != b.Tokens {
		t.Errorf("%d tokens, wanted %d", b.Tokens, a.Tokens)
	}
}
