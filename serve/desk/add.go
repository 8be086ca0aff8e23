package desk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	_ "chaffinch/model/data/languages"

	"chaffinch/extract"
	"chaffinch/extract/site"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/sorts"
	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/serve/desk/journal"
	"chaffinch/text/langid"
)

// The files of a set under annotation.
const (
	htmlFolder   = "html"
	textFolder   = "text"
	goldFolder   = "gold"
	labelFolder  = "labels"
	modelFolder  = "models"
	metaFile     = "meta.jsonl"
	rolesFile    = "roles.tsv"
	linesFile    = "lines.jsonl"
	judgedPerson = journal.Judged // the name of the log of adjudicated labels
)

// info is the metadata of a page: its line in meta.jsonl.
type info struct {
	ID     string `json:"id"`
	URL    string `json:"url,omitempty"`
	Site   string `json:"site,omitempty"`
	Lang   string `json:"lang,omitempty"`
	SHA256 string `json:"sha256"` // the beginning, as tables of roles have it
	Kind   string `json:"kind,omitempty"`
	// From is the file and the record that the page was taken from.
	From string `json:"from,omitempty"`
}

const kindLines = "lines"

// readInfo reads meta.jsonl. Without the file it returns no pages.
func readInfo(dir string) (all []info, err error) {
	name := filepath.Join(dir, metaFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var i info
		if err := json.Unmarshal(line, &i); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if i.ID == "" || !filepath.IsLocal(i.ID) || strings.ContainsAny(i.ID, `/\`) {
			return nil, fmt.Errorf("%s:%d: id %q: wanted the name of a file", name, n, i.ID)
		}
		if seen[i.ID] {
			return nil, fmt.Errorf("%s:%d: duplicate page %s", name, n, i.ID)
		}
		seen[i.ID] = true
		if i.SHA256 == "" { // a set that was made elsewhere
			raw, err := os.ReadFile(filepath.Join(dir, htmlFolder, i.ID+".html"))
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			i.SHA256 = gold.RoleHashOf(raw)
		}
		all = append(all, i)
	}
	return all, nil
}

// Added counts what Add did.
type Added struct {
	// Pages were added, Known are in the set already, Skipped could not be read.
	Pages, Known, Skipped int
}

// AddConfig configures Add.
type AddConfig struct {
	// Input configures the reading of files.
	Input input.Config
	// Sample takes so many pages of all, 0 for all; which ones follows from their
	// bytes and Seed.
	Sample int
	Seed   uint64
	// Skipped is called with the error of each unreadable page, which is skipped.
	Skipped func(error)
}

// maxPages is the most pages of a set.
const maxPages = 5000

// Add copies pages of files, folders and archives into the set in dir, which is made
// if it is not there. Pages that the set has already are passed over.
func Add(ctx context.Context, dir string, paths []string, cfg AddConfig) (a Added, err error) {
	for _, p := range paths {
		if files.Within(p, dir) || files.Within(dir, p) {
			return a, fmt.Errorf("%s and %s: one is inside the other: pages must come from outside the set", p, dir)
		}
	}
	have, err := readInfo(dir)
	if err != nil {
		return a, err
	}
	known, ids := map[string]bool{}, map[string]bool{}
	for _, i := range have {
		known[i.SHA256], ids[i.ID] = true, true
	}
	found, err := candidates(ctx, paths, cfg, known, &a)
	if err != nil {
		return a, err
	}
	if len(have)+len(found) > maxPages {
		return a, fmt.Errorf("%d pages, wanted at most %d in a set under annotation: take a sample", len(have)+len(found), maxPages)
	}
	for i := range found {
		c := &found[i]
		c.ID = c.name
		for n := 2; ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("%s-%d", c.name, n)
		}
		ids[c.ID] = true
		d := doc{info: c.info, plain: c.Kind == kindLines}
		if err := disk.MkdirAll(filepath.Dir(d.file(dir))); err != nil {
			return a, err
		}
		if err := files.WriteFile(d.file(dir), c.raw); err != nil {
			return a, err
		}
		have = append(have, c.info)
		a.Pages++
	}
	if a.Pages == 0 {
		return a, nil
	}
	out, err := journal.Lines(have)
	if err != nil {
		return a, err
	}
	return a, files.WriteFile(filepath.Join(dir, metaFile), out)
}

// candidate is a page that may be added.
type candidate struct {
	info
	name string
	raw  []byte
	key  uint64 // by which the sample is drawn
}

// candidates reads pages.
func candidates(ctx context.Context, paths []string, cfg AddConfig, known map[string]bool, a *Added) (found []candidate, err error) {
	x, err := extract.New(extract.Default)
	if err != nil {
		return nil, err
	}
	langs, err := langid.NewPages(langid.DefaultPage)
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		if gold.HoldsLineLabels(name) {
			return nil, fmt.Errorf("%s: labelled lines (for train lines, eval lines and annotate agreement): name the documents themselves", name)
		}
	}
	in, err := input.Open(paths, cfg.Input)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	cut := func(n int) {
		sorts.StableFunc(found, func(a, b candidate) int { return cmp.Compare(a.key, b.key) })
		found = slices.Clip(found[:min(n, len(found))])
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := in.Next()
		if err == io.EOF {
			break
		}
		var bad *page.Error
		if err == nil && p.Drop == page.None {
			if err = x.Do(ctx, p); err == nil && p.PlainText() { // labelled lines are trained on by language
				err = langs.Do(ctx, p)
			}
		}
		switch {
		case err != nil && !errors.As(err, &bad):
			return nil, err
		case err == nil && p.Drop != page.None:
			err = &page.Error{File: p.Source.File, Record: p.Source.Record, Offset: -1, Err: errors.New(p.Drop.Sentence())}
		}
		if err == nil && len(p.Blocks) == 0 {
			continue
		}
		if err != nil {
			if a.Skipped++; cfg.Skipped != nil {
				cfg.Skipped(err)
			}
			continue
		}
		c := candidateOf(p, cfg.Seed)
		if known[c.SHA256] {
			a.Known++
			continue
		}
		known[c.SHA256] = true
		if found = append(found, c); cfg.Sample > 0 && len(found) >= 2*cfg.Sample+200 {
			cut(cfg.Sample)
		}
		if cfg.Sample == 0 && len(found) > maxPages {
			return nil, fmt.Errorf("more than %d pages: take a sample", maxPages)
		}
	}
	if cfg.Sample > 0 {
		cut(cfg.Sample)
	}
	return found, nil
}

// candidateOf returns a page as it will lie in the set: HTML as it came, but in UTF-8
// where the server alone told the encoding; text decoded.
func candidateOf(p *page.Page, seed uint64) candidate {
	c := candidate{raw: p.Raw}
	if c.URL, c.Lang = p.URL, p.Lang; c.Lang == langid.Undetermined {
		c.Lang = ""
	}
	if p.PlainText() {
		c.raw, c.Kind = []byte(p.HTML), kindLines
	} else if p.HTTPCharset != "" && p.Charset != "UTF-8" {
		c.raw = append([]byte("\ufeff"), p.HTML...)
	}
	c.SHA256 = gold.RoleHashOf(c.raw)
	c.key = journal.Draw(fmt.Sprintf("%d %s", seed, c.SHA256))
	c.From = p.Source.File
	if p.Source.Record != "" {
		c.From += " " + p.Source.Record
	}
	c.From = path.Base(filepath.ToSlash(c.From))
	c.name = nameOf(p, c.SHA256)
	return c
}

// nameOf returns the id of a page in the set: the name of its file if the file is one page,
// else its host and the beginning of its hash, else the id that its record states.
func nameOf(p *page.Page, hash string) string {
	name := ""
	if p.Source.Record == "" {
		name = path.Base(filepath.ToSlash(p.Source.File))
		name = strings.TrimSuffix(name, path.Ext(name))
	} else if h := site.Host(p.URL); h != "" {
		name = h + "-" + hash[:6]
	} else if p.ID != p.Source.File+"#"+p.Source.Record {
		name = p.ID
	}
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name), ".")
	if len(name) > 80 {
		name = name[:80]
	}
	return cmp.Or(name, "page-"+hash[:6])
}
