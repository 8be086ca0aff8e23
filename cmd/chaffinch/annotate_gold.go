package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chaffinch/extract"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/lab/annotate"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

type annotateGoldCmd struct {
	Roles string `arg:"" help:"Table of roles, written by \"chaffinch annotate roles\" (lab/eval/roles/README.md)."`
	Pages string `required:"" placeholder:"DIR" help:"Folder of the annotated pages, DIR/ID.html."`
	Keep  string `default:"main" placeholder:"LIST" help:"Policy of the gold text: text, main, article, news, body, or a list of roles. Default: ${default}."`
	Meta  string `placeholder:"FILE" help:"Metadata of the pages (TSV): the first line names the fields, id and any of type, lang, url and site."`
	Out   string `short:"o" required:"" placeholder:"DIR" help:"Folder of the set. Give it the name of the set in the table, so that training finds the roles."`
	Force bool   `help:"Replace the set in OUT."`
}

// Help is the long text of --help.
func (annotateGoldCmd) Help() string {
	return `Converts a table of roles to a set of pages (lab/results/data.md): OUT/html/ID.html holds the page, OUT/gold/ID.txt its
blocks of the wanted roles, one per line, and OUT/meta.jsonl the metadata. Hidden blocks and blocks of further articles
are included. A page that is missing, or whose bytes have changed since annotation, is reported and skipped; the exit
code is then 1.

Examples:
  chaffinch annotate gold roles.tsv --pages pages -o mine
  chaffinch annotate gold lab/eval/roles/extra.tsv --pages pages --keep main --meta lab/eval/roles/extra-pages.tsv -o extra`
}

// Folders and files of a set of pages.
const (
	setPages = "html"
	setGold  = "gold"
	setMeta  = "meta.jsonl"
)

// goldMaker makes a set of annotated pages.
type goldMaker struct {
	*annotateGoldCmd
	keep    page.Roles
	info    map[string]annotate.PageInfo
	extract *extract.Extractor
	written map[string]bool // files, by path in the set
	meta    bytes.Buffer
	empty   int64 // pages without gold text
}

// Run makes the set.
func (c *annotateGoldCmd) Run(ctx context.Context, con *console) error {
	keep, err := page.ParseRoles(c.Keep)
	if err != nil {
		return fmt.Errorf("--keep: %w", err)
	}
	pages, err := gold.ReadRolePages(c.Roles)
	if err != nil {
		return err
	}
	m := &goldMaker{annotateGoldCmd: c, keep: keep, written: map[string]bool{}}
	if err := m.checkNames(pages); err != nil {
		return err
	}
	if c.Meta != "" {
		if m.info, err = annotate.ReadPageInfo(c.Meta); err != nil {
			return err
		}
	}
	if m.extract, err = extract.New(extract.Default); err != nil {
		return err
	}
	if err := c.checkOut(); err != nil {
		return err
	}
	bad, made := int64(0), int64(0)
	for i := range pages {
		faults, err := m.page(ctx, &pages[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			made++
		} else {
			faults = []string{err.Error()}
		}
		if len(faults) > 0 {
			bad++
			fmt.Fprintf(con.err, "chaffinch: page %s: %s\n", pages[i].Key(), strings.Join(faults, "; "))
		}
	}
	if made == 0 {
		return errNo{fmt.Sprintf("%s: none of its %s is in %s: nothing written", c.Roles, count(int64(len(pages)), "page"), c.Pages)}
	}
	if err := m.end(); err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s in %s", count(made, "page"), c.Out)
	if m.empty > 0 {
		fmt.Fprintf(con.err, "; %s with no block of %v", count(m.empty, "page"), m.keep)
	}
	fmt.Fprintln(con.err)
	if bad > 0 {
		return errNo{fmt.Sprintf("%s of %s with errors, see above", number(bad), count(int64(len(pages)), "page"))}
	}
	return nil
}

// checkNames is an error if two pages have one name in the folder.
func (m *goldMaker) checkNames(pages []gold.RolePage) error {
	of := map[string]string{}
	for _, p := range pages {
		if other := of[p.ID]; other != "" {
			return fmt.Errorf("%s: pages %s and %s would have the same name in %s: convert each of their sets separately", m.Roles, other, p.Key(), m.Out)
		}
		of[p.ID] = p.Key()
	}
	return nil
}

// checkOut returns an error if the set would replace another set or one of its inputs.
func (c *annotateGoldCmd) checkOut() error {
	for _, name := range []string{setPages, setGold, setMeta} {
		at := filepath.Join(c.Out, name)
		for _, in := range []files.Place{{What: "the table", Path: c.Roles}, {What: "--pages", Path: c.Pages}, {What: "--meta", Path: c.Meta}} {
			if in.Path != "" && files.Within(in.Path, at) {
				return fmt.Errorf("%v is inside %s, the output folder: name another folder", in, at)
			}
		}
		if _, err := os.Lstat(at); err == nil && !c.Force {
			return fmt.Errorf("%s already exists: name another folder, or replace the set (--force)", at)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// page writes a page with its gold text. faults lists the problems of a page that is in
// the set nevertheless.
func (m *goldMaker) page(ctx context.Context, r *gold.RolePage) (faults []string, err error) {
	raw, err := m.read(r)
	if err != nil {
		return nil, err
	}
	p := &page.Page{ID: r.ID, Raw: raw, MIME: "text/html"}
	if err := panics.Catch(func() error { return m.extract.Do(ctx, p) }); err != nil {
		return nil, err
	}
	text, unread := annotate.GoldText(p, r.Spans, m.keep)
	if text == "" {
		m.empty++
	}
	if unread > 0 {
		faults = append(faults, fmt.Sprintf("%s of %d without a role, not in the gold text: the page had other blocks when it was annotated", count(int64(unread), "block"), len(p.Blocks)))
	}
	info, known := m.info[r.ID]
	if info.ID = r.ID; !known && m.Meta != "" {
		faults = append(faults, fmt.Sprintf("no metadata in %s", m.Meta))
	}
	line, err := info.Line()
	if err != nil {
		return nil, err
	}
	if err := m.write(path.Join(setPages, r.ID+".html"), raw); err != nil {
		return nil, err
	}
	if err := m.write(path.Join(setGold, r.ID+".txt"), []byte(text)); err != nil {
		return nil, err
	}
	m.meta.Write(line)
	return faults, nil
}

// read returns the bytes of a page, or an error if they differ from the annotated ones.
func (m *goldMaker) read(r *gold.RolePage) ([]byte, error) {
	name := filepath.FromSlash(r.ID + ".html")
	if !filepath.IsLocal(name) || filepath.Clean(name) != name {
		return nil, fmt.Errorf("the id %q is not a file name", r.ID)
	}
	at := filepath.Join(m.Pages, name)
	st, err := os.Stat(at)
	if err != nil {
		return nil, err
	}
	if limit := input.Default.MaxPageBytes; !st.Mode().IsRegular() || st.Size() > limit {
		return nil, fmt.Errorf("%s: mode %s, %d bytes: wanted a file of at most %d", at, st.Mode(), st.Size(), limit)
	}
	raw, err := os.ReadFile(at)
	if err != nil {
		return nil, err
	}
	if got := gold.RoleHashOf(raw); got != r.SHA256 {
		return nil, fmt.Errorf("%s: SHA-256 begins with %q, wanted %q (the annotated page)", at, got, r.SHA256)
	}
	return raw, nil
}

// write writes a file of the set.
func (m *goldMaker) write(name string, b []byte) error {
	m.written[name] = true
	return writeFile(filepath.Join(m.Out, filepath.FromSlash(name)), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// end writes the metadata of the pages, and removes the remains of the replaced set.
func (m *goldMaker) end() error {
	if err := m.write(setMeta, m.meta.Bytes()); err != nil {
		return err
	}
	for dir, ending := range map[string]string{setPages: ".html", setGold: ".txt"} {
		err := filepath.WalkDir(filepath.Join(m.Out, dir), func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(at, ending) {
				return err
			}
			rel, err := filepath.Rel(m.Out, at)
			if err != nil || m.written[filepath.ToSlash(rel)] {
				return err
			}
			return disk.Remove(at)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
