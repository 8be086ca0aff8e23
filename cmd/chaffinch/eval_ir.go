package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/lab/eval/floors"
	"chaffinch/lab/eval/ir"
	"chaffinch/lab/eval/ir/search"
	"chaffinch/lab/eval/result"
	"chaffinch/lab/eval/stats"
)

type evalIRCmd struct {
	Data       string   `arg:"" default:"../shared/data/ir/ir.tar.zst" help:"Folder or archive with collections: folders with docs.jsonl (id, title, text), queries.tsv (id, tab, text) or topics.trec, and qrels.txt. Default: ${default}."`
	Collection []string `short:"c" placeholder:"NAME" help:"Only these collections."`
	Rank       []string `sep:"none" default:"ql" placeholder:"MODEL[:K=V,...]" help:"Ranking model: ql (query likelihood, Dirichlet smoothing; mu=2000) or bm25 (k1=1.2,b=0.75), with settings after a colon, such as ql:mu=1000; repeatable. Default: ${default}."`
	Compat     string   `enum:",lucene" default:"" placeholder:"PROGRAM" help:"Be compatible with another program: lucene (lengths in one byte, negative parts set to 0)."`
	Stem       string   `default:"en" placeholder:"LANG" help:"Snowball stemmer: ${stemmers}, or none. Default: ${default}."`
	Stop       string   `default:"none" placeholder:"LIST" help:"Stop words: none, lucene (the 33 of Lucene's English analyzer), or a file with one per line. Default: ${default}."`
	Phrases    bool     `help:"Treat words between quotation marks in a topic as a phrase."`
	Depth      int      `range:"[1,)" default:"1000" placeholder:"N" help:"Documents listed per topic. Default: ${default}."`

	Topics string   `placeholder:"FILE" help:"Other topics for one --collection: queries.tsv, or TREC's format."`
	Field  []string `placeholder:"NAME" help:"Fields of TREC topics used as the query: title, desc, narr. Default: title."`
	Qrels  string   `placeholder:"FILE" help:"Score the --run files by these judgements instead of collections."`
	Run_   []string `name:"run" placeholder:"FILE[=NAME]" help:"Run of another program in TREC's format, for one --collection or --qrels."`
	Saved  string   `name:"save-runs" placeholder:"DIR" help:"Write each run in TREC's format to DIR/COLLECTION.SYSTEM.run, the judgements to DIR/COLLECTION.qrels."`

	Queries int     `placeholder:"N" help:"Also time N queries (topics are repeated), and print the cost of the index to standard error."`
	Watts   float64 `default:"${paperWatts}" help:"With --queries: power in watts of a busy core, for equation 9 of the PyPlexity paper. Default: ${default}, as in the paper."`
	Carbon  float64 `default:"${paperCarbon}" help:"With --queries: kilograms of CO2 per kilowatt-hour. Default: ${default}, as in the paper."`
	Jobs    int     `short:"j" placeholder:"N" help:"Topics processed in parallel. Default: one per core. Does not change the runs."`

	Tests     bool   `help:"Also print the differences from the first system, with the probabilities of the signed-rank test and the paired t test, raw and with Holm's correction."`
	All       bool   `help:"Show all measures, not only the main ones."`
	SaveWords string `placeholder:"DIR" help:"Write the indexed words of documents and topics, separated by spaces, to DIR/COLLECTION.docs.tsv and .topics.tsv, for other engines."`
	PerTopic  string `placeholder:"FILE" help:"Write all measures of each topic as a table (TSV)."`
	Save      string `placeholder:"FILE" help:"Write the tables as JSON, for eval report."`
	pagesFlags
	floorFlags

	tables []*result.Table
	topics strings.Builder // of --per-topic
}

// Help is the long help.
func (evalIRCmd) Help() string {
	var b strings.Builder
	for _, m := range ir.Measures {
		fmt.Fprintf(&b, "  %-10s  %s\n", m.Name, m.Help)
	}
	return `Figures are between 0 and 1, means over the topics with a relevant document. After a figure, ↑ or ↓ marks a significant
difference from the first system (Wilcoxon signed-rank test, 5 %). ↑↑ or ↓↓ marks a difference that remains significant
after Holm's correction for all systems:

` + b.String()
}

// Run scores runs or collections.
func (c *evalIRCmd) Run(ctx context.Context, con *console) error {
	if err := cmp.Or(c.read(), c.check()); err != nil {
		return err
	}
	if c.Qrels != "" {
		if err := c.scoreRuns(); err != nil {
			return err
		}
		return c.end(con)
	}
	if c.Pages != "" {
		if err := c.onPages(ctx, con); err != nil {
			return err
		}
		return c.end(con)
	}
	cfg, models, err := c.config()
	if err != nil {
		return err
	}
	collections, err := ir.Collections(c.Data, c.Collection)
	if err != nil {
		return err
	}
	if (c.Topics != "" || len(c.Run_) > 0) && len(collections) != 1 {
		return fmt.Errorf("--topics and --run need one --collection")
	}
	for _, col := range collections {
		if c.Topics != "" {
			if col.Topics, err = c.readTopics(); err != nil {
				return err
			}
		}
		if err := c.collection(ctx, col, cfg, models); err != nil {
			return fmt.Errorf("collection %s: %w", col.Name, err)
		}
	}
	return c.end(con)
}

// readTopics reads --topics in the format detected from its content.
func (c *evalIRCmd) readTopics() ([]ir.Topic, error) {
	b, err := archive.ReadFile(c.Topics)
	if err != nil {
		return nil, err
	}
	var topics []ir.Topic
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("<")) {
		topics, err = ir.ReadTopics(bytes.NewReader(b), c.Field)
	} else {
		topics, err = ir.ReadQueries(bytes.NewReader(b))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Topics, err)
	}
	return topics, nil
}

// namedModel is a model with its name for tables.
type namedModel struct {
	name string
	search.Model
}

// config reads the flags of index and ranking.
func (c *evalIRCmd) config() (cfg ir.Config, models []namedModel, err error) {
	cfg = ir.Config{Phrases: c.Phrases, Depth: c.Depth, Queries: c.Queries, Workers: c.Jobs}
	if c.Stem != "none" {
		cfg.Index.Stem = c.Stem
	}
	switch c.Stop {
	case "none":
	case "lucene":
		cfg.Index.Stop = search.LuceneStop
	default:
		b, err := archive.ReadFile(c.Stop)
		if err != nil {
			return cfg, nil, fmt.Errorf("--stop: %w; wanted none, lucene or a file", err)
		}
		cfg.Index.Stop = strings.Fields(strings.ToLower(string(b)))
	}
	for _, spec := range c.Rank {
		m, err := search.ParseModel(spec)
		if err != nil {
			return cfg, nil, fmt.Errorf("--rank: %w", err)
		}
		m.Lucene = c.Compat == "lucene"
		models = append(models, namedModel{spec, m})
	}
	return cfg, models, nil
}

// collection ranks and scores one collection.
func (c *evalIRCmd) collection(ctx context.Context, col *ir.Collection, cfg ir.Config, models []namedModel) error {
	texts := make([]ir.Text, len(col.Docs))
	for i, d := range col.Docs {
		texts[i] = ir.Text{ID: d.ID, Text: d.All()}
	}
	x, err := ir.Build(ctx, texts, cfg)
	if err != nil {
		return err
	}
	defer x.Close()
	if err := c.saveWords(x, col, texts); err != nil {
		return err
	}
	var runs []*ir.Run
	var costs []ir.Cost
	for _, m := range models {
		run, err := x.Rank(ctx, m.name, col.Topics, m.Model, cfg)
		if err != nil {
			return err
		}
		runs, costs = append(runs, run), append(costs, x.Cost)
	}
	theirs, err := c.readRuns()
	if err != nil {
		return err
	}
	if err := c.save(col.Name, append(runs, theirs...), col.Qrels); err != nil {
		return err
	}
	scores := c.score(col.Name, append(runs, theirs...), col.Qrels)
	if c.Queries > 0 {
		c.costs(col.Name, models, costs)
	}
	if len(theirs) > 0 || c.Topics != "" {
		return nil
	}
	return c.compareScores("ir/"+col.Name, col.Data, scores)
}

// compareScores compares scores with the floors of a set.
func (c *evalIRCmd) compareScores(set string, data floors.Fingerprint, scores []*ir.Scores) error {
	var systems []floors.System
	for _, s := range scores {
		systems = append(systems, floors.System{Name: s.Run, Figures: s.Floored()})
	}
	return c.compare(set, data, systems)
}

// saveWords writes --save-words.
func (c *evalIRCmd) saveWords(x *ir.Indexed, col *ir.Collection, texts []ir.Text) error {
	if c.SaveWords == "" {
		return nil
	}
	write := func(name string, n int, at func(i int) (id, text string)) error {
		return writeFile(filepath.Join(c.SaveWords, col.Name+name), func(w io.Writer) error {
			out := bufio.NewWriter(w)
			for i := range n {
				id, text := at(i)
				fmt.Fprintf(out, "%s\t%s\n", id, strings.Join(x.Words(text), " "))
			}
			return out.Flush()
		})
	}
	if err := write(".docs.tsv", len(texts), func(i int) (id, text string) { return texts[i].ID, texts[i].Text }); err != nil {
		return err
	}
	return write(".topics.tsv", len(col.Topics), func(i int) (id, text string) { return col.Topics[i].ID, col.Topics[i].Text })
}

// readRuns reads --run.
func (c *evalIRCmd) readRuns() (runs []*ir.Run, err error) {
	for _, spec := range c.Run_ {
		file, name := dirAndName(spec)
		run, err := ir.ReadFile(file, ir.ReadRun)
		if err != nil {
			return nil, err
		}
		run.Name = name
		runs = append(runs, run)
	}
	return runs, nil
}

// save writes runs and judgements.
func (c *evalIRCmd) save(data string, runs []*ir.Run, qrels ir.Qrels) error {
	if c.Saved == "" {
		return nil
	}
	for _, r := range runs {
		if err := writeFile(filepath.Join(c.Saved, data+"."+folderName(r.Name)+".run"), r.Write); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(c.Saved, data+".qrels"), qrels.Write)
}

// scoreRuns scores --run by --qrels.
func (c *evalIRCmd) scoreRuns() error {
	if len(c.Run_) == 0 {
		return errors.New("--qrels needs --run FILE")
	}
	qrels, err := ir.ReadFile(c.Qrels, ir.ReadQrels)
	if err != nil {
		return err
	}
	runs, err := c.readRuns()
	if err != nil {
		return err
	}
	c.score(filepath.Base(c.Qrels), runs, qrels)
	return nil
}

// score adds the tables of runs over one collection.
func (c *evalIRCmd) score(data string, runs []*ir.Run, qrels ir.Qrels) []*ir.Scores {
	var scores []*ir.Scores
	for _, r := range runs {
		scores = append(scores, ir.Score(r, qrels))
	}
	c.perTopic(data, scores)
	diffs := ir.Compare(scores)
	t := &result.Table{Task: "ir", Data: data}
	var shown []int
	for i, m := range ir.Measures {
		if c.All || i < mainMeasures {
			shown = append(shown, i)
			t.Columns = append(t.Columns, result.Column{Name: m.Name, Digits: 4})
		}
	}
	for i, s := range scores {
		row := result.Row{System: s.Run}
		for _, k := range shown {
			f := result.Figure{Value: stats.Mean(s.Values[k])}
			if i > 0 {
				f.Mark = diffs[i-1][k].Arrow()
			}
			row.Values = append(row.Values, f)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = fmt.Sprintf("%s with a relevant document; compared with %s", count(int64(len(scores[0].Topics)), "topic"), scores[0].Run)
	c.tables = append(c.tables, t)
	if c.Tests {
		c.tests(data, scores, diffs, shown)
	}
	return scores
}

// mainMeasures is the number of measures shown without --all.
const mainMeasures = 6

// perTopic adds the rows of --per-topic.
func (c *evalIRCmd) perTopic(data string, scores []*ir.Scores) {
	if c.PerTopic == "" {
		return
	}
	if c.topics.Len() == 0 {
		c.topics.WriteString("data\tsystem\ttopic")
		for _, m := range ir.Measures {
			c.topics.WriteString("\t" + m.Name)
		}
		c.topics.WriteByte('\n')
	}
	for _, s := range scores {
		for t, topic := range s.Topics {
			fmt.Fprintf(&c.topics, "%s\t%s\t%s", data, s.Run, topic)
			for i := range ir.Measures {
				fmt.Fprintf(&c.topics, "\t%.15f", s.Values[i][t])
			}
			c.topics.WriteByte('\n')
		}
	}
}

// tests adds a table of differences.
func (c *evalIRCmd) tests(data string, scores []*ir.Scores, diffs [][]ir.Difference, shown []int) {
	t := &result.Table{Task: "ir tests", Data: data + ", against " + scores[0].Run, Columns: []result.Column{
		{Name: "difference", Digits: 4}, {Name: "Wilcoxon p", Digits: 4, Neutral: true}, {Name: "with Holm", Digits: 4, Neutral: true},
		{Name: "t test p", Digits: 4, Neutral: true}, {Name: "with Holm", Digits: 4, Neutral: true}}}
	for i, s := range scores[1:] {
		for _, k := range shown {
			d := diffs[i][k]
			t.Rows = append(t.Rows, result.Row{System: s.Run + " " + d.Measure, Values: []result.Figure{
				{Value: d.Value - d.Base}, {Value: d.Wilcoxon}, {Value: d.WilcoxonHolm}, {Value: d.T}, {Value: d.THolm}}})
		}
	}
	if len(t.Rows) > 0 {
		c.tables = append(c.tables, t)
	}
}

// costs adds a table of what indexes cost.
func (c *evalIRCmd) costs(data string, models []namedModel, costs []ir.Cost) {
	names := make([]string, len(models))
	for i, m := range models {
		names[i] = m.name
	}
	c.tables = append(c.tables, costTable(data, names, costs, ir.Energy{Watts: c.Watts, Carbon: c.Carbon}))
}

// costTask is the task of tables of costs.
const costTask = "ir cost"

// costTable is the table of what indexes cost, the paper's tables 4 and 5.
func costTable(data string, names []string, costs []ir.Cost, e ir.Energy) *result.Table {
	queries := "queries"
	if len(costs) > 0 {
		queries = number(int64(costs[0].Queries)) + " queries"
	}
	t := &result.Table{Task: costTask, Data: data, Columns: []result.Column{
		{Name: "text", Unit: "MB", Digits: 2, Less: true}, {Name: "index", Unit: "MB", Digits: 3, Less: true}, {Name: "words", Digits: 0, Neutral: true}, {Name: "memory", Unit: "MB", Digits: 1, Less: true},
		{Name: "cleaning", Unit: "s", Digits: 2, Less: true}, {Name: "building", Unit: "s", Digits: 3, Less: true}, {Name: queries, Unit: "s", Digits: 3, Less: true},
		{Name: "energy", Unit: "mWh", Digits: 3, Less: true}, {Name: "CO2 of all", Unit: "mg", Digits: 2, Less: true}, {Name: "CO2 of a million queries", Unit: "g", Digits: 3, Less: true}},
		Note: fmt.Sprintf("processor time on this machine; %g W, %g kg of CO2 per kWh", e.Watts, e.Carbon)}
	for i, x := range costs {
		whole := x.Clean + x.Build + x.Search
		clean, energy, co2, million := x.Clean.Seconds(), 1e3*e.WattHours(whole), 1e6*e.CO2(whole), math.NaN()
		if x.Clean < 0 {
			clean, energy, co2 = math.NaN(), math.NaN(), math.NaN()
		}
		if x.Queries > 0 {
			million = 1e3 * e.CO2(x.Search) * 1e6 / float64(x.Queries)
		}
		row := result.Row{System: names[i]}
		for _, v := range []float64{float64(x.TextBytes) / 1e6, float64(x.IndexBytes) / 1e6, float64(x.Tokens), float64(x.Memory) / 1e6,
			clean, x.Build.Seconds(), x.Search.Seconds(), energy, co2, million} {
			row.Values = append(row.Values, result.Figure{Value: v})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// end prints the tables and judges by the floors.
func (c *evalIRCmd) end(con *console) error {
	timed := func(t *result.Table) bool { return t.Task == costTask } // no two runs have the same times
	if err := writeTables(con.err, slices.DeleteFunc(slices.Clone(c.tables), func(t *result.Table) bool { return !timed(t) }), ""); err != nil {
		return err
	}
	if err := writeTables(con.out, slices.DeleteFunc(slices.Clone(c.tables), timed), ""); err != nil {
		return err
	}
	if c.Save != "" {
		if err := result.Save(c.Save, c.tables); err != nil {
			return err
		}
	}
	if c.PerTopic != "" {
		if err := files.WriteFile(c.PerTopic, []byte(c.topics.String())); err != nil {
			return err
		}
	}
	return c.judge(con.err)
}

// writeTables prints tables, and saves them where save is not "".
func writeTables(w io.Writer, tables []*result.Table, save string) error {
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := t.Write(w); err != nil {
			return err
		}
	}
	if save == "" {
		return nil
	}
	return result.Save(save, tables)
}

var irVars = kong.Vars{
	"stemmers":    strings.Join(search.Stemmers(), " "),
	"paperWatts":  fmt.Sprint(ir.PaperEnergy.Watts),
	"paperCarbon": fmt.Sprint(ir.PaperEnergy.Carbon),
}
