package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"chaffinch/eval/classify"
	"chaffinch/eval/floors"
	"chaffinch/eval/result"
	"chaffinch/eval/texts"
)

type evalClassifyCmd struct {
	Task    []string `default:"webkb" enum:"webkb,swecore,frecore" help:"What is sorted: webkb (pages of universities, seven classes, each university left out once), swecore or frecore (registers, several to a text): ${enum}; repeatable. Default: ${default}."`
	Data    string   `default:"../shared/data" placeholder:"DIR" help:"The data folder, with registers/webkb and registers/registers. Default: ${default}."`
	Learner []string `default:"linear,bayes" enum:"linear,bayes" help:"What learns: linear (logistic regression on hashed words and pairs of words) or bayes (naive Bayes). Default: ${default}."`
	NoWeigh bool     `help:"Count every document alike. Default: classes count by their rarity."`
	Seed    uint64   `default:"1" placeholder:"N" help:"Seed of the order in which linear sees the documents. Default: ${default}."`
	Jobs    int      `short:"j" placeholder:"N" help:"Pages cleaned at once. Default: one for each core. Figures do not depend on it."`
	Save    string   `placeholder:"FILE" help:"Write the tables as JSON, for eval report."`
	systemFlags
	floorFlags
}

// Help is the long help.
func (evalClassifyCmd) Help() string {
	return `Figures are F1 of each class, in percent, over the decisions on all pages that were left out, and their mean over the classes (macro);
"left" is the share of the bytes of the first system that a system leaves.`
}

// Run learns and measures on the texts of each system.
func (c *evalClassifyCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	var tables []*result.Table
	for _, name := range c.Task {
		task, err := c.open(name)
		if err != nil {
			return err
		}
		t, err := c.task(ctx, task)
		if err != nil {
			return err
		}
		tables = append(tables, t...)
	}
	if err := writeTables(con.out, tables, c.Save); err != nil {
		return err
	}
	return c.judge(con.err)
}

func (c *evalClassifyCmd) open(name string) (*classify.Task, error) {
	if name == "webkb" {
		return classify.WebKB(c.Data + "/registers/webkb")
	}
	return classify.Registers(c.Data+"/registers/registers", name)
}

// task measures all systems on one task, a table for each learner, and one of what
// each system leaves of each class.
func (c *evalClassifyCmd) task(ctx context.Context, task *classify.Task) ([]*result.Table, error) {
	systems, err := c.systems(ctx, task.Pages, c.Jobs)
	if err != nil {
		return nil, err
	}
	vectors := make([]classify.Vectors, len(systems))
	for i, s := range systems {
		vectors[i] = classify.Vectorize(s.Texts)
	}
	var tables []*result.Table
	floored := make([]floors.System, 0, len(systems))
	for _, learner := range c.Learner {
		t := &result.Table{Task: "classify", Data: task.Name + ", " + learner, Columns: []result.Column{{Name: "left", Unit: "%", Digits: 1, Neutral: true}, {Name: "macro F1", Unit: "%", Digits: 2}}}
		for _, class := range task.Classes {
			t.Columns = append(t.Columns, result.Column{Name: class, Unit: "%", Digits: 2})
		}
		cfg := classify.Default
		cfg.Learner, cfg.Classes, cfg.Several, cfg.Weigh, cfg.Seed = learner, len(task.Classes), task.Several, !c.NoWeigh, c.Seed
		for i, s := range systems {
			var got [][][]int
			for _, split := range task.Splits {
				labels, err := classify.Predict(ctx, cfg, vectors[i], task.Labels, split)
				if err != nil {
					return nil, err
				}
				got = append(got, labels)
			}
			counts := classify.Score(len(task.Classes), task.Labels, task.Splits, got)
			row := result.Row{System: s.Name, Values: []result.Figure{{Value: float64(s.Bytes()) / math.Max(1, float64(systems[0].Bytes()))}, {Value: classify.Macro(counts)}}}
			for _, n := range counts {
				f := result.Figure{Value: n.F1()}
				if n.TP+n.FN == 0 {
					f.Value = math.NaN()
				}
				row.Values = append(row.Values, f)
			}
			t.Rows = append(t.Rows, row)
			floored = append(floored, floors.System{Name: s.Name + " " + learner, Figures: map[string]float64{"macro F1": classify.Macro(counts)}})
		}
		var names []string
		for _, s := range task.Splits {
			names = append(names, s.Name)
		}
		t.Note = fmt.Sprintf("left out in turn: %s", strings.Join(names, ", "))
		tables = append(tables, t)
	}
	if err := c.compare("classify/"+task.Name, task.Data, floored); err != nil {
		return nil, err
	}
	if len(systems) > 1 {
		tables = append(tables, leftTable(task, systems))
	}
	return tables, nil
}

// leftTable is the share of the bytes of the first system that the others leave of
// each class.
func leftTable(task *classify.Task, systems []*texts.System) *result.Table {
	t := &result.Table{Task: "classify left", Data: task.Name + ", share of the bytes left"}
	for _, class := range task.Classes {
		t.Columns = append(t.Columns, result.Column{Name: class, Unit: "%", Digits: 1})
	}
	of := func(s *texts.System) []float64 {
		out := make([]float64, len(task.Classes))
		for i, text := range s.Texts {
			for _, class := range task.Labels[i] {
				out[class] += float64(len(text))
			}
		}
		return out
	}
	all := of(systems[0])
	for _, s := range systems[1:] {
		row := result.Row{System: s.Name}
		for class, n := range of(s) {
			row.Values = append(row.Values, result.Figure{Value: n / all[class]})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
