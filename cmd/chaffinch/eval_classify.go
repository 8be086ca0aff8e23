package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"chaffinch/lab/eval/classify"
	"chaffinch/lab/eval/floors"
	evallabels "chaffinch/lab/eval/labels"
	"chaffinch/lab/eval/result"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/eval/texts"
)

type evalClassifyCmd struct {
	Task  []string `default:"webkb" enum:"webkb,webkb-misc,swecore,frecore" help:"Classification task: webkb (pages of universities, seven classes, each of four universities held out once), webkb-misc (its pages of other universities, for choosing settings), swecore or frecore (registers, several per text); repeatable. Default: ${default}."`
	Data  string   `default:"../shared/data" placeholder:"DIR" help:"The data folder, with registers/webkb and registers/registers. Default: ${default}."`
	Facts bool     `help:"WebKB: also learn from facts about the pages, which are the same for all systems: words of titles, headings and addresses."`
	Seed  uint64   `default:"1" placeholder:"N" help:"Seed of the tests. Default: ${default}."`
	Jobs  int      `short:"j" placeholder:"N" help:"Pages cleaned in parallel. Default: one per core. Does not change the figures."`

	SaveFolds string   `placeholder:"FILE" help:"Write the texts of the first system with their folds (.jsonl) for other classifiers, and exit; with --facts also the facts. Fold -1 is only trained on."`
	Outcomes  []string `placeholder:"FILE" help:"Results of other classifiers on these folds (.json), as lab/compare/labels/run.sh writes them; repeatable."`
	SavePages string   `placeholder:"DIR" help:"Write the pages of webkb as a set, DIR/webkb, for other programs, and exit."`
	Tests     bool     `help:"Also print the differences of macro F1 from the first system with their probabilities, raw and with Holm's correction."`
	Save      string   `placeholder:"FILE" help:"Write the tables as JSON, for eval report."`
	systemFlags
	floorFlags
}

// Help is the long help.
func (evalClassifyCmd) Help() string {
	return `Figures are F1 of each class in percent, over the decisions on all held-out pages, and their mean over the classes (macro);
"left" is the kept text in bytes, relative to the first system. After a figure, ↑ or ↓ marks a significant difference from
the first system (approximate randomization of the decisions on all pages of a folder, 5 %). ↑↑ or ↓↓ marks a difference
that remains significant after Holm's correction for all systems.`
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
		if c.SavePages != "" {
			if err := c.savePages(con, task); err != nil {
				return err
			}
			continue
		}
		systems, err := c.systems(ctx, task.Pages, c.Jobs)
		if err != nil {
			return err
		}
		if c.SaveFolds != "" {
			return c.saveFolds(con, task, systems[0])
		}
		t, err := c.task(ctx, task, systems)
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
	switch name {
	case "webkb":
		return classify.WebKB(c.Data + "/registers/webkb")
	case "webkb-misc":
		return classify.WebKBOthers(c.Data + "/registers/webkb")
	}
	return classify.Registers(c.Data+"/registers/registers", name)
}

// savePages writes --save-pages.
func (c *evalClassifyCmd) savePages(con *console, task *classify.Task) error {
	if task.Plain {
		return fmt.Errorf("--save-pages: %s is plain text: other programs need pages, such as the set webkb", task.Name)
	}
	dir := filepath.Join(c.SavePages, task.Name)
	if err := savePages(dir, task.Pages); err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s: %s\n", dir, count(int64(len(task.Pages.Pages)), "page"))
	return nil
}

// task measures all systems on one task: a table of F1, and one of what each system leaves of each
// class.
func (c *evalClassifyCmd) task(ctx context.Context, task *classify.Task, systems []*texts.System) (tables []*result.Table, err error) {
	var floored []floors.System
	got := make([][][][]int, len(systems))
	for i, s := range systems {
		if got[i], err = classify.Predict(ctx, classify.Config(task, c.Facts), s.Texts, task); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		floored = append(floored, floors.System{Name: s.Name, Figures: map[string]float64{"macro F1": classify.Macro(classify.Score(len(task.Classes), task.Labels, task.Splits, got[i]))}})
	}
	compared := systems
	for _, name := range c.Outcomes {
		s, predicted, err := readOutcome(name, task, systems[0])
		if err != nil {
			return nil, fmt.Errorf("--outcomes: %w", err)
		}
		compared, got = append(compared, s), append(got, predicted)
	}
	tables = c.tables(task, compared, got)
	name := "classify/" + task.Name
	if c.Facts {
		name += "/facts"
	}
	if err := c.compare(name, task.Data, floored); err != nil {
		return nil, err
	}
	if len(systems) > 1 {
		tables = append(tables, leftTable(task, systems))
	}
	return tables, nil
}

// saveFolds writes --save-folds.
func (c *evalClassifyCmd) saveFolds(con *console, task *classify.Task, s *texts.System) error {
	if err := writeFile(c.SaveFolds, func(w io.Writer) error { return task.WriteFolds(w, s.Texts, c.Facts) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(con.err, "%s: %s\n", c.SaveFolds, count(int64(len(s.Texts)), "document"))
	return err
}

// readOutcome reads the result of another classifier on the texts of a system.
func readOutcome(name string, task *classify.Task, of *texts.System) (*texts.System, [][][]int, error) {
	o, err := evallabels.ReadOutcome(name, len(of.Texts))
	if err != nil {
		return nil, nil, err
	}
	got, err := task.Predicted(o.Classes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return &texts.System{Name: o.System, Texts: of.Texts}, got, nil
}

// tables are the figures and, with --tests, their differences.
func (c *evalClassifyCmd) tables(task *classify.Task, systems []*texts.System, got [][][][]int) []*result.Table {
	t := &result.Table{Task: "classify", Data: task.Name, Columns: []result.Column{{Name: "left", Unit: "%", Digits: 1, Neutral: true}, {Name: "macro F1", Unit: "%", Digits: 2}}}
	for _, class := range task.Classes {
		t.Columns = append(t.Columns, result.Column{Name: class, Unit: "%", Digits: 2})
	}
	for i, s := range systems {
		counts := classify.Score(len(task.Classes), task.Labels, task.Splits, got[i])
		row := result.Row{System: s.Name, Values: []result.Figure{{Value: float64(s.Bytes()) / math.Max(1, float64(systems[0].Bytes()))}, {Value: classify.Macro(counts)}}}
		for _, n := range counts {
			f := result.Figure{Value: n.F1()}
			if n.TP+n.FN == 0 {
				f.Value = math.NaN()
			}
			row.Values = append(row.Values, f)
		}
		t.Rows = append(t.Rows, row)
	}
	var names []string
	for _, s := range task.Splits {
		names = append(names, s.Name)
	}
	t.Note = fmt.Sprintf("held out in turn: %s; compared with %s", strings.Join(names, ", "), systems[0].Name)
	tests := &result.Table{Task: "classify tests", Data: t.Data + ", macro F1 against " + systems[0].Name, Columns: []result.Column{
		{Name: "difference", Unit: "%", Digits: 2}, {Name: "p", Digits: 4, Neutral: true}, {Name: "with Holm", Digits: 4, Neutral: true}}}
	ps := make([][]float64, len(systems)-1) // of each system macro F1 and the classes
	for i := range ps {
		ps[i] = classify.Randomize(len(task.Classes), task.Labels, task.Splits, got[0], got[i+1], task.Groups, c.Seed)
	}
	for k := range len(task.Classes) + 1 {
		column := make([]float64, len(ps))
		for i := range ps {
			column[i] = ps[i][k]
		}
		for i, holm := range stats.Holm(column) {
			f := &t.Rows[i+1].Values[k+1]
			d := f.Value - t.Rows[0].Values[k+1].Value
			f.Mark = stats.Arrow(d, column[i], holm)
			if k == 0 {
				tests.Rows = append(tests.Rows, result.Row{System: systems[i+1].Name, Values: []result.Figure{{Value: d}, {Value: column[i]}, {Value: holm}}})
			}
		}
	}
	if c.Tests && len(tests.Rows) > 0 {
		return []*result.Table{t, tests}
	}
	return []*result.Table{t}
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
