package plagiarism

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/table"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestDevelopment holds the methods to what they reach on the development set,
// on which the defaults were chosen; with -v it prints the table of all.
func TestDevelopment(t *testing.T) {
	testkit.Slow(t)
	v, techniques := development(t)
	es, _ := read(t, v)
	if es.Plagiarisms < 400 {
		t.Fatalf("%d plagiarisms", es.Plagiarisms)
	}
	for m, floor := range map[Method]float64{BagOfWords: 0.89, Full: 0.83, Selective: 0.67, Rarest: 0.86, Anchors: 0.84, Winnowing: 0.81} {
		if !testkit.Whole() && m != Winnowing && m != Rarest {
			continue
		}
		if r := search(t, TaskDefaults(m, Word, Symmetric), es.All); r.F1() < floor {
			t.Errorf("%v: F1 %.3f, at least %.2f", m, r.F1(), floor)
		}
	}
	if testing.Verbose() {
		for _, all := range []bool{false, true} {
			rs := must.Get(CompareMethods(t.Context(), es, CompareConfig{AllAuthors: all}))(t)
			var b strings.Builder
			must.Succeed(t, WriteComparison(&b, rs))
			t.Logf("%d originals, %d plagiarisms; all authors: %v\n%s", es.Originals, es.Plagiarisms, all, b.String())
			t.Logf("recall by technique, where the source is there; symmetric similarity\n%s", byTechnique(rs, es, techniques))
		}
	}
}

// byTechnique is a table of the recall of the methods for each technique, among
// the plagiarisms whose source is in the input.
func byTechnique(rs []*Result, es *Essays, techniques map[[2]string]string) string {
	there := map[[2]string]bool{}
	for _, e := range es.All {
		there[[2]string{e.Author, e.ID}] = true
	}
	names := []string{"copy", "sentences", "phrases", "tags", "synonyms", "inserted", "lookalikes"}
	out := table.New(append([]string{"method", "column"}, names...)...)
	for _, r := range rs {
		if r.Config.Similarity != Symmetric || r.Config.Column == Lemma {
			continue
		}
		all, right := map[string]int{}, map[string]int{}
		for i := range r.Detections {
			d := &r.Detections[i]
			if there[[2]string{d.Essay.Author, d.Essay.Source}] {
				how := techniques[[2]string{d.Essay.Author, d.Essay.ID}]
				all[how]++
				if d.Right() {
					right[how]++
				}
			}
		}
		row := []string{r.Config.Method.String(), r.Config.Column.String()}
		for _, n := range names {
			row = append(row, fmt.Sprintf("%.2f", ratio(right[n], all[n])))
		}
		out.Add(row...)
	}
	var b strings.Builder
	out.Write(&b, "")
	return b.String()
}

// development makes the development set from English texts: each text is an
// author with 5 essays and a plagiarism of each by one of the techniques, mixed
// with other parts of the same text. In most, one original is taken away, so
// that one plagiarism has no source. It returns the vertical, and the techniques
// by author and id.
func development(t *testing.T) (string, map[[2]string]string) {
	texts := map[string][]byte{}
	err := archive.Walk(testkit.Data(t, "text/en.tar.zst"), func(name string, r io.Reader) error {
		if !strings.HasSuffix(name, ".txt") || !strings.Contains(name, "en-masc") && !strings.Contains(name, "en-gum") && !strings.Contains(name, "en-us-speeches") {
			return nil
		}
		b, err := io.ReadAll(r)
		texts[name] = b
		return err
	})
	must.Succeed(t, err)
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(7, 7))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	base := &works{lang: "en", synonyms: map[string]string{}}
	base.load(t)
	techniques := map[[2]string]string{}
	var b bytes.Buffer
	var vocabulary []string
	for _, name := range names {
		src := texts[name][:min(len(texts[name]), 40_000)]
		sents := base.cut(strings.ToValidUTF8(strings.Join(strings.Fields(string(src)), " "), ""))
		sents = slices.DeleteFunc(sents, func(s sentence) bool { return len(s) < 4 || len(s) > 60 })
		if countWords(sents) < 2600 {
			continue
		}
		take := func(words int) (out []sentence) {
			for countWords(out) < words && len(sents) > 0 {
				out = append(out, slices.Clone(sents[0]))
				sents = sents[1:]
			}
			return out
		}
		w := &works{author: path.Base(name), lang: "en", lexicon: base.lexicon}
		for i := range 5 {
			w.essays = append(w.essays, &work{id: fmt.Sprint(i + 1), out: take(110 + rng.IntN(200))})
		}
		each(w.essays[0].out, func(x *word) {
			if isWord(x.text) {
				vocabulary = append(vocabulary, x.text)
			}
		})
		for i := range 5 {
			hows := []string{"copy", "sentences", "phrases", "tags", "synonyms", "inserted", "lookalikes"}
			e := &work{id: fmt.Sprint(i + 6), from: fmt.Sprint(i + 1), how: hows[rng.IntN(len(hows))], out: take(30 + rng.IntN(150))}
			w.synonyms = map[string]string{}
			each(w.essays[i].out, func(x *word) { // other words for 2 of 5
				if isWord(x.text) && rng.IntN(5) < 2 {
					w.synonyms[x.text] = vocabulary[rng.IntN(len(vocabulary))]
				}
			})
			w.copy(e, w.essays[i].out, 0.2+0.7*rng.Float64())
			w.essays = append(w.essays, e)
			techniques[[2]string{w.author, e.id}] = e.how
		}
		if gone := rng.IntN(7); gone < 5 {
			w.essays = slices.Delete(w.essays, gone, gone+1)
		}
		w.write(&b)
	}
	return b.String(), techniques
}
