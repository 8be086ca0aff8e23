package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/internal/files"
	"chaffinch/internal/table"
	"chaffinch/lab/eval/floors"
	plageval "chaffinch/lab/eval/plagiarism"
	"chaffinch/plagiarism"
)

type evalPlagiarismCmd struct {
	Data        string   `arg:"" default:"../shared/data/plagiarism/plagiarism.tar.zst" help:"Folder or archive with sets in the layout of PAN: suspicious documents (NAME.txt, NAME.xml) in one folder, source documents in one beside it."`
	Set         string   `placeholder:"NAME" help:"Only this set."`
	Half        string   `default:"both" enum:"dev,test,both" help:"Half of the suspicious documents: ${enum}. Settings were chosen on dev."`
	Predictions []string `placeholder:"DIR[=NAME]" help:"Output of another program: a folder of PAN XML files."`
	Generate    bool     `help:"DATA is a folder or archive of clean texts (.txt): generate a set from them, with passages changed in many ways."`
	Sources     int      `default:"80" placeholder:"N" help:"With --generate: number of sources."`
	Documents   int      `default:"60" placeholder:"N" help:"With --generate: number of suspicious documents."`
	Kind        []string `placeholder:"NAME" help:"With --generate: only these kinds of change."`
	Seed        uint64   `default:"1" placeholder:"N" help:"With --generate: seed of the set."`
	Missed      string   `placeholder:"FILE" help:"Write missed and partly found cases of the half dev, and wrong detections, as a table (TSV)."`
	Config      string   `placeholder:"JSON" hidden:"" help:"Settings of index and search as JSON: {\"index\": {...}, \"search\": {...}}."`
	floorFlags
}

// Help is the long help.
func (evalPlagiarismCmd) Help() string {
	return `The measures of PAN, in percent except granularity: macro-averaged precision and recall of characters on both sides,
granularity (detections per detected case, 1 is best), plagdet = F1 / log2(1 + granularity); by half of the
suspicious documents and by kind of obfuscation. Wrong detections count only in the rows "all".`
}

// Run scores the search on the sets.
func (c *evalPlagiarismCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	cfg := struct {
		Index  plagiarism.IndexConfig
		Search plagiarism.SearchConfig
	}{plagiarism.DefaultIndex, plagiarism.DefaultSearch}
	if err := applyConfig(c.Config, &cfg); err != nil {
		return err
	}
	sets, err := c.sets()
	if err != nil {
		return err
	}
	if c.Set != "" {
		var names []string
		for _, s := range sets {
			names = append(names, s.Name)
		}
		sets = slices.DeleteFunc(sets, func(s *plageval.Set) bool { return filepath.Base(s.Name) != c.Set && s.Name != c.Set })
		if len(sets) == 0 {
			return fmt.Errorf("--set %s: no such set in %s, wanted one of %s", c.Set, c.Data, strings.Join(names, ", "))
		}
	}
	for _, s := range sets {
		if c.Half != "both" {
			s = s.Part(c.Half)
		}
		start := time.Now()
		found, err := plageval.Run(ctx, s, cfg.Index, cfg.Search)
		if err != nil {
			return err
		}
		took := time.Since(start).Seconds()
		if err := c.table(con, s, found); err != nil {
			return err
		}
		susp, src := s.Bytes()
		fmt.Fprintf(con.out, "%d suspicious documents (%.1f MB) against %d sources (%.1f MB)\n\n",
			len(s.Suspicious), float64(susp)/1e6, len(s.Sources), float64(src)/1e6)
		fmt.Fprintf(con.err, "%s: %.2f s, index included: %.1f documents/s\n", s.Name, took, float64(len(s.Suspicious))/took)
		if c.Missed != "" {
			if err := files.WriteFile(c.Missed, []byte(missed(s, found))); err != nil {
				return err
			}
		}
	}
	return c.judge(con.err)
}

// sets opens the sets, or makes one.
func (c *evalPlagiarismCmd) sets() ([]*plageval.Set, error) {
	if !c.Generate {
		return plageval.Open(c.Data)
	}
	cfg := plageval.DefaultGenerate
	cfg.Seed, cfg.Sources, cfg.Suspicious = c.Seed, c.Sources, c.Documents
	if len(c.Kind) > 0 {
		cfg.Kinds = c.Kind
	}
	s, err := plageval.GenerateFrom(c.Data, cfg)
	if err != nil {
		return nil, err
	}
	return []*plageval.Set{s}, nil
}

// table prints the scores of one set: ours, then the scores of other programs.
func (c *evalPlagiarismCmd) table(con *console, s *plageval.Set, found []plagiarism.Passage) error {
	t := table.New("set", "system", "half", "obfuscation", ">cases", ">found", ">P", ">R", ">micro P", ">micro R", ">granularity", ">plagdet")
	add := func(system string, rows []plageval.Row) {
		for _, r := range rows {
			if r.Cases == 0 || c.Half != "both" && r.Half == "all" {
				continue
			}
			t.Add(filepath.Base(s.Name), system, r.Half, r.Kind, fmt.Sprint(r.Cases), fmt.Sprint(r.Detections),
				fmt.Sprintf("%.2f", 100*r.Precision), fmt.Sprintf("%.2f", 100*r.Recall),
				fmt.Sprintf("%.2f", 100*r.MicroPrecision), fmt.Sprintf("%.2f", 100*r.MicroRecall),
				fmt.Sprintf("%.3f", r.Granularity), fmt.Sprintf("%.2f", 100*r.Plagdet))
		}
	}
	rows := plageval.Rows(s, found)
	add("chaffinch", rows)
	for _, spec := range c.Predictions {
		dir, name, ok := strings.Cut(spec, "=")
		if !ok {
			name = filepath.Base(dir)
		}
		theirs, err := plageval.ReadDetections(dir, s)
		if err != nil {
			return err
		}
		add(name, plageval.Rows(s, theirs))
	}
	if err := t.Write(con.out, ""); err != nil {
		return err
	}
	if c.Half != "both" || c.Generate {
		return nil // this run has no floors
	}
	return c.compare("plagiarism/"+filepath.Base(s.Name), s.Fingerprint(), []floors.System{{Name: "chaffinch", Figures: plageval.Floored(rows)}})
}

// missed lists what went wrong in the half dev.
func missed(s *plageval.Set, found []plagiarism.Passage) string {
	out := "what\tcovered\tkind\tsuspicious\tstart\tend\tsource\tstart\tend\n"
	line := func(what string, share float64, kind string, p plagiarism.Passage) {
		out += fmt.Sprintf("%s\t%.2f\t%s\t%s\t%d\t%d\t%s\t%d\t%d\n", what, share, kind, p.Suspicious, p.SuspiciousStart, p.SuspiciousEnd, p.Source, p.SourceStart, p.SourceEnd)
	}
	for _, c := range s.Cases {
		if plageval.Half(c.Suspicious) != "dev" {
			continue
		}
		line("case", plageval.Covered(c.Passage, found), c.Obfuscation, c.Passage)
		for _, d := range found {
			if plageval.Overlap(c.Passage, d) {
				line("  found", d.Score, "", d)
			}
		}
	}
	gold := s.Passages()
	for _, d := range found {
		if plageval.Half(d.Suspicious) == "dev" && plageval.Covered(d, gold) == 0 {
			line("wrong", d.Score, "", d)
		}
	}
	return out
}
