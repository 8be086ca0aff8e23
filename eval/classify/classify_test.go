package classify

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chaffinch/eval/floors"
	"chaffinch/internal/testkit"
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
		if err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		if f := Macro(Score(3, labels, []Split{s}, [][][]int{several})); f < .8 {
			t.Errorf("%s, several classes: macro F1 %v", l, f)
		}
	}
	if _, err := Predict(context.Background(), Config{Learner: "forest", Classes: 3}, x, labels, s); err == nil || !strings.Contains(err.Error(), "wanted one of linear, bayes") {
		t.Errorf("unknown learner: %v", err)
	}
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

// TestReading: pages and texts from folders, and what is wrong with them.
func TestReading(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("pages.jsonl", `{"cls":"staff","univ":"texas","html":"<p>a"}`+"\n"+`{"cls":"other","univ":"misc","html":"<p>b"}`)
	task, err := WebKB(dir)
	if err != nil || len(task.Splits) != 1 || !reflect.DeepEqual(task.Splits[0], Split{"texas", []int{1}, []int{0}}) {
		t.Fatalf("%+v, %v", task, err)
	}
	write("pages.jsonl", `{"cls":"bird"}`)
	if _, err := WebKB(dir); err == nil || !strings.Contains(err.Error(), `pages.jsonl: line 1: class "bird": wanted one of course`) {
		t.Errorf("unknown class: %v", err)
	}
	write("toy.sv.dev.jsonl", strings.Repeat(`{"labels":["NA","OP"],"text":"a"}`+"\n", 10))
	task, err = Registers(dir, "Toy")
	if err != nil || len(task.Splits) != 5 || len(task.Splits[0].Test) != 2 || !reflect.DeepEqual(task.Labels[0], []int{0, 2}) {
		t.Fatalf("%+v, %v", task, err)
	}
	if _, err := Registers(dir, "other"); err == nil || !strings.Contains(err.Error(), "no other.LANG.dev.jsonl.gz") {
		t.Errorf("no such corpus: %v", err)
	}
}

// TestFloors learns from everything that texts with registers hold, as the floors
// want; WebKB, which takes a minute, is for the command.
func TestFloors(t *testing.T) {
	f, err := floors.Read("../floors.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"swecore", "frecore"} {
		task, err := Registers(testkit.Data(t, "registers/registers.tar.zst"), name)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := task.Raw(context.Background(), 0)
		if err != nil {
			t.Fatal(err)
		}
		x := Vectorize(raw.Texts)
		var systems []floors.System
		for _, l := range Learners {
			cfg := Default
			cfg.Learner, cfg.Classes, cfg.Several = l, len(task.Classes), true
			var got [][][]int
			for _, s := range task.Splits {
				one, err := Predict(context.Background(), cfg, x, task.Labels, s)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, one)
			}
			systems = append(systems, floors.System{Name: "raw " + l, Figures: map[string]float64{"macro F1": Macro(Score(len(task.Classes), task.Labels, task.Splits, got))}})
		}
		if len(f.Floors["classify/"+name]) == 0 {
			t.Fatalf("no floors of %s", name)
		}
		below, err := f.Check("classify/"+name, task.Data, systems)
		if err != nil {
			t.Fatal(err)
		}
		if len(below) > 0 {
			t.Error(strings.Join(below, "\n"))
		}
	}
}
