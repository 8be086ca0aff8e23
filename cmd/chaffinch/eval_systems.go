package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/build/stage"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/lab/eval/texts"
	"chaffinch/lab/gold"
)

// systemFlags choose the programs whose texts are compared: a part of the commands
// that evaluate what cleaning is good for.
type systemFlags struct {
	Method      []string `short:"m" sep:"none" placeholder:"NAME[{JSON}][=LABEL]" help:"Methods of Chaffinch: ${methodNames}, followed by settings that differ from the defaults as a JSON object, then by a name for the tables."`
	Predictions []string `placeholder:"DIR[=NAME]" help:"Saved output of another program: DIR/ID.txt; {set} in DIR is replaced by the name of the data."`
	Perfect     bool     `help:"Also evaluate perfect labels of whole blocks and the gold text (upper bounds)."`
	Title       bool     `help:"Begin the text of --method with the title of the page, if the text lacks it, as clean --title does."`
	NoRaw       bool     `help:"Do not add all text of the pages, without markup, as the first system."`
}

// systems makes the texts of all systems: raw first.
func (c *systemFlags) systems(ctx context.Context, p *texts.Pages, workers int) ([]*texts.System, error) {
	var out []*texts.System
	if !c.NoRaw {
		s, err := p.Raw(ctx, workers)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	for _, spec := range c.Method {
		name, config, label, err := splitMethod(spec)
		if err != nil {
			return nil, err
		}
		stages, err := stage.Options{Method: name, MethodConfig: config, Title: c.Title, NoMetadata: !c.Title}.Build()
		if err != nil {
			return nil, fmt.Errorf("--method %s: %w", spec, err)
		}
		s, err := p.Clean(ctx, label, stages, workers)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	for _, spec := range c.Predictions {
		dir, name := dirAndName(spec)
		s, err := p.Read(strings.ReplaceAll(dir, "{set}", p.Name), name)
		if err != nil {
			return nil, fmt.Errorf("--predictions: %w", err)
		}
		out = append(out, s)
	}
	if c.Perfect {
		s, err := p.Perfect(ctx, workers)
		if err != nil {
			return nil, err
		}
		out = append(out, s, p.Gold())
	}
	if len(out) == 0 {
		return nil, errors.New("nothing to compare: give --method NAME or --predictions DIR, or leave out --no-raw")
	}
	return out, nil
}

// openSets opens sets of pages with gold text.
func openSets(names []string, data string) ([]*gold.Set, error) {
	names, err := setNames(names, data)
	if err != nil {
		return nil, err
	}
	var sets []*gold.Set
	for _, name := range names {
		s, err := gold.Open(data, name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// savePages writes pages as a set: html/ID.html and, where somebody knows it, gold/ID.txt.
func savePages(dir string, p *texts.Pages) error {
	write := func(name string, b []byte) error {
		if err := disk.MkdirAll(filepath.Dir(filepath.Join(dir, filepath.FromSlash(name)))); err != nil {
			return err
		}
		return files.WriteFileWith(filepath.Join(dir, filepath.FromSlash(name)), b, files.Options{Unsynced: true})
	}
	for _, g := range p.Pages {
		if g.Gold == "" {
			continue
		}
		if err := write("gold/"+g.ID+".txt", []byte(g.Gold)); err != nil {
			return err
		}
	}
	return p.Each(func(i int, html []byte) error { return write("html/"+p.Pages[i].ID+".html", html) })
}
