package tag_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/conllu"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/tagger"
	"chaffinch/model"
	"chaffinch/text/tag"
)

// The invented language has nouns with a plural in -n, verbs in -at, adjectives in -ik, and the
// contraction "zul" of "zu" and "el".
var stems = strings.Fields("balo dema firu gosa hilo joma kera lipo mado nefu pira rosa silo tema vuno zema bruko trila sopra granu")

func noun(r *rand.Rand) []string {
	s := stems[r.IntN(len(stems))] + stems[r.IntN(len(stems))]
	if r.IntN(2) == 0 {
		return []string{s, s, "NOUN", "Number=Sing"}
	}
	return []string{s + "n", s, "NOUN", "Number=Plur"}
}

// treebank returns n sentences.
func treebank(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for range n {
		id := 0
		word := func(w ...string) {
			id++
			form := w[0]
			if id == 1 {
				form = strings.ToUpper(form[:1]) + form[1:]
			}
			fmt.Fprintf(&b, "%d\t%s\t%s\t%s\t%s\t%s\t_\t_\t_\t_\n", id, form, w[1], w[2], strings.ToLower(w[2][:1]), w[3])
		}
		word("el", "el", "DET", "_")
		word(noun(r)...)
		s := stems[r.IntN(len(stems))]
		word(s+"at", s, "VERB", "VerbForm=Fin")
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "%d-%d\tzul\t_\t_\t_\t_\t_\t_\t_\t_\n", id+1, id+2)
			word("zu", "zu", "ADP", "_")
			word("el", "el", "DET", "_")
		}
		s = stems[r.IntN(len(stems))]
		word(s+"ik", s+"ik", "ADJ", "_")
		word(noun(r)...)
		word(".", ".", "PUNCT", "_")
		b.WriteByte('\n')
	}
	return b.String()
}

func read(t *testing.T, text string) (list []*conllu.Sentence) {
	t.Helper()
	for s, err := range conllu.NewReader("x.conllu", strings.NewReader(text)).All() {
		must.Succeed(t, err)
		list = append(list, s)
	}
	return list
}

func train(t *testing.T) *tag.Model {
	t.Helper()
	return must.Get(tagger.Train(context.Background(), tagger.Default, read(t, treebank(300, 1)), nil))(t)
}

// words returns the forms of a sentence as tokens to tag.
func words(s *conllu.Sentence) (list []tag.Token) {
	for i := range s.Words {
		if s.Words[i].IsWord() {
			list = append(list, tag.Token{Form: s.Words[i].Form})
		}
	}
	return list
}

// TestTag: new words get their tags and lemmas by their endings.
func TestTag(t *testing.T) {
	tg := tag.NewTagger(train(t))
	n, right, lemmas := 0, 0, 0
	for _, s := range read(t, treebank(200, 2)) {
		got := words(s)
		tg.TagWords(got)
		for i := range s.Words {
			w := &s.Words[i]
			if !w.IsWord() {
				continue
			}
			g := got[0]
			got = got[1:]
			n++
			if g.UPOS == w.UPOS && (g.Feats == w.Feats || w.Feats == "_") {
				right++
			}
			if g.Lemma == w.Lemma {
				lemmas++
			}
		}
	}
	if right*100 < n*98 || lemmas*100 < n*98 {
		t.Errorf("%d tags and %d lemmas of %d words are right", right, lemmas, n)
	}
}

// TestMultiword: contractions are split in the case of the token.
func TestMultiword(t *testing.T) {
	tg := tag.NewTagger(train(t))
	for form, want := range map[string]string{"zul": "zu el", "Zul": "Zu el", "ZUL": "ZU EL"} {
		got := tg.Tag(nil, []string{"Kerat", form, "vunoik", "temarosan", "."})
		if len(got) != 6 || got[1].Form+" "+got[2].Form != want || got[1].Parts != 2 || got[2].Parts != 0 || got[2].Index != 1 || got[1].UPOS != "ADP" || got[2].UPOS != "DET" {
			t.Errorf("%s: %+v", form, got)
		}
	}
}

// TestFile: a model tags in the same way after it was written and read, and has the same bytes when it
// is trained again.
func TestFile(t *testing.T) {
	m := train(t)
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a.chf"), filepath.Join(folder, "b.chf")
	must.Succeed(t, m.Save(a, model.Header{Name: "invented"}))
	must.Succeed(t, train(t).Save(b, model.Header{Name: "invented"}))
	file := must.Read(t, a)
	if !slices.Equal(file, must.Read(t, b)) {
		t.Error("two trainings differ")
	}
	got := must.Get(tag.Parse(a, must.Read(t, a)))(t)
	if got.Name() != "invented" || got.Sum() == 0 || !got.HasLemmas() || !got.HasFeats() {
		t.Errorf("name %q, sum %x", got.Name(), got.Sum())
	}
	x, y := tag.NewTagger(m), tag.NewTagger(got)
	for _, s := range read(t, treebank(100, 3)) {
		p, q := words(s), words(s)
		x.TagWords(p)
		y.TagWords(q)
		if !slices.Equal(p, q) {
			t.Fatalf("%v, after reading %v", p, q)
		}
	}
	for _, n := range []int{0, 10, len(file) / 2, len(file) - 1} {
		if _, err := tag.Parse("m", file[:n]); err == nil {
			t.Errorf("%d of %d bytes: no error", n, len(file))
		}
	}
}

// TestOracle: the tagger with its caches and shared sums chooses the tags of a direct sum of weights.
func TestOracle(t *testing.T) {
	w := must.Get(tagger.Fit(context.Background(), tagger.Default, read(t, treebank(300, 1)), nil))(t)
	m := must.Get(tag.New(w))(t)
	tg := tag.NewTagger(m)
	weight := func(f, part uint64) int {
		b := int(w.Table[tag.Index(f, part, w.Bits)])
		return b * max(b, -b)
	}
	for _, s := range read(t, treebank(100, 4)) {
		got := words(s)
		tg.TagWords(got)
		var line []*tag.Analysis
		for i, x := range got {
			line = append(line, m.Analyze(x.Form, tag.Options{Start: i == 0}))
		}
		tag1, tag2 := uint16(tag.None), uint16(tag.None)
		for i, a := range line {
			best, most := 0, 0
			features := m.History(tag.Context(slices.Clone(a.Static), line, tag.Titles(line), i), line, i, tag1, tag2)
			for k := range a.Tags {
				sum, from := 0, uint16(0)
				if k > 0 {
					from = a.Ends[k-1]
				}
				for _, part := range a.Of[from:a.Ends[k]] {
					for _, f := range features {
						sum += weight(f, a.Parts[part])
					}
				}
				if k == 0 || sum > most {
					best, most = k, sum
				}
			}
			tag1, tag2 = a.Tags[best], tag1
			if got[i].Tag != m.Tags()[tag1] {
				t.Fatalf("%s: %v, by the sums %v", got[i].Form, got[i].Tag, m.Tags()[tag1])
			}
		}
	}
}

// TestNoAllocations: tagging known words allocates nothing.
func TestNoAllocations(t *testing.T) {
	tg := tag.NewTagger(train(t))
	sentence := []string{"El", "temarosan", "balat", "zul", "vunoik", "www.example.org", "temarosan", "."}
	dst := tg.Tag(nil, sentence)
	if n := testing.AllocsPerRun(10, func() { dst = tg.Tag(dst[:0], sentence) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLong: a sentence of many words is tagged in parts, and a form of many bytes is cut.
func TestLong(t *testing.T) {
	tg := tag.NewTagger(train(t))
	var sentence []string
	for range 3000 {
		sentence = append(sentence, "el", "temarosan", "balat", ".")
	}
	got := tg.Tag(nil, sentence)
	if len(got) != len(sentence) || got[len(got)-2].UPOS != "VERB" {
		t.Errorf("%d words, the last but one %v", len(got), got[len(got)-2])
	}
	long := strings.Repeat("x\xff", 1<<16) + "at"
	if got := tg.Tag(nil, []string{"el", "", long, "\x00"}); got[2].Form != long || got[2].UPOS == "" {
		t.Errorf("%d bytes of form, tag %v", len(got[2].Form), got[2].Tag)
	}
}

// TestWeb: tokens of the web are recognised without a model of them, and keep their form as lemma.
func TestWeb(t *testing.T) {
	tg := tag.NewTagger(train(t))
	for form, want := range map[string]string{
		"https://example.org/a?b": "X", "www.example.org": "X", "a.b@example.org": "X", "@some_one": "PROPN", "#Temarosan": "X",
		"😀": "SYM", "👩‍🔧": "SYM", "❤️": "SYM", ":-)": "SYM", ":D": "SYM", "<3": "SYM", ";)": "SYM",
	} {
		if got := tg.Tag(nil, []string{"El", form})[1]; got.UPOS != want || got.Lemma != form {
			t.Errorf("%s: %+v, wanted %s", form, got, want)
		}
	}
	for _, form := range []string{":", "...", "balat", "#", "@", "8", "a.b", "(", "x"} {
		if got := new(tag.Config).Normalize(form); strings.HasPrefix(got, "\x01") {
			t.Errorf("%s is taken for %q", form, got)
		}
	}
}

// TestMarks: a mark that the treebank does not have is tagged as a similar mark.
func TestMarks(t *testing.T) {
	text := treebank(100, 1)
	text += strings.ReplaceAll(text, "\t.\t.\tPUNCT\tp", "\t\"\t\"\tPUNCT\tq") + strings.ReplaceAll(text, "\t.\t.\tPUNCT\tp", "\t“\t“\tPUNCT\tr")
	m := must.Get(tagger.Train(context.Background(), tagger.Default, read(t, text), nil))(t)
	tg := tag.NewTagger(m)
	for form, want := range map[string]string{".": "p", "\"": "q", "“": "r", "„": "q", "»": "q"} {
		if got := tg.Tag(nil, []string{"El", "temaro", "silat", "balik", "jomarosa", form})[5]; got.UPOS != "PUNCT" || got.XPOS != want || got.Lemma != form {
			t.Errorf("%s: %+v, wanted PUNCT, %s", form, got, want)
		}
	}
}

// TestEnclitic: a word after a hyphen is tagged without it.
func TestEnclitic(t *testing.T) {
	got := tag.NewTagger(train(t)).Tag(nil, []string{"El", "temaro", "silat", "-el", "jomarosa"})[3]
	if got.Form != "-el" || got.UPOS != "DET" || got.Lemma != "el" {
		t.Errorf("%+v", got)
	}
}

// TestCombining: a form with combining marks has the tag and the lemma of the composed form.
func TestCombining(t *testing.T) {
	text := strings.NewReplacer("zul", "zül", "zu\t", "zü\t", "lo", "lö").Replace(treebank(300, 1))
	m := must.Get(tagger.Train(context.Background(), tagger.Default, read(t, text), nil))(t)
	tg := tag.NewTagger(m)
	want := tg.Tag(nil, strings.Fields("El temarosan balöat zül vunöik gosafirun ."))
	got := tg.Tag(nil, strings.Fields("El temarosan balo\u0308at zu\u0308l vuno\u0308ik gosafirun ."))
	if len(got) != len(want) || got[2].Form != "balo\u0308at" {
		t.Fatalf("%+v, wanted %+v", got, want)
	}
	for i := range want {
		if got[i].Tag != want[i].Tag || got[i].Lemma != want[i].Lemma {
			t.Errorf("%+v, wanted %+v", got[i], want[i])
		}
	}
}

// TestCapitals: a sentence in capitals has the tags of the sentence in lower case.
func TestCapitals(t *testing.T) {
	tg := tag.NewTagger(train(t))
	sentence := strings.Fields("el temarosan balat vunoik gosafirun .")
	want := tg.Tag(nil, sentence)
	got := tg.Tag(nil, strings.Fields(strings.ToUpper(strings.Join(sentence, " "))))
	for i := range want {
		if got[i].Tag != want[i].Tag || got[i].Lemma != want[i].Lemma {
			t.Errorf("%+v, wanted %+v", got[i], want[i])
		}
	}
}

// TestBeginning: a script that replaces the beginning of a form does not apply to a word with another
// beginning, unless the result is a known word.
func TestBeginning(t *testing.T) {
	text := treebank(300, 1)
	add := func(form, lemma string) {
		text += fmt.Sprintf("1\tEl\tel\tDET\td\t_\t_\t_\t_\t_\n2\t%s\t%s\tVERB\tv\tVerbForm=Part\t_\t_\t_\t_\n\n", form, lemma)
	}
	for _, s := range stems {
		add("ge"+s+"kt", "aus"+s+"ken")
		add("aus"+s+"ke", "aus"+s+"ken")
	}
	m := must.Get(tagger.Train(context.Background(), tagger.Default, read(t, text), nil))(t)
	tg := tag.NewTagger(m)
	for form, lemma := range map[string]string{"gebalokt": "ausbaloken", "gewumerikt": "gewumeri", "wumerikt": "wumeri"} {
		if got := tg.Tag(nil, []string{"El", form})[1]; got.UPOS != "VERB" || got.Lemma != lemma {
			t.Errorf("%s: %+v, wanted %s", form, got, lemma)
		}
	}
}

// TestSilver: a lemma of the treebank with another first letter than the form is ignored if the
// dictionary does not have it, unless it has the particle of a separable verb.
func TestSilver(t *testing.T) {
	text := treebank(300, 1)
	for range 3 {
		for _, w := range [][2]string{{"gebalokt", "ausrok"}, {"gedemat", "hademat"}, {"demote", "op_demoten"}} {
			text += fmt.Sprintf("1\tEl\tel\tDET\td\t_\t_\t_\t_\t_\n2\t%s\t%s\tVERB\tv\tVerbForm=Part\t_\t_\t_\t_\n\n", w[0], w[1])
		}
	}
	for _, c := range []struct{ listed, form, lemma string }{
		{"", "gebalokt", "ausrok"},
		{"hademat", "gebalokt", "gebalokt"},
		{"hademat", "gedemat", "hademat"},
		{"hademat", "demote", "op_demoten"},
	} {
		cfg := tagger.Default
		if c.listed != "" {
			cfg.Lexicon = []tagger.Entry{{Form: c.listed, Lemma: c.listed, UPOS: "V"}}
		}
		m := must.Get(tagger.Train(context.Background(), cfg, read(t, text), nil))(t)
		if got := tag.NewTagger(m).Tag(nil, []string{"El", c.form})[1]; got.Lemma != c.lemma {
			t.Errorf("dictionary with %q: %s: %+v, wanted %s", c.listed, c.form, got, c.lemma)
		}
	}
}

// TestLexicon: readings of a dictionary with other tags help words that the treebank does not have.
func TestLexicon(t *testing.T) {
	cfg := tagger.Default
	for _, s := range stems {
		cfg.Lexicon = append(cfg.Lexicon, tagger.Entry{Form: s + "at", Lemma: s, UPOS: "V", Feats: "x=y"}, tagger.Entry{Form: s + "ik", Lemma: s + "ik", UPOS: "A"})
	}
	cfg.Lexicon = append(cfg.Lexicon, tagger.Entry{Form: "quu", Lemma: "qaa", UPOS: "V", Feats: "x=y"})
	m := must.Get(tagger.Train(context.Background(), cfg, read(t, treebank(300, 1)), nil))(t)
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{}))
	m = must.Get(tag.Parse(path, must.Read(t, path)))(t)
	got := tag.NewTagger(m).Tag(nil, strings.Fields("El temarosan quu vunoik temarosan ."))[2]
	if got.UPOS != "VERB" || got.Lemma != "qaa" {
		t.Errorf("%+v", got)
	}
}

func FuzzScript(f *testing.F) {
	for _, x := range [][2]string{{"Häuser", "Haus"}, {"went", "go"}, {"don’t", "do"}, {"İstanbul", "istanbul"}, {"", "a"}, {"a", ""}, {"NATO", "NATO"}, {"\xff", "x"}} {
		f.Add(x[0], x[1], true)
	}
	f.Fuzz(func(t *testing.T, form, lemma string, turkic bool) {
		c := &tag.Config{Turkic: turkic}
		form, lemma = strings.ToValidUTF8(form, "?"), strings.ToValidUTF8(lemma, "?")
		s := c.Script(form, lemma)
		if got, ok := c.Apply(&s, form); !ok || got != lemma {
			t.Errorf("%q to %q: %v results in %q, %t", form, lemma, s, got, ok)
		}
	})
}

func BenchmarkTag(b *testing.B) {
	list := must.Get(tagger.Train(context.Background(), tagger.Default, benchmarkTreebank(b), nil))(b)
	tg := tag.NewTagger(list)
	sentence := strings.Fields("El temarosan balat zul vunoik gosafirun .")
	var dst []tag.Token
	for b.Loop() {
		dst = tg.Tag(dst[:0], sentence)
	}
	b.ReportMetric(float64(b.N*len(dst))/b.Elapsed().Seconds(), "words/s")
}

func benchmarkTreebank(b *testing.B) (list []*conllu.Sentence) {
	for s, err := range conllu.NewReader("x", strings.NewReader(treebank(300, 1))).All() {
		must.Succeed(b, err)
		list = append(list, s)
	}
	return list
}
