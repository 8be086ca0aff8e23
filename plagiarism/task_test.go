package plagiarism

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// read reads a vertical with all columns, and returns the reported problems.
func read(t testing.TB, v string) (*Essays, []string) {
	t.Helper()
	es, told, err := tryRead(v)
	must.Succeed(t, err)
	return es, told
}

func tryRead(v string) (es *Essays, told []string, err error) {
	es, err = ReadEssays(vertical.NewReader(strings.NewReader(v), vertical.ReaderConfig{Ragged: true}),
		EssayConfig{Columns: []Column{Word, Lemma, Tag}, Text: true, OnError: func(err *page.Error) { told = append(told, err.Error()) }})
	return es, told, err
}

func essays(t testing.TB) *Essays {
	t.Helper()
	b := must.Read(t, "testdata/essays.vert")
	es, told := read(t, string(b))
	if len(told) > 0 {
		t.Fatal(told)
	}
	return es
}

func search(t testing.TB, cfg TaskConfig, es []*Essay) *Result {
	t.Helper()
	task := must.Get(NewTask(cfg))(t)
	return must.Get(task.Search(t.Context(), es))(t)
}

// doc writes a document of words; lemma and tag are the same.
func doc(author, id, source, words string) string {
	class := "original"
	if source != id {
		class = "plagiarism"
	}
	v := fmt.Sprintf("<doc author=%q id=%q class=%q source=%q>\n", author, id, class, source)
	for w := range strings.FieldsSeq(words) {
		v += w + "\t" + w + "\t" + w + "\n"
	}
	return v + "</doc>\n"
}

// TestCompare: the table of all methods on the essays, with the defaults and
// where every plagiarism must have a source.
func TestCompare(t *testing.T) {
	testkit.Slow(t)
	var b bytes.Buffer
	zero := 0.0
	for _, threshold := range []*float64{nil, &zero} {
		for _, all := range []bool{false, true} {
			rs := must.Get(CompareMethods(t.Context(), essays(t), CompareConfig{AllAuthors: all, Threshold: threshold}))(t)
			if len(rs) != int(numMethods)*int(numColumns)*int(numSimilarities) {
				t.Errorf("%d rows", len(rs))
			}
			fmt.Fprintf(&b, "all authors: %v, threshold 0: %v\n", all, threshold != nil)
			must.Succeed(t, WriteComparison(&b, rs))
			for _, r := range rs { // an index that is used again gives what a new one does
				if alone := search(t, r.Config, essays(t).All); alone.Right != r.Right || alone.Detected != r.Detected {
					t.Errorf("%+v: %d of %d, alone %d of %d", r.Config, r.Right, r.Detected, alone.Right, alone.Detected)
				}
			}
		}
	}
	const name = "testdata/essays.compare"
	if *update {
		must.Write(t, name, b.Bytes())
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(want, b.Bytes()) {
		t.Errorf("not as in %s (%v):\n%s", name, err, b.String())
	}
}

// TestTechniques: the changes that each method finds, and the changes that it cannot find.
func TestTechniques(t *testing.T) {
	score := func(m Method, c Column, s Similarity, id string) float64 {
		cfg := TaskDefaults(m, c, s)
		cfg.Threshold = 0
		for _, d := range search(t, cfg, essays(t).All).Detections {
			if d.Essay.Author == "Nora Field" && d.Essay.ID == id && d.Right() {
				return d.Score
			}
		}
		return 0
	}
	if got := score(Full, Word, Containment, "6"); got < 0.4 { // more than half is copied
		t.Errorf("a copy: containment %.2f", got)
	}
	if words, tags := score(Full, Word, Containment, "9"), score(Full, Tag, Containment, "9"); tags < 2*words {
		t.Errorf("words shuffled by tags: containment %.2f of the words, %.2f of the tags", words, tags)
	}
	if bag, full := score(BagOfWords, Word, Containment, "9"), score(Full, Word, Containment, "9"); bag < 2*full {
		t.Errorf("words shuffled by tags: containment %.2f of single words, %.2f of pairs", bag, full)
	}
	if sentences, copied := score(Full, Word, Containment, "8"), 0.6; sentences < copied {
		t.Errorf("shuffled sentences: containment %.2f", sentences)
	}
	for _, d := range search(t, DefaultTask, essays(t).All).Detections {
		if d.Essay.Author == "Tom Barrow" && d.Essay.ID == "6" && d.Score < 0.5 {
			t.Errorf("letters that look alike: similarity %.2f", d.Score)
		}
	}
}

// TestExample is the example of the task in other words.
func TestExample(t *testing.T) {
	es, told := read(t, doc("a", "1", "1", "večer bylo velké ticho .")+doc("a", "2", "1", "večer bylo zase velké ticho ."))
	var b strings.Builder
	if err := search(t, DefaultTask, es.All).Write(&b); err != nil || b.String() != "2\t1\t1\n1.00 1.00 1.00\n" || len(told) > 0 {
		t.Errorf("%q %v %v", b.String(), told, err)
	}
}

// TestScores: a document without source counts in the recall only.
func TestScores(t *testing.T) {
	v := doc("a", "1", "1", "one two three four") + doc("a", "2", "2", "five six seven eight") +
		doc("a", "3", "1", "one two three four") + doc("a", "4", "1", "five six seven eight") + doc("a", "5", "2", "x y z") + doc("a", "6", "2", "")
	es, _ := read(t, v)
	r := search(t, DefaultTask, es.All)
	var b strings.Builder
	if err := r.Write(&b); err != nil || b.String() != "3\t1\t1\n4\t2\t1\n5\t\t2\n6\t\t2\n0.50 0.25 0.33\n" {
		t.Errorf("%q %v", b.String(), err)
	}
	b.Reset()
	if err := r.WriteTSV(&b); err != nil || !strings.Contains(b.String(), "a\t4\t2\t1\t1.0000\n") {
		t.Errorf("%q %v", b.String(), err)
	}
}

// TestAuthors: ids are those of an author; a source by another author is wrong
// even if its id is right.
func TestAuthors(t *testing.T) {
	es, _ := read(t, doc("b", "1", "1", "one two three four")+doc("a", "1", "1", "nine ten eleven twelve one")+doc("a", "2", "1", "one two three four"))
	r := search(t, DefaultTask, es.All)
	if r.Detected != 0 { // 1 of 8 words is not enough
		t.Errorf("among the author's own: %+v", r.Detections)
	}
	cfg := DefaultTask
	cfg.AllAuthors = true
	if r = search(t, cfg, es.All); r.Detected != 1 || r.Right != 0 || r.Detections[0].Detected() != "b/1" {
		t.Errorf("among all: %+v %q", r, r.Detections[0].Detected())
	}
}

// TestOracle compares the index with all pairs, one by one.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var v strings.Builder
	for i := range 60 {
		words := ""
		for range rng.IntN(30) {
			words += fmt.Sprintf("w%d ", rng.IntN(12))
		}
		id := fmt.Sprint(i)
		v.WriteString(doc(fmt.Sprint("author", rng.IntN(3)), id, []string{id, "0"}[i%2], words))
	}
	es, _ := read(t, v.String())
	for m := range numMethods {
		for s := range numSimilarities {
			for _, all := range []bool{false, true} {
				cfg := TaskDefaults(m, Word, s)
				cfg.AllAuthors = all
				if m == Rarest {
					cfg.Grams = 8
				}
				f := newFeatures(cfg)
				sorted := slices.Clone(es.All)
				slices.SortStableFunc(sorted, func(a, b *Essay) int { return cmp.Compare(a.Author, b.Author) })
				f.learn(sorted)
				bags := map[*Essay]map[uint64]float64{}
				df := map[uint64]float64{}
				for _, e := range es.All {
					bags[e] = map[uint64]float64{}
					for _, x := range f.bag(nil, e) {
						bags[e][x.hash] = float64(x.count)
						df[x.hash]++
					}
				}
				for _, d := range search(t, cfg, es.All).Detections {
					var want *Essay
					best := 0.0
					for _, o := range es.All {
						if o.Plagiarism || !all && o.Author != d.Essay.Author {
							continue
						}
						if x := plainSimilarity(s, bags[d.Essay], bags[o], df, float64(len(es.All))); x >= cfg.Threshold && x > best+1e-9 {
							want, best = o, x
						}
					}
					if d.Source != want || math.Abs(d.Score-best) > 1e-9 {
						t.Fatalf("%v %v all=%v: document %s: %v %v, want %v %v", m, s, all, d.Essay.ID, d.Source, d.Score, want, best)
					}
				}
			}
		}
	}
}

// plainSimilarity is the definition.
func plainSimilarity(s Similarity, a, b, df map[uint64]float64, n float64) float64 {
	common, dot, aa, bb := 0.0, 0.0, 0.0, 0.0
	w := func(h uint64, tf float64) float64 { return (1 + math.Log(tf)) * math.Log(1+n/df[h]) }
	for h, tf := range a {
		aa += w(h, tf) * w(h, tf)
		if b[h] > 0 {
			common++
			dot += w(h, tf) * w(h, b[h])
		}
	}
	for h, tf := range b {
		bb += w(h, tf) * w(h, tf)
	}
	switch {
	case common == 0:
		return 0
	case s == Symmetric:
		return common / (float64(len(a)+len(b)) - common)
	case s == Containment:
		return common / float64(len(a))
	}
	return dot / math.Sqrt(aa*bb)
}

// TestWinnow compares with the definition: of each window the last smallest.
func TestWinnow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		grams := make([]uint64, rng.IntN(20))
		for i := range grams {
			grams[i] = uint64(rng.IntN(9))
		}
		window := 1 + rng.IntN(6)
		var want []uint64
		last := -1
		for start := 0; len(grams) > 0 && (start == 0 || start+window <= len(grams)); start++ {
			best := start
			for i := start; i < min(start+window, len(grams)); i++ {
				if grams[i] <= grams[best] {
					best = i
				}
			}
			if best != last {
				want = append(want, grams[best])
				last = best
			}
		}
		if got := winnow(nil, grams, window); !slices.Equal(got, want) {
			t.Fatalf("window %d of %v: %v, want %v", window, grams, got, want)
		}
	}
}

// TestGuarantee: winnowing finds every common run of window+k-1 words.
func TestGuarantee(t *testing.T) {
	cfg := TaskDefaults(Winnowing, Word, Symmetric)
	cfg.K, cfg.Window, cfg.Threshold = 3, 4, 0
	rng := rand.New(rand.NewPCG(8, 9))
	for range 300 {
		other := func(n int) (s string) {
			for range n {
				s += fmt.Sprintf("x%d ", rng.Uint64())
			}
			return s
		}
		run := other(cfg.K + cfg.Window - 1)
		es, _ := read(t, doc("a", "1", "1", other(rng.IntN(30))+run+other(rng.IntN(30)))+doc("a", "2", "1", other(rng.IntN(30))+run+other(rng.IntN(30))))
		if r := search(t, cfg, es.All); r.Right != 1 {
			t.Fatal("a common run was not found")
		}
	}
}

// TestFeatures: how many features each method takes of a document.
func TestFeatures(t *testing.T) {
	es, _ := read(t, doc("a", "1", "1", "a b c d e f g a b c")+doc("a", "2", "2", "a b x")+doc("a", "3", "3", "y"))
	for _, c := range []struct {
		method          Method
		k, keep, window int
		anchors         []string
		want            [3]int // different features
	}{
		{method: BagOfWords, k: 1, want: [3]int{7, 3, 1}},
		{method: Full, k: 2, want: [3]int{7, 2, 1}},
		{method: Full, k: 3, want: [3]int{7, 1, 1}},
		{method: Selective, k: 2, want: [3]int{5, 1, 1}},
		{method: Rarest, k: 2, keep: 3, want: [3]int{3, 2, 1}},
		{method: Winnowing, k: 2, window: 100, want: [3]int{1, 1, 1}},
		{method: Anchors, k: 3, anchors: []string{"a"}, want: [3]int{1, 1, 0}}, // "a b", twice
		{method: Anchors, k: 3, anchors: []string{"A", "b c"}, want: [3]int{2, 1, 0}},
	} {
		cfg := TaskConfig{Method: c.method, K: c.k, Grams: c.keep, Window: c.window, Anchors: c.anchors}
		f := newFeatures(cfg)
		f.learn(es.All)
		for i, e := range es.All {
			if got := len(f.bag(nil, e)); got != c.want[i] {
				t.Errorf("%v k=%d: %d features of document %d, want %d", c.method, c.k, got, i+1, c.want[i])
			}
		}
	}
}

// TestRarest: k-grams of one document alone come last.
func TestRarest(t *testing.T) {
	es, _ := read(t, doc("a", "1", "1", "all rare one")+doc("a", "2", "2", "all rare two")+doc("a", "3", "3", "all three"))
	f := newFeatures(TaskConfig{Method: Rarest, K: 1, Grams: 1})
	f.learn(es.All)
	if a, b := f.bag(nil, es.All[0]), f.bag(nil, es.All[1]); !reflect.DeepEqual(a, b) {
		t.Errorf("%v and %v are not the same", a, b)
	}
}

func TestConfigs(t *testing.T) {
	for want, change := range map[string]func(*TaskConfig){
		"a bag of words takes single tokens": func(c *TaskConfig) { c.K = 2 },
		"k is 0":                             func(c *TaskConfig) { c.K = 0 },
		"k is 1001":                          func(c *TaskConfig) { c.K = 1001 },
		"the window is 0":                    func(c *TaskConfig) { c.Method, c.Window = Winnowing, 0 },
		"0 k-grams, wanted":                  func(c *TaskConfig) { c.Method, c.Grams = Rarest, 0 },
		"the threshold is 1.5":               func(c *TaskConfig) { c.Threshold = 1.5 },
		"the threshold is NaN":               func(c *TaskConfig) { c.Threshold = math.NaN() },
		"an anchor is empty":                 func(c *TaskConfig) { c.Anchors = []string{" "} },
		"no such method":                     func(c *TaskConfig) { c.Method = numMethods },
	} {
		cfg := DefaultTask
		change(&cfg)
		must.Fail(t, must.Err(NewTask(cfg)), want)
	}
	var m Method
	must.Fail(t, m.UnmarshalText([]byte("winnow")), `no method "winnow", have bag-of-words, full,`)
	if m.UnmarshalText([]byte("anchors")) != nil || m != Anchors || numMethods.String() != "unknown" {
		t.Error(m)
	}
}

func TestReadEssays(t *testing.T) {
	for _, c := range []struct{ name, in, told string }{
		{"a class of its own", `<doc author="a" id="2" class="copy" source="1">` + "\nx\n</doc>\n", `line 1: byte 0: class="copy" of document "2" by "a" is neither original nor plagiarism: taken for plagiarism by its source`},
		{"no author", `<doc id="1" class="original" source="1">` + "\nx\n</doc>\n", `line 1: byte 0: a document without author="..."`},
		{"twice", doc("a", "1", "1", "x") + doc("a", "1", "1", "y"), `line 4: byte 65: document "1" by "a" was there before, in line 1: both are kept`},
		{"outside", "x\n" + doc("a", "1", "1", "x"), "1 tokens are outside of <doc>: left out"},
		{"no source", doc("a", "2", "7", "x"), `document "2" by "a": its source "7" is no original of that author`},
		{"source of another", doc("b", "1", "1", "x") + doc("a", "2", "1", "x"), `document "2" by "a": its source "1" is no original`},
	} {
		if _, told := read(t, c.in); len(told) == 0 || !strings.Contains(strings.Join(told, "\n"), c.told) {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
	es, told := read(t, "<doc author=\"a\" id=\"1\" class=\"Original\" source=\"1\">\n<p>\n<s>\nOne\tone\tCD\textra\n</g>\n,\n</s>\n<s>\ntwo\n</s>\n</p>\n<p>\nthree\tx\n</p>\n</doc>\n")
	if e := es.All[0]; len(told) > 0 || e.Text != "One, two\nthree" || string(e.Columns[Lemma]) != "one\nx\n" || string(e.Columns[Word]) != "One\n,\ntwo\nthree\n" || es.Has[Tag] != 1 {
		t.Errorf("%q %+v", told, e)
	}
	es, told = read(t, "<doc input_author=\"a\" id=\"1\" class=\"original\" source=\"1\">\nOne\tone\tNUM\tCD\tNumType=Card\tone-m\nmoc\tmoc\tADV\t\t\tmoc-a\n</doc>\n")
	if e := es.All[0]; len(told) > 0 || e.Author != "a" || string(e.Columns[Tag]) != "CD\nADV\n" {
		t.Errorf("built-in columns: %q %+v", told, e)
	}
}

func FuzzEssays(f *testing.F) {
	f.Add(doc("a", "1", "1", "one two three") + doc("a", "2", "1", "one two x"))
	f.Add("<doc>\n\xff\n</g>\n<doc class=\"plagiarism\">\n\t\t\n")
	f.Add("<doc author=\"a\" class='plagiarism' source=x>\nа\u0301\n<doc author=a class=original>\na\n")
	f.Add("\xff\xfea\x00\n\x00")
	f.Fuzz(func(t *testing.T, v string) {
		if len(v) > 4096 {
			return
		}
		es, _, err := tryRead(v)
		if err != nil {
			return // UTF-16, too many open structures
		}
		for m := range numMethods {
			r := search(t, TaskDefaults(m, Word, Cosine), es.All)
			if len(r.Detections) != es.Plagiarisms || len(es.All) != es.Originals+es.Plagiarisms {
				t.Errorf("%d of %d plagiarisms", len(r.Detections), es.Plagiarisms)
			}
			for _, d := range r.Detections {
				if !(d.Score >= 0 && d.Score <= 1) {
					t.Errorf("score %v", d.Score)
				}
			}
			var b strings.Builder
			if err := r.Write(&b); err != nil || strings.Count(b.String(), "\n") != es.Plagiarisms+1 {
				t.Errorf("%q %v", b.String(), err)
			}
		}
	})
}
