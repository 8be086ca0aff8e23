package sketch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/bitpack"
	"chaffinch/internal/testkit/must"
)

// sentences writes sentences of tokens word/pos as a vertical with the columns word, lemma, pos, tag,
// feats and lempos.
func sentences(sents ...string) string {
	var b strings.Builder
	b.WriteString("<doc>\n")
	for _, s := range sents {
		b.WriteString("<s>\n")
		for t := range strings.FieldsSeq(s) {
			word, pos, _ := strings.Cut(t, "/")
			lemma := strings.ToLower(word)
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t\t%s-%s\n", word, lemma, pos, pos, lemma, strings.ToLower(pos[:1]))
		}
		b.WriteString("</s>\n")
	}
	b.WriteString("</doc>\n")
	return b.String()
}

func index(t testing.TB, vert string, columns ...string) *corpus.Corpus {
	t.Helper()
	cfg := corpus.DefaultBuild
	if cfg.Columns = columns; columns == nil {
		cfg.Columns = []string{"word", "lemma", "pos", "tag", "feats", "lempos"}
	}
	dir := t.TempDir()
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vert), dir, cfg)))
	c := must.Get(corpus.Open(dir))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

func compute(t testing.TB, c *corpus.Corpus, grammar string, cfg BuildConfig) (*Sketches, BuildReport) {
	t.Helper()
	g := must.Get(Parse("test", grammar))(t)
	rep := must.Get(Build(t.Context(), c, g, cfg))(t)
	s := must.Get(Open(c))(t)
	return s, rep
}

// all shows everything of a sketch.
var all = Config{}

// shown returns the relations of a headword as "NAME TOTAL: WORD HITS, ...".
func shown(t testing.TB, s *Sketches, word string, cfg Config) (out []string) {
	t.Helper()
	k := must.Get(s.Word(t.Context(), word, cfg))(t)
	for _, r := range k.Relations {
		var list []string
		for _, c := range r.Collocates {
			list = append(list, fmt.Sprintf("%s %d", c.Word, c.Hits))
		}
		slices.Sort(list)
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %d: %s", r.Name, r.Hits, strings.Join(list, ", "))))
	}
	return out
}

func wantShown(t testing.TB, s *Sketches, word string, cfg Config, want ...string) {
	t.Helper()
	if got := shown(t, s, word, cfg); !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", word, got, want)
	}
}

const grammar = `
define(` + "`NOMINAL', `[pos=\"N\"]'" + `)
*STRUCTLIMIT s
*DEFAULTATTR pos

*DUAL
=objects of "%w"/verbs with "%w" as object
*UNIMAP object/object_of
	1:"V" []{0,2} 2:NOMINAL
	1:"V" 2:NOMINAL

="%w" and/or ...
*SYMMETRIC
	1:NOMINAL [word="and"] 2:NOMINAL

*UNARY
=at the end
	1:NOMINAL </s>

*SEPARATEPAGE prepositional phrases
*DUAL
*TRINARY
="%w" %(3.lemma) .../... %(3.lemma) "%w"
	1:[pos="V|N"] 3:"P" 2:NOMINAL
`

// TestCounts fixes the counts of a made corpus by hand.
func TestCounts(t *testing.T) {
	c := index(t, sentences(
		"drink/V tea/N and/C coffee/N",      // two objects of one verb; symmetric; coffee at the end
		"drink/V good/J tea/N",              // tea at the end
		"drink/V tea/N in/P bed/N at/P x/N", // objects: tea, and bed within two tokens
		"drink/V",                           // the limit: no object in the next sentence
		"tea/N",
	))
	s, rep := compute(t, c, grammar, BuildConfig{})
	// Both queries find drink and tea of the first and third sentence: they count once.
	wantShown(t, s, "drink-v", all,
		`objects of "drink" 5: bed-n 1, coffee-n 1, tea-n 3`,
		// "drink in" does not occur: the preposition follows tea
	)
	wantShown(t, s, "tea-n", all,
		`verbs with "tea" as object 3: drink-v 3`,
		`"tea" and/or ... 1: coffee-n 1`,
		`at the end 2:`,
		`"tea" in ... 1: bed-n 1`,
	)
	wantShown(t, s, "coffee-n", all, `verbs with "coffee" as object 1: drink-v 1`, `"coffee" and/or ... 1: tea-n 1`, `at the end 1:`)
	wantShown(t, s, "bed-n", all, `verbs with "bed" as object 1: drink-v 1`, `"bed" at ... 1: x-n 1`, `... in "bed" 1: tea-n 1`)
	if rep.Records != 5*2+2+4+2*2 || rep.Words != 5 {
		t.Errorf("%d instances of %d words", rep.Records, rep.Words)
	}
}

// TestLogDice fixes the denominator of logDice: f(w1,R,*) + f(*,*,w2).
func TestLogDice(t *testing.T) {
	c := index(t, sentences("drink/V tea/N", "drink/V coffee/N", "drink/V tea/N", "make/V tea/N and/C noise/N"))
	s, _ := compute(t, c, grammar, BuildConfig{})
	k := must.Get(s.Word(t.Context(), "drink-v", all))(t)
	// f(drink, object, tea) = 2 and f(drink, object, *) = 3. tea is a collocate 3 times as an object,
	// and once with noise.
	want := 14 + math.Log2(2*2./(3+4))
	// coffee: 1, 3 and 1
	for i, w := range []WordCollocate{{"tea-n", 2, want}, {"coffee-n", 1, 14 + math.Log2(2*1./(3+1))}} {
		if got := k.Relations[0].Collocates[i]; got.Word != w.Word || got.Hits != w.Hits || math.Abs(got.Score-w.Score) > 1e-12 {
			t.Errorf("%+v, wanted %+v", got, w)
		}
	}
	if got := LogDice(7, 7, 7); got != 14 {
		t.Errorf("maximum %f", got)
	}
}

// TestMultiword restricts a headword to its instances with a collocate.
func TestMultiword(t *testing.T) {
	c := index(t, sentences("give/V talk/N in/P Brno/N", "give/V talk/N in/P Oslo/N", "give/V tea/N in/P Oslo/N"))
	s, _ := compute(t, c, strings.NewReplacer(`1:[pos="V|N"] 3:"P"`, `1:"V" [] 3:"P"`, `[]{0,2}`, `"J"{0,2}`).Replace(grammar), BuildConfig{})
	with := Config{With: []string{"object=talk-n"}}
	wantShown(t, s, "give", with, `objects of "give" 2: talk-n 2`, `"give" in ... 2: brno-n 1, oslo-n 1`)
	with.With = append(with.With, `"give" in ...=oslo`)
	wantShown(t, s, "give-v", with, `objects of "give" 1: talk-n 1`, `"give" in ... 1: oslo-n 1`)
	// Any relation: the object talk, and the place Oslo.
	wantShown(t, s, "give-v", Config{With: []string{"talk-n", "oslo-n"}}, `objects of "give" 1: talk-n 1`, `"give" in ... 1: oslo-n 1`)
	for with, want := range map[string]string{
		"object=": "RELATION=COLLOCATE", "subject=talk-n": `no relation "subject" of give-v`, "object=xyz": `no word sketch of "xyz"`, "object=brno-n": "no instance of give-v",
	} {
		_, err := s.Word(t.Context(), "give-v", Config{With: []string{with}})
		must.Fail(t, err, want)
	}
}

// TestQuery finds the tokens of a headword with a collocate by ws in a query.
func TestQuery(t *testing.T) {
	c := index(t, sentences("drink/V good/J tea/N", "x/X drink/V tea/N", "drink/V milk/N and/C tea/N"))
	_, err := c.Query(t.Context(), `[ws("drink-v", "object", "tea")]`)
	must.Fail(t, err, "no word sketches")
	compute(t, c, grammar, BuildConfig{})
	for cql, want := range map[string]string{
		`[ws("drink-v", "object", "tea")]`:                                       "0-1 4-5 6-7",
		`[ws("drink", "objects of \"drink\"", "")]`:                              "0-1 4-5 6-7",
		`[ws("drink-v", "object", "tea") & !ws("drink-v", "object", "milk")] []`: "0-2 4-6",
		`[ws("drink-v", 'objects of "%w"', "milk-n")] []* [word="tea"]`:          "6-10",
	} {
		q := must.Get(c.Query(t.Context(), cql))(t)
		var got []string
		for m, err := range q.Matches(t.Context()) {
			must.Succeed(t, err)
			got = append(got, fmt.Sprintf("%d-%d", m.Start, m.End))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, wanted %q", cql, got, want)
		}
	}
	for cql, want := range map[string]string{
		`[ws("drink-v", "object")]`:        `found ')', wanted ',' after a value, as in ws("take-v", "object", "look-n")`,
		`[ws("drink-v", "subject", "")]`:   `column 2: no relation "subject" of drink-v`,
		`[ws("run-v", "object", "tea-n")]`: `no word sketch of "run-v"`,
		`<s ws("a", "b", "c")>`:            "wanted an attribute before it",
	} {
		_, err := c.Query(t.Context(), cql)
		must.Fail(t, err, want)
	}
	compute(t, c, strings.Replace(grammar, "=objects of", "=accusatives of", 1), BuildConfig{})
	must.Succeed(t, must.Err(c.Query(t.Context(), `[ws("drink-v", "accusatives of", "tea")]`)))
}

// TestSame: the file depends neither on the number of workers nor on the memory.
func TestSame(t *testing.T) {
	var sents []string
	for i := range 3000 {
		sents = append(sents, fmt.Sprintf("v%d/V n%d/N and/C n%d/N in/P n%d/N", i%17, i%101, i%29, i%7))
	}
	c := index(t, sentences(sents...))
	var first [32]byte
	for i, cfg := range []BuildConfig{{Workers: 1}, {Workers: 4}, {Workers: 3, Memory: 1}} {
		compute(t, c, grammar, cfg)
		sum := sha256.Sum256(must.Read(t, filepath.Join(c.Dir(), fileName)))
		if i == 0 {
			first = sum
		} else if sum != first {
			t.Errorf("%+v: another file", cfg)
		}
	}
}

// TestPart finds tokens in a part of a corpus, which opens the sketches first.
func TestPart(t *testing.T) {
	c := index(t, strings.Replace(sentences("drink/V milk/N"), "<doc>", `<doc id="1">`, 1)+strings.Replace(sentences("drink/V tea/N"), "<doc>", `<doc id="2">`, 1))
	g := must.Get(Parse("test", grammar))(t)
	must.Succeed(t, must.Err(Build(t.Context(), c, g, DefaultBuild)))
	for id, want := range map[string]int64{"1": 0, "2": 1} {
		part := must.Get(c.Where(t.Context(), `doc.id="`+id+`"`))(t)
		q := must.Get(part.Query(t.Context(), `[ws("drink-v", "object", "tea-n")]`))(t)
		if n, err := q.Count(t.Context()); err != nil || n != want {
			t.Errorf("document %s: %d matches, %v, wanted %d", id, n, err, want)
		}
	}
	part := must.Get(c.Where(t.Context(), `doc.id="1"`))(t)
	must.Fail(t, must.Err(Build(t.Context(), part, g, DefaultBuild)), "wanted the whole one")
}

// TestSketchOfPart: the sketches of a part are equal to the sketches of a corpus of only its documents.
func TestSketchOfPart(t *testing.T) {
	doc := func(name string, sents ...string) string {
		return strings.Replace(sentences(sents...), "<doc>", `<doc part="`+name+`">`, 1)
	}
	a1 := doc("a", "drink/V tea/N and/C coffee/N", "drink/V milk/N", "eat/V cake/N in/P bed/N")
	a2 := doc("a", "eat/V milk/N and/C cake/N", "drink/V tea/N in/P bed/N")
	b := doc("b", "drink/V tea/N", "make/V tea/N and/C cake/N", "eat/V tea/N", "drink/V beer/N")
	both := index(t, b+a1+b+a2+b)
	compute(t, both, grammar, BuildConfig{})
	alone := index(t, a1+a2)
	want, _ := compute(t, alone, grammar, BuildConfig{})
	part := must.Get(both.Where(t.Context(), `doc.part="a"`))(t)
	s := must.Get(Open(part))(t)
	for _, word := range []string{"drink-v", "eat-v", "tea-n", "cake-n", "bed-n"} {
		for _, cfg := range []Config{{}, {With: []string{"in=bed-n"}}, {With: []string{"tea-n"}}} {
			g, gotErr := s.Word(t.Context(), word, cfg)
			w, wantErr := want.Word(t.Context(), word, cfg)
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || fmt.Sprintf("%+v", g) != fmt.Sprintf("%+v", w) {
				t.Errorf("%s %v:\n got %+v %v\nwant %+v %v", word, cfg.With, g, gotErr, w, wantErr)
			}
		}
	}
	g := must.Get(s.Diff(t.Context(), "drink-v", "eat-v", all))(t)
	w := must.Get(want.Diff(t.Context(), "drink-v", "eat-v", all))(t)
	if fmt.Sprintf("%+v", g) != fmt.Sprintf("%+v", w) {
		t.Errorf("difference:\n got %+v\nwant %+v", g, w)
	}
	k, err := s.Word(t.Context(), "beer-n", all)
	if must.Succeed(t, err); k.Freq != 0 || len(k.Relations) != 0 {
		t.Errorf("a word that the part lacks: %+v", k)
	}
}

// TestDiff divides the collocates of two words into three groups.
func TestDiff(t *testing.T) {
	c := index(t, sentences("drink/V tea/N", "drink/V milk/N", "eat/V cake/N", "eat/V milk/N"))
	s, _ := compute(t, c, grammar, BuildConfig{})
	d, err := s.Diff(t.Context(), "drink-v", "eat-v", all)
	must.Succeed(t, err)
	var got []string
	for _, r := range d.Relations {
		for _, x := range r.Collocates {
			got = append(got, r.Name+" "+x.Group+" "+x.Word)
		}
	}
	want := []string{`objects of "drink/eat" first tea-n`, `objects of "drink/eat" both milk-n`, `objects of "drink/eat" second cake-n`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = s.Diff(t.Context(), "eat-v", "eat", all)
	must.Fail(t, err, "twice")
}

// TestThesaurus compares the similarities with the definition.
func TestThesaurus(t *testing.T) {
	c := index(t, sentences("drink/V tea/N", "drink/V tea/N", "make/V tea/N", "drink/V coffee/N", "make/V coffee/N", "read/V book/N", "read/V paper/N", "read/V paper/N", "make/V paper/N"))
	s, _ := compute(t, c, grammar, BuildConfig{})
	th, err := s.Thesaurus(t.Context(), "tea-n", ThesaurusConfig{Cluster: 1})
	must.Succeed(t, err)
	var words []string
	for _, w := range th.Similar {
		words = append(words, w.Word)
	}
	if want := []string{"coffee-n", "paper-n"}; !slices.Equal(words, want) {
		t.Fatalf("%q, wanted %q", words, want)
	}
	// All pairs of a word and a collocate make 2 * 9 instances; at the end there are 9 unary ones.
	score := func(f, head, coll float64) float64 { return float64(float32(aScore(f, head, coll, 18))) }
	tea := []float64{score(2, 3, 3), score(1, 3, 3)}    // drink, make
	coffee := []float64{score(1, 2, 3), score(1, 2, 3)} // drink, make
	want := (gain(tea[0], coffee[0]) + gain(tea[1], coffee[1])) / (tea[0] + tea[1] + coffee[0] + coffee[1])
	if got := th.Similar[0].Score; math.Abs(got-want) > 1e-6 {
		t.Errorf("similarity %f, wanted %f", got, want)
	}
	if th.Similar[0].Cluster == th.Similar[1].Cluster {
		t.Errorf("one cluster: %+v", th.Similar)
	}
	if th, err = s.Thesaurus(t.Context(), "tea-n", ThesaurusConfig{Cluster: 0.01}); err != nil || th.Similar[0].Cluster != 1 || th.Similar[1].Cluster != 1 {
		t.Errorf("%+v, %v, wanted one cluster", th, err)
	}
}

// TestSeveralWords: a token of several words counts as its first one in the name of a relation.
func TestSeveralWords(t *testing.T) {
	c := index(t, sentences("x/N de/P y/N", "x/N de+le/P z/N"))
	s, _ := compute(t, c, grammar, BuildConfig{})
	wantShown(t, s, "x-n", all, `"x" de ... 2: y-n 1, z-n 1`)
}

// TestKey: without lempos, headwords are lemmas, and tokens without a lemma have no sketch.
func TestKey(t *testing.T) {
	c := index(t, "<s>\ndrank\tdrink\tV\ntea\ttea\tN\n</s>\n<s>\ndrank\tdrink\tV\nx\t\tN\n</s>\n", "word", "lemma", "pos")
	s, _ := compute(t, c, grammar, BuildConfig{})
	wantShown(t, s, "drink", all, `objects of "drink" 1: tea 1`)
	_, err := s.Word(t.Context(), "drank", all)
	must.Fail(t, err, `no word sketch of "drank": it is a form of drink`)
	_, err = s.Word(t.Context(), "gin", all)
	must.Fail(t, err, `no word sketch of "gin": wanted a value of the attribute lemma`)
	if u := (*UnknownWordError)(nil); !errors.As(err, &u) {
		t.Errorf("%T", err)
	}
}

// TestUnrelated: a headword without relations is not reported as missing.
func TestUnrelated(t *testing.T) {
	c := index(t, sentences("drink/V tea/N", "gin/N sleep/V"))
	s, _ := compute(t, c, grammar, BuildConfig{})
	for _, word := range []string{"gin-n", "gin"} {
		_, err := s.Word(t.Context(), word, all)
		must.Fail(t, err, `: it is in no relation of the sketch grammar`)
	}
}

// TestOther: sketches of another index, and none, are reported.
func TestOther(t *testing.T) {
	c := index(t, sentences("drink/V tea/N"))
	_, err := Open(c)
	must.Is(t, err, ErrNone)
	compute(t, c, grammar, BuildConfig{})
	other := index(t, sentences("drink/V milk/N"))
	must.Write(t, filepath.Join(other.Dir(), fileName), must.Read(t, filepath.Join(c.Dir(), fileName)))
	_, err = Open(other)
	must.Is(t, err, ErrNone)
	must.Fail(t, err, "only of another one")
	must.Succeed(t, Remove(other.Dir()))
	must.Succeed(t, Remove(other.Dir()))
	if _, err := os.Stat(filepath.Join(other.Dir(), fileName)); err == nil {
		t.Error("the file is still there")
	}
}

// TestDamage: a damaged file gives errors, and no panic.
func TestDamage(t *testing.T) {
	c := index(t, sentences("drink/V tea/N and/C milk/N in/P bed/N", "drink/V milk/N"))
	good, _ := compute(t, c, grammar, BuildConfig{})
	for _, section := range [][]byte{good.body, good.contexts} {
		for i := range section {
			for _, x := range []byte{0, 0x7f, 0xff} {
				s := *good
				b := slices.Clone(section)
				b[i] = x
				if &section[0] == &good.body[0] {
					s.body = b
				} else {
					s.contexts = b
				}
				for _, word := range []string{"drink-v", "milk-n"} {
					_, _ = s.Word(t.Context(), word, Config{With: []string{"object=milk-n"}})
					_, _ = s.Thesaurus(t.Context(), word, ThesaurusConfig{})
				}
				_, _ = s.Diff(t.Context(), "drink-v", "milk-n", all)
			}
		}
	}
}

// TestDamagedNumbers: numbers beyond all bounds are errors, too.
func TestDamagedNumbers(t *testing.T) {
	c := index(t, sentences("drink/V tea/N and/C milk/N in/P bed/N", "drink/V milk/N"))
	good, _ := compute(t, c, grammar, BuildConfig{})
	id, ok := good.key.ID("milk-n")
	if !ok {
		t.Fatal("no headword")
	}
	from, n := int(good.heads.At(int(id))), good.span(id)
	part := binary.AppendUvarint(nil, 1<<63) // relation
	part = append(part, 0, 0, 0, 0)
	part = append(part, byte(n-len(part)-1)) // bytes of positions
	s := *good
	s.body = slices.Concat(good.body[:from], part, good.body[from+len(part):])
	_, err := s.Word(t.Context(), "milk-n", all)
	must.Fail(t, err, "damaged")

	var out bytes.Buffer
	w := bitpack.NewWriter(&out, bitpack.MaxWidth)
	for range good.heads.Len() {
		w.Add(1 << 40)
	}
	must.Succeed(t, w.Close())
	s = *good
	s.heads = must.Get(bitpack.Parse(out.Bytes()))(t)
	sums := must.Get(s.sumPart(t.Context()))(t)
	if slices.Max(sums) != 0 {
		t.Errorf("sums %v of sketches outside of the file", sums)
	}
}

// TestEmbedded compiles the embedded grammars, and finds the one of a corpus.
func TestEmbedded(t *testing.T) {
	vert := "<doc lang=\"LANG\">\n<s>\nshe\tshe\tPRON\tPRP\tCase=Nom\tshe-d\nsold\tsell\tVERB\tVBD\tTense=Past|VerbForm=Fin\tsell-v\ntea\ttea\tNOUN\tNN\tCase=Acc|Number=Sing\ttea-n\n.\t.\tPUNCT\t.\t\t.-x\n</s>\n</doc>\n"
	for _, name := range Embedded() {
		lang := strings.Replace(name, "ud", "xx", 1)
		c := index(t, strings.Replace(vert, "LANG", lang, 1))
		if got, ok := Default(c); got != name || !ok {
			t.Errorf("language %s: grammar %q", lang, got)
		}
		g := must.Get(Load(name))(t)
		must.Succeed(t, must.Err(Build(t.Context(), c, g, DefaultBuild)))
		s := must.Get(Open(c))(t)
		k := must.Get(s.Word(t.Context(), "sell", Config{Relations: []string{"object"}}))(t)
		if len(k.Relations) != 1 || k.Relations[0].Collocates[0].Word != "tea-n" {
			t.Errorf("grammar %s: %+v", name, k)
		}
		for _, o := range g.Order {
			if !slices.ContainsFunc(g.Relations, func(r Relation) bool { return r.Name == o }) {
				t.Errorf("grammar %s: no relation %q of *FIXORDER", name, o)
			}
		}
	}
	if name, ok := Default(index(t, "<s>\nx\tNOUN\n</s>\n", "word", "pos")); ok {
		t.Errorf("grammar %q for a corpus without lemmas", name)
	}
	mixed := strings.Replace(vert, "LANG", "en", 1) + strings.Replace(vert, "LANG", "fr", 1)
	if name, _ := Default(index(t, mixed)); name != "ud" {
		t.Errorf("grammar %q for two languages", name)
	}
}
