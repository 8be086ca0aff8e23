// Command learners trains the project's own learners on tables of package rowfile and scores them:
// forests (internal/boost) for binary and multiple classes, and recurrent networks
// (internal/recurrent). It uses one processor. For each table it writes the log odds of all rows to
// said/TASK.LEARNER.PART.f32, and appends a line to times.jsonl.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"chaffinch/clean/lines"
	"chaffinch/internal/boost"
	"chaffinch/internal/cputime"
	"chaffinch/internal/recurrent"
	"chaffinch/lab/compare/learners/rowfile"
	"chaffinch/lab/train/nets"
	"chaffinch/lab/train/trees"
)

func main() {
	tasks := flag.String("tasks", "yes,classes,nets", "tasks")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	for _, dir := range flag.Args() {
		if err := learn(dir, strings.Split(*tasks, ",")); err != nil {
			log.Fatal(err)
		}
	}
}

// learner is a table for training and measuring.
type learner struct {
	*rowfile.Table
	dir string
}

func learn(dir string, tasks []string) error {
	t, err := rowfile.Read(dir)
	if err != nil {
		return err
	}
	l := learner{t, dir}
	for _, part := range t.Tests {
		if slices.Contains(tasks, "yes") {
			if err := l.yes(part); err != nil {
				return err
			}
		}
		if slices.Contains(tasks, "classes") && t.Classes != nil {
			if err := l.classes(part); err != nil {
				return err
			}
		}
		if slices.Contains(tasks, "nets") && t.Width > 0 {
			if err := l.net(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// matrix returns the columns of t and the features.
func (l learner) matrix() (*boost.Matrix, []boost.Feature) {
	m := boost.NewMatrix(l.Rows, len(l.Columns)) // padded after the columns
	for c, values := range l.Columns {
		copy(m.Cols[c], values)
	}
	var features []boost.Feature
	for _, f := range l.Features {
		features = append(features, boost.Feature{Col: f[0], Shift: f[1]})
	}
	return m, features
}

// learned returns the weights of the training rows; all others have weight 0.
func (l learner) learned(part int, counts func(row int) bool) []float32 {
	weight := make([]float32, l.Rows)
	for i, p := range l.Parts {
		if p != 0 && int(p) != part && counts(i) {
			weight[i] = l.Weight[i]
		}
	}
	return weight
}

// trees returns the settings of the forest.
func (l learner) trees() (cfg trees.Config, err error) {
	err = convert(l.Trees, &cfg)
	cfg.Workers = 1
	return cfg, err
}

// yes trains a binary forest for the targets.
func (l learner) yes(part int) error {
	cfg, err := l.trees()
	if err != nil {
		return err
	}
	m, features := l.matrix()
	weight := l.learned(part, func(int) bool { return true })
	start := cputime.Used()
	f, err := trees.Train(context.Background(), cfg, m, features, l.Target, weight, nil, nil)
	if err != nil {
		return err
	}
	trained := cputime.Used() - start
	odds := make([]float32, l.Rows)
	return l.save("yes", "boost", part, odds, trained, func() { f.Score(m, odds) })
}

// classes trains a forest for the classes of the rows with a known class.
func (l learner) classes(part int) error {
	cfg, err := l.trees()
	if err != nil {
		return err
	}
	m, features := l.matrix()
	k := len(l.ClassNames)
	evidence, tasks := make([]trees.Evidence, k), make(trees.Tasks, k)
	for c := range k {
		evidence[c], tasks[c] = make(trees.Evidence, k), make([]bool, k)
		evidence[c][c], tasks[c][c] = 1, true
	}
	of := make([]uint32, l.Rows)
	for i, c := range l.Classes {
		if c != rowfile.NoClass {
			of[i] = uint32(c)
		}
	}
	weight := l.learned(part, func(row int) bool { return l.Classes[row] != rowfile.NoClass })
	start := cputime.Used()
	f, _, err := trees.TrainClasses(context.Background(), cfg, m, features, of, evidence, weight, tasks, nil)
	if err != nil {
		return err
	}
	trained := cputime.Used() - start
	odds := make([]float32, l.Rows*k)
	return l.save("classes", "boost", part, odds, trained, func() { f.Score(m, odds) })
}

// net trains a recurrent network.
func (l learner) net(part int) error {
	var s lines.NetShape
	var cfg nets.Config
	if err := convert(l.Shape, &s); err != nil {
		return err
	}
	if err := convert(l.Net, &cfg); err != nil {
		return err
	}
	cfg.Workers = 1
	net, err := nets.New(recurrent.Shape{Dense: l.Width, Project: s.Project, Cell: recurrent.Cell(s.Cell), Hidden: s.Hidden, Layers: s.Layers, Skip: s.Skip}, cfg.Seed)
	if err != nil {
		return err
	}
	var train, all []*nets.Example
	var from []int
	for a := 0; a < l.Rows; a++ {
		if l.Parts[a] == 0 {
			continue
		}
		b := a
		for l.Parts[b] != 0 {
			b++
		}
		q := &nets.Example{Sequence: recurrent.Sequence{N: b - a, Dense: l.Dense[a*l.Width : b*l.Width]}, Target: l.Target[a:b], Weight: l.Weight[a:b]}
		all, from = append(all, q), append(from, a)
		if int(l.Parts[a]) != part {
			train = append(train, q)
		}
		a = b
	}
	start := cputime.Used()
	if err := nets.Train(context.Background(), cfg, net, train, nil, nil); err != nil {
		return err
	}
	trained := cputime.Used() - start
	scorer := recurrent.NewScorer([]*recurrent.Net{net})
	odds := make([]float32, l.Rows)
	return l.save("nets", "recurrent", part, odds, trained, func() {
		for k, q := range all {
			scorer.LogOdds(odds[from[k]:from[k]+q.N], &q.Sequence)
		}
	})
}

// save measures the time of score, which sets odds, and writes them.
func (l learner) save(task, name string, part int, odds []float32, trained time.Duration, score func()) error {
	score() // warm
	const times = 3
	start := cputime.Used()
	for range times {
		score()
	}
	scored := (cputime.Used() - start) / times
	said := filepath.Join(l.dir, "said")
	if err := os.MkdirAll(said, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(said, fmt.Sprintf("%s.%s.%d.f32", task, name, part)), rowfile.Bytes(odds), 0o644); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(l.dir, "times.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(map[string]any{"task": task, "learner": name, "version": runtime.Version(), "part": part, "train": trained.Seconds(), "score": scored.Seconds(), "rows": l.Rows})
}

// convert decodes settings from JSON.
func convert(from, to any) error {
	b, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, to)
}
