package structure

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	_ "chaffinch/model/data/languages"

	"chaffinch"
	"chaffinch/format/markdown"
	"chaffinch/internal/archive"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// Set is a set of pages with gold Markdown.
type Set struct {
	Name  string
	Pages []Page
}

// Page is a page with its gold.
type Page struct {
	ID   string
	HTML []byte
	Gold string
}

// Open reads a set: a folder or archive with html/ID.html and markdown/ID.md, at its top or in a
// folder with the name of the set. Pages without gold are skipped.
func Open(path string) (*Set, error) {
	s := &Set{Name: gold.SetName(path)}
	html, md := map[string][]byte{}, map[string][]byte{}
	err := archive.Walk(path, func(name string, r io.Reader) error {
		rel := strings.TrimPrefix(name, s.Name+"/")
		dir, file, _ := strings.Cut(rel, "/")
		id, into := strings.TrimSuffix(file, ".html"), html
		switch {
		case dir == "markdown" && strings.HasSuffix(file, ".md"):
			id, into = strings.TrimSuffix(file, ".md"), md
		case dir != "html" || id == file:
			return nil
		}
		b, err := archive.ReadAll(r)
		into[id] = b
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Name, err)
	}
	for id, b := range md {
		if html[id] != nil {
			s.Pages = append(s.Pages, Page{id, html[id], string(b)})
		}
	}
	if len(s.Pages) == 0 {
		return nil, fmt.Errorf("set %s: no pages with html/ID.html and markdown/ID.md", s.Name)
	}
	slices.SortFunc(s.Pages, func(a, b Page) int { return cmp.Compare(a.ID, b.ID) })
	return s, nil
}

// Run returns the Markdown of each page that a cleaner with the options writes.
func (s *Set) Run(ctx context.Context, o chaffinch.Options) ([]string, error) {
	o.Markup = true
	c, err := chaffinch.New(o)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(s.Pages))
	for i, p := range s.Pages {
		cleaned, err := c.Clean(ctx, p.HTML)
		if err != nil {
			return nil, fmt.Errorf("set %s: %s: %w", s.Name, p.ID, err)
		}
		if cleaned.Drop == page.None {
			out[i] = string(markdown.Encoder{}.Append(nil, cleaned))
		}
	}
	return out, nil
}

// Read returns the Markdown of each page in the files ID.md of a folder, "" without a file.
func (s *Set) Read(dir string) ([]string, error) {
	out := make([]string, len(s.Pages))
	found := false
	for i, p := range s.Pages {
		b, err := os.ReadFile(filepath.Join(dir, p.ID+".md"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		found = found || err == nil
		out[i] = string(b)
	}
	if !found {
		return nil, fmt.Errorf("%s: no ID.md of a page in set %s", dir, s.Name)
	}
	return out, nil
}

// Save writes the Markdown of each page to ID.md in a folder.
func (s *Set) Save(dir string, out []string) error {
	if err := disk.MkdirAll(dir); err != nil {
		return err
	}
	for i, p := range s.Pages {
		if err := files.WriteFile(filepath.Join(dir, p.ID+".md"), []byte(out[i])); err != nil {
			return err
		}
	}
	return nil
}

// Result holds the figures of a system on a set.
type Result struct {
	Set    string       `json:"set"`
	System string       `json:"system"`
	Pages  []PageScores `json:"pages"`
	Means  Means        `json:"means"`
}

// PageScores holds the figures of a page. Its texts are for [WriteWorst].
type PageScores struct {
	ID     string `json:"id"`
	Scores Scores `json:"scores"`
	output string
	gold   string
}

// Score measures the output of a system for each page of the set.
func (s *Set) Score(system string, out []string) *Result {
	r := &Result{Set: s.Name, System: system}
	var all []Scores
	for i, p := range s.Pages {
		scores := compare(out[i], p.Gold)
		all = append(all, scores)
		r.Pages = append(r.Pages, PageScores{p.ID, scores, out[i], p.Gold})
	}
	r.Means = meansOf(all)
	return r
}

// WriteText writes one row per result, in percent, then the number of pages of each measure.
func WriteText(w io.Writer, results []*Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "set\tsystem\toverall\t")
	for _, m := range Measures() {
		fmt.Fprintf(t, "%s\t", m)
	}
	fmt.Fprintln(t)
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%s\t%.1f\t", r.Set, r.System, 100*r.Means.Overall)
		for _, m := range Measures() {
			if r.Means.Pages[m] == 0 {
				fmt.Fprint(t, "-\t")
				continue
			}
			fmt.Fprintf(t, "%.1f\t", 100*r.Means.Mean[m])
		}
		fmt.Fprintf(t, "\n\tpages\t%d\t", len(r.Pages))
		for _, m := range Measures() {
			fmt.Fprintf(t, "%d\t", r.Means.Pages[m])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// WriteJSON writes the results with the figures of every page.
func WriteJSON(w io.Writer, results []*Result) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(results)
}

// maxSample is the maximum length in bytes of a text in a sample.
const maxSample = 1500

// WriteWorst writes the n pages with the lowest value of a measure, with the structure that the
// measure compares in the output and in the gold.
func WriteWorst(w io.Writer, r *Result, m Measure, n int) error {
	var pages []PageScores
	for _, p := range r.Pages {
		if _, ok := p.Scores[m]; ok {
			pages = append(pages, p)
		}
	}
	slices.SortStableFunc(pages, func(a, b PageScores) int { return cmp.Compare(a.Scores[m], b.Scores[m]) })
	for _, p := range pages[:min(n, len(pages))] {
		_, err := fmt.Fprintf(w, "\n%s/%s: %s %.1f\noutput:\n%s\ngold:\n%s\n", r.Set, p.ID, m, 100*p.Scores[m], sample(p.output, m), sample(p.gold, m))
		if err != nil {
			return err
		}
	}
	return nil
}

// sample returns the part of a text that a measure compares, indented.
func sample(text string, m Measure) string {
	switch m {
	case CodeEdit:
		text = codeOf(text)
	case FormulaEdit:
		text = formulasOf(text)
	case TableEdit, TableRoot:
		text = tablesOf(text)
	case TEDS:
		text = outline(parse(text).tables, "")
	case Lists:
		text = outline(parse(text).lists, "")
	case Footnotes:
		text = outline(footnotes(text), "")
	case Callouts:
		text = outline(parse(text).callouts, "")
	}
	if len(text) > maxSample {
		text = strings.ToValidUTF8(text[:maxSample], "") + "..."
	}
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// outline returns trees as indented lines.
func outline(trees []*Node, indent string) string {
	var b strings.Builder
	for _, n := range trees {
		fmt.Fprintf(&b, "%s%s %s\n%s", indent, n.Tag, n.Text, outline(n.Kids, indent+"  "))
	}
	return b.String()
}
