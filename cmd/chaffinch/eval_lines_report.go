package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	evallines "chaffinch/lab/eval/lines"
)

// linesOutcome is all that "eval lines" measured.
type linesOutcome struct {
	cmd      *evalLinesCmd
	con      *console
	set      *evallines.Set
	results  []*evallines.Result
	tests    []evallines.Comparison
	variants []evallines.Variant
	curves   []evallines.Curve
	adapted  string
}

// write prints the tables, or JSON, and writes the files that were asked for.
func (o *linesOutcome) write() error {
	tables, err := o.tables()
	if err != nil {
		return err
	}
	if o.cmd.JSON {
		e := json.NewEncoder(o.con.out)
		e.SetIndent("", " ")
		if err := e.Encode(evallines.Summary(o.set, o.results, o.tests, o.variants, o.curves)); err != nil {
			return err
		}
	} else {
		for _, t := range tables {
			if _, err := io.WriteString(o.con.out, t); err != nil {
				return err
			}
		}
		if o.cmd.Worst > 0 {
			if err := evallines.WriteWorst(o.con.out, o.results[0], o.cmd.Worst); err != nil {
				return err
			}
		}
	}
	if o.cmd.Report != "" {
		if err := writeFile(o.cmd.Report, func(w io.Writer) error { return evallines.WriteReport(w, o.set, o.results, tables) }); err != nil {
			return err
		}
	}
	if o.cmd.PerDoc != "" {
		if err := writeFile(o.cmd.PerDoc, func(w io.Writer) error { return evallines.WriteDocuments(w, o.results) }); err != nil {
			return err
		}
	}
	return o.plots()
}

// tables are the tables as text, one for each subject.
func (o *linesOutcome) tables() (out []string, err error) {
	var b bytes.Buffer
	flush := func(e error) {
		if err == nil {
			err = e
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
		b.Reset()
	}
	fmt.Fprintf(&b, "%s: %s, %s\n\n", o.set.Name, count(int64(len(o.set.Docs)), "document"), count(int64(o.set.Lines()), "line"))
	flush(evallines.WriteLanguages(&b, o.results))
	for _, r := range o.results {
		for _, n := range r.Notes {
			fmt.Fprintf(&b, "%s: %s\n\n", r.Title(), n)
		}
	}
	flush(nil)
	flush(evallines.WriteMeasures(&b, o.results))
	for _, r := range o.results {
		flush(evallines.WriteConfusion(&b, r))
	}
	for _, r := range o.results {
		if r.HasRegisters() {
			flush(evallines.WriteRegisters(&b, r))
		}
	}
	flush(evallines.WriteGroups(&b, o.results[0]))
	flush(evallines.WriteComparisons(&b, o.tests))
	if o.variants != nil {
		flush(evallines.WriteAblation(&b, o.variants))
	}
	if o.curves != nil {
		flush(evallines.WriteAdaptation(&b, o.adapted, o.curves))
	}
	return out, err
}

// plots writes the SVG files.
func (o *linesOutcome) plots() error {
	if o.cmd.Plots == "" {
		return nil
	}
	if err := disk.MkdirAll(o.cmd.Plots); err != nil {
		return err
	}
	put := func(name, svg string) error {
		return files.WriteFile(filepath.Join(o.cmd.Plots, folderName(name)+".svg"), []byte(svg+"\n"))
	}
	for _, r := range o.results {
		if err := put("position-"+r.Title(), evallines.PositionSVG(r.Title()+": accuracy by line number", r.Positions())); err != nil {
			return err
		}
	}
	if o.curves == nil {
		return nil
	}
	return put("adapt-"+o.adapted, evallines.AdaptationSVG(o.adapted+": accuracy in a held-out language, by number of training documents", o.curves))
}
