package classify

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/texts"
)

// toy are texts of three classes with words of their own and words of all.
func toy() (texts []string, labels [][]int) {
	words := [][]string{{"gull", "tern", "skua"}, {"oak", "ash", "elm"}, {"ferry", "quay", "mole"}}
	for i := range 90 {
		c := i % 3
		texts = append(texts, strings.Join([]string{"the", words[c][i/3%3], "and", words[c][(i/3+1)%3], "stood by water", words[(c+1)%3][i%3]}, " "))
		labels = append(labels, []int{c})
	}
	return texts, labels
}

// TestLearners: both learners find the classes of texts that they have not seen, the
// same ones each time, and better than chance only if the labels mean something.
func TestLearners(t *testing.T) {
	texts, labels := toy()
	var s Split
	for i := range texts {
		if i < 60 {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	x := Vectorize(texts)
	shuffled := make([][]int, len(labels))
	for i := range shuffled {
		shuffled[i] = []int{i * 7 / 11 % 3}
	}
	for _, l := range Learners {
		cfg := Default
		cfg.Learner, cfg.Classes = l, 3
		got, err := Predict(context.Background(), cfg, x, labels, s)
		must.Succeed(t, err)
		if f := Macro(Score(3, labels, []Split{s}, [][][]int{got})); f < .95 {
			t.Errorf("%s: macro F1 %v", l, f)
		}
		again, _ := Predict(context.Background(), cfg, x, labels, s)
		if !reflect.DeepEqual(got, again) {
			t.Errorf("%s: other classes the second time", l)
		}
		noise, _ := Predict(context.Background(), cfg, x, shuffled, s)
		if f := Macro(Score(3, shuffled, []Split{s}, [][][]int{noise})); f > .7 {
			t.Errorf("%s: macro F1 %v on labels without meaning", l, f)
		}
		cfg.Several = true
		several, err := Predict(context.Background(), cfg, x, labels, s)
		must.Succeed(t, err)
		if f := Macro(Score(3, labels, []Split{s}, [][][]int{several})); f < .8 {
			t.Errorf("%s, several classes: macro F1 %v", l, f)
		}
	}
	must.Fail(t, must.Err(Predict(context.Background(), Config{Learner: "forest", Classes: 3}, x, labels, s)), "wanted one of linear, bayes")
}

// TestScore: figures worked by hand; a class that does not occur counts for nothing.
func TestScore(t *testing.T) {
	labels := [][]int{{0}, {0, 1}, {1}, nil}
	s := Split{Test: []int{0, 1, 2, 3}}
	got := Score(3, labels, []Split{s}, [][][]int{{{0}, {0}, {0}, {2}}})
	if want := []Counts{{2, 1, 0}, {0, 0, 2}, {0, 1, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	if m := Macro(got); math.Abs(m-.4) > 1e-12 {
		t.Errorf("macro %v", m)
	}
}

// TestReading: pages and texts from folders, and errors in them.
func TestReading(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		must.Write(t, filepath.Join(dir, name), text)
	}
	write("pages.jsonl", `{"cls":"staff","univ":"texas","html":"<p>a"}`+"\n"+`{"cls":"other","univ":"misc","html":"<p>b"}`)
	task, err := WebKB(dir)
	if err != nil || len(task.Splits) != 1 || !reflect.DeepEqual(task.Splits[0], Split{"texas", []int{1}, []int{0}}) {
		t.Fatalf("%+v, %v", task, err)
	}
	task, err = WebKBOthers(dir)
	if err != nil || len(task.Splits) != folds {
		t.Fatalf("%+v, %v", task, err)
	}
	for _, s := range task.Splits {
		if slices.Contains(append(s.Train, s.Test...), 0) || len(s.Train)+len(s.Test) != 1 {
			t.Errorf("a page that WebKB reports is seen: %+v", s)
		}
	}
	write("pages.jsonl", `{"cls":"bird"}`)
	must.Fail(t, must.Err(WebKB(dir)), `pages.jsonl: line 1: class "bird": wanted one of course`)
	write("toy.sv.dev.jsonl", strings.Repeat(`{"labels":["NA","OP"],"text":"a"}`+"\n", 10))
	task, err = Registers(dir, "Toy")
	if err != nil || len(task.Splits) != 5 || len(task.Splits[0].Test) != 2 || !reflect.DeepEqual(task.Labels[0], []int{0, 2}) {
		t.Fatalf("%+v, %v", task, err)
	}
	must.Fail(t, must.Err(Registers(dir, "other")), "no other.LANG.dev.jsonl.gz")
}

// TestRandomize: all exchanges of four groups, worked through one by one, give about
// the probabilities of the drawn ones; systems that decide alike do not differ.
func TestRandomize(t *testing.T) {
	labels := [][]int{{0}, {0}, {1}, {1}, {0}, {1}, {0}, {1}}
	groups := []string{"a", "a", "b", "b", "c", "c", "d", "d"}
	splits := []Split{{Test: []int{0, 1, 2, 3, 4, 5, 6, 7}}}
	first := [][][]int{{{0}, {1}, {0}, {0}, {1}, {1}, {1}, {0}}}
	second := [][][]int{{{0}, {0}, {1}, {1}, {0}, {1}, {1}, {0}}}
	if got := Randomize(2, labels, splits, first, first, groups, 1); !slices.Equal(got, []float64{1, 1, 1}) {
		t.Errorf("the same decisions: %v", got)
	}
	seen := math.Abs(Macro(Score(2, labels, splits, second)) - Macro(Score(2, labels, splits, first)))
	atLeast := 0.0
	for swap := range 16 {
		a, b := [][][]int{slices.Clone(first[0])}, [][][]int{slices.Clone(second[0])}
		for i := range labels {
			if swap>>(i/2)&1 == 1 {
				a[0][i], b[0][i] = b[0][i], a[0][i]
			}
		}
		if math.Abs(Macro(Score(2, labels, splits, b))-Macro(Score(2, labels, splits, a))) >= seen-1e-12 {
			atLeast++
		}
	}
	if got := Randomize(2, labels, splits, first, second, groups, 1); math.Abs(got[0]-atLeast/16) > .02 {
		t.Errorf("p %v, of all exchanges %v", got[0], atLeast/16)
	}
}

// TestVectors: dense vectors are read by the names of the pages and learned from.
func TestVectors(t *testing.T) {
	task := &Task{Pages: &texts.Pages{}, Classes: []string{"a", "b"}}
	var s Split
	var lines, reversed strings.Builder
	for i := range 40 {
		id := fmt.Sprintf("%05d", i)
		task.Pages.Pages = append(task.Pages.Pages, texts.Page{ID: id})
		task.Labels = append(task.Labels, []int{i % 2})
		fmt.Fprintf(&lines, `{"id":%q,"vector":[%d,%d,5]}`+"\n", id, 1000+i%2, i)
		fmt.Fprintf(&reversed, `{"id":"%05d","vector":[%d,%d,5]}`, 39-i, 1000+(39-i)%2, 39-i)
		if i < 30 {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	x, err := ReadVectors(strings.NewReader(lines.String()), task.Pages)
	must.Succeed(t, err)
	if again, err := ReadVectors(strings.NewReader(reversed.String()), task.Pages); err != nil || !reflect.DeepEqual(x, again) {
		t.Errorf("another order: %v", err)
	}
	cfg := Default
	cfg.Learner, cfg.Classes = Dense, 2
	got, err := Predict(context.Background(), cfg, x, task.Labels, s)
	must.Succeed(t, err)
	if f := Macro(Score(2, task.Labels, []Split{s}, [][][]int{got})); f != 1 {
		t.Errorf("macro F1 %v", f)
	}
	for text, want := range map[string]string{
		`{"id":"7"}`: "no such page", `{"id":"00001","vector":[1]}{"id":"00001","vector":[1]}`: "has two",
		`{"id":"00001","vector":[1]}{"id":"00002","vector":[1,2]}`: "2 values, wanted 1", `{"id":"00001","vector":[1]}`: "39 of 40 pages have no vector", `{`: "vector 1:",
	} {
		if _, err := ReadVectors(strings.NewReader(text), task.Pages); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var b strings.Builder
	if err := WriteTexts(&b, &texts.Pages{Pages: []texts.Page{{ID: "1"}}}, []string{"a <b>"}); err != nil || b.String() != `{"id":"1","text":"a <b>"}`+"\n" {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// TestFolder: what a page's decisions hang together with.
func TestFolder(t *testing.T) {
	for address, want := range map[string]string{
		"http\uf03a//www.cs.cornell.edu/Info/People/ann/pubs/x.html": "www.cs.cornell.edu/info/people/ann",
		"http://www.cs.utexas.edu/~bob/index.html":                   "www.cs.utexas.edu/~bob", "http://cs.wisc.edu": "cs.wisc.edu", "": "",
	} {
		if got := folder(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// TestFloors learns from everything that pages and texts hold, as the floors want.
func TestFloors(t *testing.T) {
	f, err := floors.Read("../floors.json")
	must.Succeed(t, err)
	registers := testkit.Data(t, "registers/registers.tar.zst")
	for name, open := range map[string]func() (*Task, error){ // the large ones not in short runs
		"webkb":   func() (*Task, error) { return WebKB(testkit.Data(t, "registers/webkb.tar.zst")) },
		"swecore": func() (*Task, error) { return Registers(registers, "swecore") },
		"frecore": func() (*Task, error) { return Registers(registers, "frecore") },
	} {
		if testing.Short() && name != "frecore" {
			continue
		}
		task, err := open()
		must.Succeed(t, err)
		raw, err := task.Raw(context.Background(), 0)
		must.Succeed(t, err)
		x := Vectorize(raw.Texts)
		var systems []floors.System
		for _, l := range Learners {
			cfg := Default
			cfg.Learner, cfg.Classes, cfg.Several = l, len(task.Classes), task.Several
			got, err := PredictAll(context.Background(), cfg, x, task)
			must.Succeed(t, err)
			systems = append(systems, floors.System{Name: "raw " + l, Figures: map[string]float64{"macro F1": Macro(Score(len(task.Classes), task.Labels, task.Splits, got))}})
		}
		if len(f.Floors["classify/"+name]) == 0 {
			t.Fatalf("no floors of %s", name)
		}
		below, err := f.Check("classify/"+name, task.Data, systems)
		must.Succeed(t, err)
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}
