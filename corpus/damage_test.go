package corpus

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/bitpack"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// rewritten returns an index whose section name holds b instead, with valid checksums.
func rewritten(t *testing.T, from *model.File, name string, b []byte) *model.File {
	t.Helper()
	w := model.Memory(from.Header)
	for _, s := range from.Sections() {
		x, _ := from.Section(s)
		if s == name {
			x = b
		}
		w.Section(s)
		if _, err := w.Write(x); err != nil {
			t.Fatal(err)
		}
	}
	whole := must.Get(w.Bytes())(t)
	return must.Get(model.Parse("damaged", whole))(t)
}

// changedNumbers yields packed arrays in which one number is another one.
func changedNumbers(t *testing.T, b []byte) (all [][]byte) {
	t.Helper()
	a, err := bitpack.Parse(b)
	if err != nil {
		return nil // not an array
	}
	for i := range a.Len() {
		for _, x := range []uint64{0, uint64(a.Len()), a.At(i) + 1, 1<<32 - 1, 1<<bitpack.MaxWidth - 1} {
			var out strings.Builder
			w := bitpack.NewWriter(&out, bitpack.MaxWidth)
			for j := range a.Len() {
				if j == i {
					w.Add(x)
				} else {
					w.Add(a.At(j))
				}
			}
			must.Succeed(t, w.Close())
			all = append(all, []byte(out.String()))
		}
	}
	return all
}

// TestDamagedNumbers changes every number of an index in several ways, with valid checksums:
// whatever is asked ends with an answer or an error.
func TestDamagedNumbers(t *testing.T) {
	b, _ := buildBytes(t, sample, BuildConfig{Columns: []string{"word", "lemma", "tag"}, Lower: "lc", Document: "doc", Memory: 1 << 20})
	whole := must.Get(model.Parse("whole", b))(t)
	other := must.Get(readIndex("other", whole))(t)
	opened := 0
	for _, name := range whole.Sections() {
		s, _ := whole.Section(name)
		changes := changedNumbers(t, s)
		if len(changes) == 0 {
			for i := range s {
				d := slices.Clone(s)
				d[i] ^= 0xff
				changes = append(changes, d)
			}
		}
		for i, d := range changes {
			if !testkit.Part(i, 5) {
				continue
			}
			c, err := readIndex("damaged", rewritten(t, whole, name, d))
			if err != nil {
				continue
			}
			opened++
			for what, ask := range questions(c, other) {
				if err := panics.Catch(func() error { return ask(t.Context()) }); errors.As(err, new(*panics.Panic)) {
					t.Fatalf("%s, change %d: %s: %s", name, i, what, panics.Detail(err))
				}
			}
		}
	}
	if testkit.Long() && opened < 200 || testkit.Whole() && opened < 1000 {
		t.Errorf("only %d damaged indexes were opened", opened)
	}
}

// questions are all that can be asked of a corpus.
func questions(c, other *Corpus) map[string]func(context.Context) error {
	all := map[string]func(context.Context) error{
		"words": func(ctx context.Context) error {
			_, err := c.WordList(ctx, WordListConfig{DocFreq: true, ARF: true, By: "doc.lang", Fold: true})
			return err
		},
		"n-grams": func(ctx context.Context) error {
			_, err := c.WordList(ctx, WordListConfig{NGram: 2, DocFreq: true, ARF: true, By: "doc.lang"})
			return err
		},
		"keywords": func(ctx context.Context) error {
			_, err := FindKeywords(ctx, c, other, KeywordConfig{NGram: 2})
			return err
		},
		"collocations": func(ctx context.Context) error {
			_, err := c.Collocations(ctx, `[tag="N"]`, CollocationConfig{Within: "s", MinHits: 1, MinFreq: 1, Fold: true})
			return err
		},
		"freq": func(ctx context.Context) error {
			_, err := c.Freqs(ctx, `1:[tag="N"] []`, FreqConfig{By: []string{"word", "word@-1", "lc@1", "1.lemma", "doc.lang"}, Fold: true})
			return err
		},
		"part": func(ctx context.Context) error {
			part, err := c.Where(ctx, `doc.lang="en" | !doc.id="1"`)
			if err != nil {
				return err
			}
			if _, err := part.Collocations(ctx, `[]`, CollocationConfig{MinHits: 1, MinFreq: 1}); err != nil {
				return err
			}
			_, err = part.WordList(ctx, WordListConfig{By: "doc.lang", ARF: true})
			return err
		},
		"breakdown": func(ctx context.Context) error {
			_, err := c.Breakdown(ctx, "doc.id")
			return err
		},
		"compare": func(ctx context.Context) error {
			_, err := Compare(ctx, c, other, CompareConfig{MinFreq: 1})
			return err
		},
		"compared with": func(ctx context.Context) error {
			_, err := Compare(ctx, other, c, CompareConfig{MinFreq: 1})
			return err
		},
		"info": func(context.Context) error {
			_, err := c.Info()
			return err
		},
	}
	for _, cql := range []string{
		`[lc="c.*" & tag!="N"] []{0,2} [tag="N"]`, `"THE"%c`, `"c.*"%cd`, `<s/> containing "cat"`, `[] within <doc lang="e.*"/>`, `[lemma="."] </s>`,
		`1:[] []* 2:[] & 1.lemma=2.lemma & f(1.lc)>=1`, `[] !within <s/>`, `(meet [] "the"%c -3 3)`, `<doc/>`, `"nothing"`,
	} {
		all[cql] = func(ctx context.Context) error {
			q, err := c.Query(ctx, cql)
			if err != nil {
				return err
			}
			q.Hints()
			if _, err := q.Count(ctx); err != nil {
				return err
			}
			for _, sorts := range [][]string{nil, {"left", "right", "match"}, {"doc.lang", "doc"}} {
				k, err := q.Concordance(ctx, ConcordanceConfig{View: KWIC, Context: 20, Sort: sorts, Refs: []string{"doc.id", "s"}})
				if err != nil {
					return err
				}
				if err := k.Write(ctx, io.Discard, "text"); err != nil {
					return err
				}
			}
			k, err := q.Concordance(ctx, ConcordanceConfig{View: Sentence, Unit: "s", Sample: 2})
			if err != nil {
				return err
			}
			return k.Write(ctx, io.Discard, "json")
		}
	}
	return all
}

// TestDeadlines: everything ends with the error of its context, at the latest with the next
// of all looks at it: also what compiles, sorts and counts.
func TestDeadlines(t *testing.T) {
	testkit.Slow(t)
	size := 4000
	if !testkit.Whole() {
		size = 1500
	}
	c := buildWith(t, zipf(size), zipfConfig())
	other := buildWith(t, zipf(1000), zipfConfig())
	all := questions(c, other)
	delete(all, "info")
	delete(all, `"nothing"`) // looked up
	delete(all, `"THE"%c`)   // looked up, once the folded values are there
	all[`[word="`+strings.Repeat(`\p{L}*`, 300)+`"]`] = func(ctx context.Context) error {
		_, err := c.Query(ctx, `[word="`+strings.Repeat(`\p{L}*`, 300)+`"]`)
		return err
	}
	all["pattern"] = func(ctx context.Context) error {
		_, err := c.WordList(ctx, WordListConfig{Pattern: strings.Repeat(`\p{L}*`, 300)})
		return err
	}
	for what, ask := range all {
		looks := 0
		for left := 1; ; left *= 4 {
			ctx := &looked{Context: t.Context(), left: left}
			err := ask(ctx)
			if ctx.left >= 0 {
				break // it needs no more
			}
			if looks++; !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s ended with %v after %d looks at its context, wanted %v", what, err, left, context.DeadlineExceeded)
				break
			}
			if over := -ctx.left; over > 4096 {
				t.Errorf("%s looked %d times more at its context when it had ended", what, over)
			}
			if left > 1<<20 {
				break
			}
		}
		if looks == 0 {
			t.Errorf("%s never looks at its context", what)
		}
	}
}

// looked is a context that ends after some looks at it.
type looked struct {
	context.Context
	left int
}

func (l *looked) Err() error {
	if l.left--; l.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestHeavyQuery: queries that would take more memory or time than there is are refused.
func TestHeavyQuery(t *testing.T) {
	testkit.Slow(t)
	c := build(t, strings.Repeat("a\n", 3000), "word")
	for cql, want := range map[string]string{
		`[word="` + strings.Repeat("(x{0,500})", 2000) + `"]`: "steps, wanted at most",
		`[word="` + strings.Repeat("ab|", 30_000) + `"]`:      "bytes, wanted at most",
		`[word="` + strings.Repeat(`\p{L}`, 14_000) + `"]`:    "bytes, wanted at most",
	} {
		_, err := c.Query(t.Context(), cql)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s...: %.200v, wanted %q", cql, err, want)
		}
	}
	// One place with n*n ways and one result each: they are not all held.
	q := must.Get(c.Query(t.Context(), `[]* []* []{2999}`))(t)
	for m, err := range q.Matches(t.Context()) {
		if err != nil || m.Start != 0 {
			t.Errorf("%v, %v", m, err)
		}
		break
	}
}
