package corpus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// segmentText is a vertical with a segment for each string, whose words are separated by spaces.
func segmentText(segments []string) string {
	var b strings.Builder
	b.WriteString("<doc id=\"d\">\n")
	for i, s := range segments {
		fmt.Fprintf(&b, "<align id=\"%d\">\n", i)
		for w := range strings.FieldsSeq(s) {
			b.WriteString(w + "\n")
		}
		b.WriteString("</align>\n")
	}
	return b.String() + "</doc>\n"
}

// alignPair indexes two texts in the folders en and de.
func alignPair(t *testing.T, en, de []string) (*Corpus, *Corpus) {
	t.Helper()
	dir := t.TempDir()
	var out [2]*Corpus
	for i, text := range [][]string{en, de} {
		path := filepath.Join(dir, []string{"en.idx", "de.idx"}[i])
		must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(segmentText(text)), path, DefaultBuild)))
		c := must.Get(Open(path))(t)
		t.Cleanup(func() { c.Close() })
		out[i] = c
	}
	return out[0], out[1]
}

func countOf(t *testing.T, c *Corpus, cql string) int64 {
	t.Helper()
	q := must.Get(c.Query(t.Context(), cql))(t)
	return must.Get(q.Count(t.Context()))(t)
}

var (
	english = []string{"the cat sleeps", "a dog", "", "the dog and the cat", "birds sing", "the end"}
	german  = []string{"die Katze", "schläft", "ein Hund", "der Hund und die Katze", "es", "Vögel singen", "das Ende"}
)

const mapping = "0\t0,1\n1\t2\n2\t-1\n3\t3\n-1\t4\n4:5\t5:6\n"

// TestAlign reads a mapping file of Manatee, and queries both directions.
func TestAlign(t *testing.T) {
	en, de := alignPair(t, english, german)
	rep := must.Get(Align(t.Context(), en, de, AlignConfig{Mapping: strings.NewReader(mapping)}))(t)
	if want := (AlignReport{Names: [2]string{"en", "de"}, Beads: 5, Segments: [2]int{6, 7}, Aligned: [2]int{5, 6}}); rep != want {
		t.Errorf("%+v, wanted %+v", rep, want)
	}
	for _, x := range []struct {
		c    *Corpus
		cql  string
		want int64
	}{
		{en, `"cat"`, 2},
		{en, `"cat" within de: "Katze"`, 2},
		{en, `"cat" within de: "schläft"`, 1},
		{en, `"cat" within de: "Hund"`, 1},
		{en, `"cat" !within de: "Hund"`, 1},
		{en, `"the" [] within de: "Katze"`, 3},
		{en, `[] within de: "es"`, 0},
		{en, `"cat" within de: ("Katze" within en: "sleeps")`, 1},
		{en, `("cat" within de: "Hund") | ("birds" within de: "Vögel")`, 2},
		{en, `1:"cat" within de: "die" & 1.word = 1.lc`, 2},
		{de, `"Katze" within en: "dog"`, 1},
		{de, `"es" !within en: []`, 1},
		{de, `"die" "Katze" within en: "cat" []`, 1},
		{de, `"die" "Katze" "schläft" within en: "cat"`, 1},
	} {
		if got := countOf(t, x.c, x.cql); got != x.want {
			t.Errorf("%s: %d matches, wanted %d", x.cql, got, x.want)
		}
	}
	q := must.Get(en.Query(t.Context(), `"cat"`))(t)
	cfg := DefaultConcordance
	cfg.Aligned = []string{"de"}
	k := must.Get(q.Concordance(t.Context(), cfg))(t)
	var texts []string
	for l, err := range k.Lines(t.Context()) {
		must.Succeed(t, err)
		texts = append(texts, l.Aligned...)
	}
	if want := []string{"die Katze schläft", "der Hund und die Katze"}; !slices.Equal(texts, want) {
		t.Errorf("%q, wanted %q", texts, want)
	}
	if got := en.Alignments(); !slices.Equal(got, []string{"de"}) {
		t.Errorf("alignments %q", got)
	}
}

// TestAlignedKept keeps the results of few conditions on the aligned corpus, and none that depends on
// other files.
func TestAlignedKept(t *testing.T) {
	en, de := alignPair(t, english, german)
	must.Succeed(t, must.Err(Align(t.Context(), en, de, AlignConfig{Mapping: strings.NewReader(mapping)})))
	a := must.Get(en.Aligned("de"))(t)
	for i, x := range []struct {
		cql  string
		want int64
		kept int
	}{
		{`"cat" within de: "Katze"`, 2, 1},
		{`"cat" within de: "Katze"`, 2, 1},
		{`"cat" within de: "Hund"`, 1, 2},
		{`"cat" within de: ("Katze" within en: "dog")`, 1, 2},
		{`"dog" within de: "Hund"`, 2, 3},
		{`"cat" within de: "Hund" within de: "die"`, 1, 4},
		{`"cat" within de: "Katze"`, 2, 4},
	} {
		if got := countOf(t, en, x.cql); got != x.want || len(a.recent) != x.kept {
			t.Errorf("%d: %s: %d matches, %d kept, wanted %d and %d", i, x.cql, got, len(a.recent), x.want, x.kept)
		}
	}
}

// TestAlignBy aligns by number, by equal values and by pairs of values, and reports unusable mappings.
func TestAlignBy(t *testing.T) {
	en, de := alignPair(t, english, german)
	for _, x := range []struct {
		attr, mapping string
		beads         int
		problem       string
	}{
		{"", "", 0, "6 structures <align>"},
		{"id", "", 6, ""},
		{"id", "0\t0 1\n1\t2\n2\t\n", 2, ""},
		{"id", "0\t0 2\n", 0, "line 1"},
		{"id", "9\t0\n", 0, `no <align id="9">`},
		{"nope", "", 0, "nope"},
		{"", "0\t0\n1\t0\n", 0, "lines 1 and 2: segment 0"},
		{"", "0\t0\n2\t3\n1\t1\n", 3, ""},
		{"", "0\t7\n", 0, "has 7 structures"},
		{"", "0 0\n", 0, "1 columns"},
		{"", "0\tx\n", 0, `"x"`},
		{"", "3,1\t0\n", 0, `"3,1"`},
		{"", "0:1\t0:2\n", 0, "wanted equal lengths"},
		{"", "0:1\t0,1\n", 0, "in both columns"},
		{"", "5\t-1\n", 0, "no structures <align> correspond"},
		{"id", "5\t-1\n", 0, `id begins with "0" and "0"`},
		{"", "0\t99999999999999999999\n", 0, "line 1"},
	} {
		cfg := AlignConfig{Attr: x.attr}
		if x.mapping != "" {
			cfg.Mapping = strings.NewReader(x.mapping)
		}
		rep, err := Align(t.Context(), en, de, cfg)
		switch {
		case x.problem == "" && (err != nil || rep.Beads != x.beads):
			t.Errorf("%q by %q: %v: %d beads, wanted %d", x.mapping, x.attr, err, rep.Beads, x.beads)
		case x.problem != "" && (err == nil || !strings.Contains(err.Error(), x.problem)):
			t.Errorf("%q by %q: error %v, wanted %s", x.mapping, x.attr, err, x.problem)
		}
	}
	if _, err := Align(t.Context(), en, en, AlignConfig{}); err == nil || !strings.Contains(err.Error(), "both corpora are named") {
		t.Errorf("one corpus with itself: %v", err)
	}
}

// TestAlignedErrors: a query names the missing alignment with its place, and an index that was built
// again needs a new alignment.
func TestAlignedErrors(t *testing.T) {
	en, de := alignPair(t, english, german)
	_, err := en.Query(t.Context(), `"cat" within de: "Katze"`)
	if s := (*SyntaxError)(nil); !errors.As(err, &s) || s.Offset != 13 || !strings.Contains(s.What, "corpus align") {
		t.Errorf("without alignment: %v", err)
	}
	must.Succeed(t, must.Err(Align(t.Context(), en, de, AlignConfig{Mapping: strings.NewReader(mapping)})))
	for cql, want := range map[string]string{
		`"cat" within fr: "chat"`:        "it has de",
		`"cat" within de: 1:"Katze"`:     "without labels",
		`"cat" within de: [lemma="x"]`:   "no attribute 'lemma'",
		`"cat" within de:`:               "the end",
		`"cat" containing de: "Katze" 1`: "wanted",
	} {
		if _, err := en.Query(t.Context(), cql); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, wanted %s", cql, err, want)
		}
	}
	must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(segmentText(german[1:])), de.Dir(), DefaultBuild)))
	if _, err := en.Query(t.Context(), `"cat" within de: "Katze"`); err == nil || !strings.Contains(err.Error(), "align the corpora again") {
		t.Errorf("after another build: %v", err)
	}
}

// TestTranslations compares the list with a computation over the segments.
func TestTranslations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var en, de []string
	for range 300 {
		var a, b []string
		for i := range 8 {
			if r.IntN(4) == 0 {
				a = append(a, fmt.Sprintf("w%d", i))
				if r.IntN(5) > 0 {
					b = append(b, fmt.Sprintf("v%d", i), fmt.Sprintf("v%d", i))
				}
			}
		}
		en, de = append(en, strings.Join(a, " ")), append(de, strings.Join(append(b, "the"), " "))
	}
	x, y := alignPair(t, en, de)
	must.Succeed(t, must.Err(Align(t.Context(), x, y, AlignConfig{})))
	got := must.Get(x.Translations(t.Context(), `"w3"`, TranslationConfig{Aligned: "de"}))(t)
	segments, hits, freq, joint := int64(0), int64(0), map[string]int64{}, map[string]int64{}
	for i := range en {
		segments++
		has := slices.Contains(strings.Fields(en[i]), "w3")
		if has {
			hits++
		}
		words := strings.Fields(de[i])
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			freq[w]++
			if has {
				joint[w]++
			}
		}
	}
	if got.Segments != segments || got.Hits != hits || len(got.Rows) == 0 || got.Rows[0].Word != "v3" {
		t.Fatalf("%+v", got)
	}
	for _, row := range got.Rows {
		if row.Freq != freq[row.Word] || row.Hits != joint[row.Word] || row.Word == "the" {
			t.Errorf("%+v, wanted freq %d, hits %d", row, freq[row.Word], joint[row.Word])
		}
	}
	if want := Measures[0].Score(float64(joint["v3"]), float64(freq["v3"]), float64(hits), float64(segments)); got.Rows[0].LogDice != want {
		t.Errorf("logDice %g, wanted %g", got.Rows[0].LogDice, want)
	}
	if all, err := x.Translations(t.Context(), `"w3"`, TranslationConfig{Aligned: "de", MinLikelihood: 1e-9}); err != nil || all.Types < got.Types {
		t.Errorf("a lower floor gives %d candidates, %d before: %v", all.Types, got.Types, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Translations(gone, `"w3"`, TranslationConfig{Aligned: "de"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// TestTranslationsOfPart counts only the segments of the part.
func TestTranslationsOfPart(t *testing.T) {
	en, de := alignPair(t, english, german)
	must.Succeed(t, must.Err(Align(t.Context(), en, de, AlignConfig{Mapping: strings.NewReader(mapping)})))
	part := must.Get(en.Where(t.Context(), `align.id>=3`))(t)
	got := must.Get(part.Translations(t.Context(), `"cat"`, TranslationConfig{Aligned: "de", MinHits: 1, MinLikelihood: 0.1}))(t)
	if got.Segments != 3 || got.Hits != 1 {
		t.Errorf("%d segments, %d hits, wanted 3 and 1", got.Segments, got.Hits)
	}
	want := []string{"Hund", "Katze", "der", "die", "und"}
	var words []string
	for _, r := range got.Rows {
		words = append(words, r.Word)
	}
	if slices.Sort(words); !reflect.DeepEqual(words, want) {
		t.Errorf("%q, wanted %q", words, want)
	}
}

// TestAlignedCrossing compares queries over random beads, some of them crossing, with a search over the
// segments.
func TestAlignedCrossing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	text := func(n int) (s []string) {
		for range n {
			s = append(s, strings.TrimSpace(strings.Repeat("a ", r.IntN(3))+strings.Repeat("b ", r.IntN(3))))
		}
		return s
	}
	one, two := text(60), text(60)
	x, y := alignPair(t, one, two)
	to := r.Perm(60)
	var lines strings.Builder
	for i, j := range to {
		if i%7 > 0 {
			fmt.Fprintf(&lines, "%d\t%d\n", i, j)
		}
	}
	must.Succeed(t, must.Err(Align(t.Context(), x, y, AlignConfig{Mapping: strings.NewReader(lines.String())})))
	var with, back int64
	for i, j := range to {
		if i%7 == 0 {
			continue
		}
		if strings.Contains(two[j], "b b") {
			with += int64(strings.Count(one[i], "a"))
		}
		if strings.Contains(one[i], "b b") {
			back += int64(strings.Count(two[j], "a"))
		}
	}
	all := int64(strings.Count(strings.Join(one, " "), "a"))
	for _, q := range []struct {
		c    *Corpus
		cql  string
		want int64
	}{{x, `"a" within de: "b" "b"`, with}, {x, `"a" !within de: "b" "b"`, all - with}, {y, `"a" within en: "b" "b"`, back}} {
		if got := countOf(t, q.c, q.cql); got != q.want || q.want == 0 {
			t.Errorf("%s: %d matches, wanted %d", q.cql, got, q.want)
		}
	}
}
