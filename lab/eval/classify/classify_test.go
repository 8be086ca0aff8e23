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
		text := fmt.Sprintf("the %s and the %s stood by the water near %s while %d of us went on and %d people came back again over the hill in rain", words[c][i/3%3], words[c][(i/3+1)%3], words[(c+1)%3][i%3], i, i*7)
		texts, labels = append(texts, text), append(labels, []int{c})
	}
	return texts, labels
}

// toyTask returns a task of texts.
func toyTask(text []string, labels [][]int) *Task {
	t := &Task{Pages: &texts.Pages{}, Classes: []string{"x", "y", "z"}, Labels: labels, Splits: make([]Split, 1)}
	for i := range text {
		t.Pages.Pages = append(t.Pages.Pages, texts.Page{ID: fmt.Sprint(i)})
		t.Groups = append(t.Groups, fmt.Sprint(i))
		if s := &t.Splits[0]; i < 60 {
			s.Train = append(s.Train, i)
		} else {
			s.Test = append(s.Test, i)
		}
	}
	return t
}

// TestPredict: the classes of unseen texts are found, the same ones each time, and better than
// chance only if the labels mean something.
func TestPredict(t *testing.T) {
	testkit.Slow(t)
	texts, labels := toy()
	task := toyTask(texts, labels)
	f1 := func(labels [][]int) (float64, [][][]int) {
		task.Labels = labels
		got := must.Get(Predict(context.Background(), Config(task, true), texts, task))(t)
		return Macro(Score(3, labels, task.Splits, got)), got
	}
	f, got := f1(labels)
	if f < .95 {
		t.Errorf("macro F1 %v", f)
	}
	if _, again := f1(labels); !reflect.DeepEqual(got, again) {
		t.Error("other classes the second time")
	}
	shuffled := make([][]int, len(labels))
	for i := range shuffled {
		shuffled[i] = []int{i * 7 / 11 % 3}
	}
	if f, _ := f1(shuffled); f > .7 {
		t.Errorf("macro F1 %v on labels without meaning", f)
	}
	task.Several = true
	if f, _ := f1(labels); f < .8 {
		t.Errorf("several classes: macro F1 %v", f)
	}
	// Facts alone decide if the labels depend only on them.
	task.Several, task.Facts = false, make([][]string, len(texts))
	for i := range texts {
		task.Facts[i] = []string{fmt.Sprint("fact ", shuffled[i])}
	}
	if f, _ := f1(shuffled); f < .9 {
		t.Errorf("macro F1 %v by facts", f)
	}
}

// TestFacts: words of titles, headings and paths are facts, hosts are not.
func TestFacts(t *testing.T) {
	got := strings.Join(facts("<title>Ann's Page</title><p>text<h2>My <b>Work</b></h2>", "http://www.a.edu/~ann/cs101/"), "; ")
	must.Equal(t, got, "path ann; path cs; depth 1; home folder; title ann; title s; title page; heading my; heading work")
}

// TestScore: figures worked by hand; a class that does not occur counts for nothing.
func TestScore(t *testing.T) {
	labels := [][]int{{0}, {0, 1}, {1}, nil}
	s := Split{Test: []int{0, 1, 2, 3}}
	got := Score(3, labels, []Split{s}, [][][]int{{{0}, {0}, {0}, {2}}})
	must.Same(t, got, []Counts{{2, 1, 0}, {0, 0, 2}, {0, 1, 0}}, "counts")
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
	must.Same(t, Randomize(2, labels, splits, first, first, groups, 1), []float64{1, 1, 1}, "the same decisions")
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

// TestFolder: what a page's decisions hang together with.
func TestFolder(t *testing.T) {
	for address, want := range map[string]string{
		"http\uf03a//www.cs.cornell.edu/Info/People/ann/pubs/x.html": "www.cs.cornell.edu/info/people/ann",
		"http://www.cs.utexas.edu/~bob/index.html":                   "www.cs.utexas.edu/~bob", "http://cs.wisc.edu": "cs.wisc.edu", "": "",
	} {
		must.Equal(t, folder(address), want, address)
	}
}

// TestFloors learns from everything that pages and texts hold, as the floors want.
func TestFloors(t *testing.T) {
	f := must.Get(floors.Read("../floors.json"))(t)
	registers := testkit.Data(t, "registers/registers.tar.zst")
	for name, open := range map[string]func() (*Task, error){ // the large ones not in short runs
		"webkb":   func() (*Task, error) { return WebKB(testkit.Data(t, "registers/webkb.tar.zst")) },
		"swecore": func() (*Task, error) { return Registers(registers, "swecore") },
		"frecore": func() (*Task, error) { return Registers(registers, "frecore") },
	} {
		if !testkit.Whole() && name != "frecore" {
			continue
		}
		task := must.Get(open())(t)
		raw := must.Get(task.Raw(context.Background(), 0))(t)
		check := func(key string, facts bool) {
			got := must.Get(Predict(context.Background(), Config(task, facts), raw.Texts, task))(t)
			systems := []floors.System{{Name: "raw", Figures: map[string]float64{"macro F1": Macro(Score(len(task.Classes), task.Labels, task.Splits, got))}}}
			if len(f.Floors[key]) == 0 {
				t.Fatalf("no floors of %s", key)
			}
			below := must.Get(f.Check(key, task.Data, systems))(t)
			if len(below) > 0 {
				t.Error(strings.Join(below, "\n"))
			}
		}
		check("classify/"+name, false)
		if task.Facts != nil {
			check("classify/"+name+"/facts", true)
		}
	}
}

// TestFolds: documents are written with the split that tests them, and predictions by another
// program are those of the tested documents in their order.
func TestFolds(t *testing.T) {
	task := &Task{Pages: &texts.Pages{Pages: []texts.Page{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}}, Classes: []string{"x", "y"}, Labels: [][]int{{0}, {1}, {0}, {1}},
		Splits: []Split{{Test: []int{3, 0}, Train: []int{1, 2}}, {Test: []int{2}, Train: []int{0, 1, 3}}}, Facts: [][]string{{"title one"}, nil, nil, nil}}
	var b strings.Builder
	must.Succeed(t, task.WriteFolds(&b, []string{"A", "B", "C", "D"}, true))
	want := `{"id":"a","fold":0,"labels":["x"],"text":"A","facts":["title one"]}
{"id":"b","fold":-1,"labels":["y"],"text":"B"}
{"id":"c","fold":1,"labels":["x"],"text":"C"}
{"id":"d","fold":0,"labels":["y"],"text":"D"}
`
	must.Equal(t, b.String(), want)
	got, err := task.Predicted([][]string{{"y"}, nil, {"x"}, {"y"}})
	must.Succeed(t, err)
	must.Same(t, got, [][][]int{{{1}, {1}}, {{0}}})
	_, err = task.Predicted([][]string{{"z"}, nil, {"x"}, {"y"}})
	must.Fail(t, err, `document a has the class "z"`)
}
