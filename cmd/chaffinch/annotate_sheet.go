package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/extract"
	"chaffinch/input"
	"chaffinch/internal/archive"
	"chaffinch/lab/annotate"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

type annotateSheetCmd struct {
	Page []string `arg:"" optional:"" help:"The pages: HTML files, folders, JSONL, WARC, plain or compressed."`
	Out  string   `short:"o" required:"" placeholder:"DIR" help:"Output folder: sheets are written to DIR/sheets/NAME.txt, the blocks with their numbers to DIR/sheets/NAME.json."`
	As   string   `default:"pages" placeholder:"NAME" help:"Name of the set of pages in the table of roles. Default: ${default}."`
	Set  []string `placeholder:"NAME" help:"Use the pages of these sets (folders or archives in the data folder, or paths)."`
	Data string   `default:"../shared/data" placeholder:"DIR" help:"The data folder of --set; sets are in its folder eval."`
	pageFormatFlag
	IDs string `name:"ids" placeholder:"FILE" help:"With --set: use only the pages listed in the file, by id or SET/ID."`
}

// Help is the long text of --help.
func (annotateSheetCmd) Help() string {
	return `Writes a text file for each page, with a line for each block: its number, the elements around it, H if the page
hides it, L if more than half of it is links, and its text (long texts are cut in the middle). Write the roles of the
blocks into DIR/labels/NAME.txt with any editor, as lines "FROM-TO role" or "NUMBER role"; # begins a comment:

  0-12 navigation
  13 title
  14-30 body        # a star marks a further article: body*

The roles are defined in docs/guides/roles-guideline.md. "chaffinch annotate roles" converts the labels to a table.
Sheets that already have labels are written again only if their blocks are unchanged.

Examples:
  chaffinch annotate sheet pages/ -o work
  chaffinch annotate sheet --set wcxb-dev --ids mine.txt -o work`
}

// sheetWriter writes sheets into a folder.
type sheetWriter struct {
	dir     string
	extract *extract.Extractor
	written map[string]string // page of each name
}

// Run writes the sheets.
func (c *annotateSheetCmd) Run(ctx context.Context, con *console) error {
	if (len(c.Page) == 0) == (len(c.Set) == 0) {
		return errors.New("pages: name files or folders, or sets with --set, not both")
	}
	if strings.Contains(c.As, "/") || c.As == "" {
		return fmt.Errorf("--as %q: wanted a name without /", c.As)
	}
	if c.IDs != "" && len(c.Set) == 0 {
		return errors.New("--ids selects pages of sets: name the sets with --set")
	}
	x, err := extract.New(extract.Default)
	if err != nil {
		return err
	}
	w := &sheetWriter{c.Out, x, map[string]string{}}
	if len(c.Set) > 0 {
		err = c.sets(ctx, con, w)
	} else {
		err = c.files(ctx, con, w)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s in %s\n", count(int64(len(w.written)), "sheet"), filepath.Join(c.Out, annotate.SheetFolder))
	return nil
}

// files writes the sheets of pages in files.
func (c *annotateSheetCmd) files(ctx context.Context, con *console, w *sheetWriter) error {
	cfg := input.Default
	cfg.Stdin, cfg.Parquet = con.in, recipe.ReadParquet
	c.pageFormatFlag.set(&cfg, con)
	in, err := input.Open(c.Page, cfg)
	if err != nil {
		return err
	}
	defer in.Close()
	for p, err := range in.All() {
		if err != nil {
			return err
		}
		id := p.ID
		if p.Source.Record == "" {
			id = strings.TrimSuffix(path.Base(filepath.ToSlash(id)), path.Ext(id))
		}
		if err := w.write(ctx, c.As, id, fileName(id), p); err != nil {
			return err
		}
		in.Release(p)
	}
	return nil
}

// sets writes the sheets of pages of sets.
func (c *annotateSheetCmd) sets(ctx context.Context, con *console, w *sheetWriter) error {
	var sets []*gold.Set
	for _, name := range c.Set {
		s, err := gold.Open(c.Data, name)
		if err != nil {
			return err
		}
		sets = append(sets, s)
	}
	if c.IDs != "" {
		b, err := archive.ReadFile(c.IDs)
		if err != nil {
			return err
		}
		if unknown := gold.Select(sets, strings.Fields(string(b)), true); len(unknown) > 0 {
			fmt.Fprintf(con.err, "chaffinch: %s: %s in none of the sets, first %s\n", c.IDs, count(int64(len(unknown)), "page"), unknown[0])
		}
	}
	for _, s := range sets {
		err := s.EachPage(func(g *gold.Page, html []byte) error {
			p := &page.Page{ID: g.ID, Raw: html, MIME: "text/html"}
			if url := g.Field("url"); url != "-" {
				p.URL = url
			}
			return w.write(ctx, s.Name, g.ID, fileName(s.Name+"__"+g.ID), p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fileName makes the name of a page fit for a file.
func fileName(id string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:<>"|?*`, r) || r < ' ' {
			return '_'
		}
		return r
	}, id)
}

// write writes the sheet of a page.
func (w *sheetWriter) write(ctx context.Context, set, id, name string, p *page.Page) error {
	key := set + "/" + id
	if other := w.written[name]; other != "" {
		return fmt.Errorf("pages %s and %s have the same name, %s: write them into different folders", other, key, name)
	}
	w.written[name] = key
	if err := w.extract.Do(ctx, p); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	s := annotate.NewSheet(set, id, p.Raw, p)
	at := filepath.Join(w.dir, annotate.SheetFolder, name)
	if err := w.keepLabels(at+".json", name, s); err != nil {
		return err
	}
	if err := writeFile(at+".txt", s.WriteText); err != nil {
		return err
	}
	return writeFile(at+".json", s.WriteSpans)
}

// keepLabels returns an error if an existing sheet has labels for other blocks.
func (w *sheetWriter) keepLabels(path, name string, s *annotate.Sheet) error {
	labels := filepath.Join(w.dir, annotate.LabelFolder, name+".txt")
	if _, err := os.Stat(labels); err != nil {
		return nil
	}
	same, err := s.Same(path)
	if err == nil && !same {
		err = fmt.Errorf("%s: the page or its blocks have changed since %s was written: use another folder", path, labels)
	}
	return err
}
