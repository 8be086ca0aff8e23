// Command agree compares the method justext with the output of jusText 3.0.2 for the same pages
// with the same stop lists (dump.py).
//
//	agree -export DIR                          write the embedded stop lists as text
//	agree -lists DIR [-data DIR] DUMP.jsonl    print the agreement
//
// First the classifier is run on jusText's own paragraphs. Then, with -data, the pages are
// processed by extract and the classifier, and the blocks are matched with the paragraphs of the
// same text.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/clean/justext"
	"chaffinch/extract"
	"chaffinch/internal/archive"
	"chaffinch/page"
)

// dumped is a page in the output of dump.py.
type dumped struct {
	Set, ID, Lang string
	Paragraphs    []struct {
		Text  string
		Links int `json:"chars_in_links"`
		Tags  int
		Path  string
		CF    string
		Class string
	}
}

func main() {
	export := flag.String("export", "", "folder to write the embedded stop lists to")
	lists := flag.String("lists", "", "folder of the stop lists that jusText had")
	data := flag.String("data", "", "folder of the data sets, for the comparison from the page on")
	show := flag.Int("show", 0, "number of differences to show of each kind")
	flag.Parse()
	if err := run(*export, *lists, *data, *show, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "agree:", err)
		os.Exit(2)
	}
}

func run(export, lists, data string, show int, args []string) error {
	if export != "" {
		return exportLists(export)
	}
	if len(args) != 1 {
		return fmt.Errorf("wanted one dump, got %d", len(args))
	}
	pages, err := readDump(args[0])
	if err != nil {
		return err
	}
	m := newMethod(lists)
	if err := compareClassifier(m, pages, show); err != nil {
		return err
	}
	if data == "" {
		return nil
	}
	return comparePages(m, pages, data, show)
}

func exportLists(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, c := range justext.EmbeddedLists().Cards() {
		f, err := os.Create(filepath.Join(dir, c.Lang+".txt"))
		if err != nil {
			return err
		}
		if err := justext.Embedded(c.Lang).WriteText(f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

func readDump(name string) (pages []dumped, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var p dumped
		if err := d.Decode(&p); err == io.EOF {
			return pages, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: page %d: %w", name, len(pages)+1, err)
		}
		pages = append(pages, p)
	}
}

// method labels pages with the list of their language, like jusText 3.0.x.
type method struct {
	dir    string
	byLang map[string]*justext.Labeller
}

func newMethod(dir string) *method { return &method{dir, map[string]*justext.Labeller{}} }

func (m *method) label(lang string, blocks []page.Block) ([]page.Verdict, error) {
	l := m.byLang[lang]
	if l == nil {
		cfg, err := justext.PresetByName("justext-3.0")
		if err != nil {
			return nil, err
		}
		f, err := os.Open(filepath.Join(m.dir, lang+".txt"))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if cfg.Stoplist, err = justext.ReadStoplist(f, lang, lang); err != nil {
			return nil, err
		}
		if l, err = justext.New(cfg); err != nil {
			return nil, err
		}
		m.byLang[lang] = l
	}
	return l.Label(context.Background(), &page.Page{Blocks: blocks})
}

// tally counts agreement and collects differences by kind.
type tally struct {
	n, cf, class int
	kinds        map[string]int
	order        []string
	show         int
}

func (t *tally) add(id, kind, text, cf, class string, v page.Verdict) {
	t.n++
	sameCF, sameClass := v.ContextFree.String() == cf, v.Label.String() == class
	if sameCF {
		t.cf++
	}
	if sameClass {
		t.class++
	}
	if sameCF && sameClass {
		return
	}
	if t.kinds == nil {
		t.kinds = map[string]int{}
	}
	if !sameCF {
		kind += fmt.Sprintf("context-free: theirs %s, ours %s", cf, v.ContextFree)
	} else {
		kind += fmt.Sprintf("neighbours: theirs %s, ours %s", class, v.Label)
	}
	if t.kinds[kind]++; t.kinds[kind] == 1 {
		t.order = append(t.order, kind)
	}
	if t.kinds[kind] <= t.show {
		fmt.Printf("  %s: %s (%s): %.100q\n", id, kind, v.Reason, text)
	}
}

func (t *tally) print() {
	fmt.Printf("  %d paragraphs: same context-free class %.2f %%, same class %.2f %%\n",
		t.n, percent(t.cf, t.n), percent(t.class, t.n))
	for _, k := range t.order {
		fmt.Printf("    %6d  %s\n", t.kinds[k], k)
	}
}

func percent(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }

// compareClassifier runs our classifier on jusText's paragraphs.
func compareClassifier(m *method, pages []dumped, show int) error {
	t := tally{show: show}
	for _, p := range pages {
		blocks := make([]page.Block, len(p.Paragraphs))
		for i, q := range p.Paragraphs {
			blocks[i] = page.Block{Text: q.Text, Path: q.Path, LinkChars: q.Links, Tags: q.Tags}
		}
		v, err := m.label(p.Lang, blocks)
		if err != nil {
			return err
		}
		for i, q := range p.Paragraphs {
			t.add(p.Set+"/"+p.ID, "", q.Text, q.CF, q.Class, v[i])
		}
	}
	fmt.Printf("The classifier on jusText's paragraphs, %d pages:\n", len(pages))
	t.print()
	return nil
}

// comparePages extracts the pages with Chaffinch and matches blocks with paragraphs.
func comparePages(m *method, pages []dumped, data string, show int) error {
	want := map[string]map[string]dumped{}
	for _, p := range pages {
		if want[p.Set] == nil {
			want[p.Set] = map[string]dumped{}
		}
		want[p.Set][p.ID] = p
	}
	ex, err := extract.New(extract.Default)
	if err != nil {
		return err
	}
	t := tally{show: show}
	var all segments
	for _, set := range slices.Sorted(maps.Keys(want)) {
		ids := want[set]
		name, err := archive.Find(filepath.Join(data, set))
		if err != nil {
			return err
		}
		err = archive.Walk(name, func(file string, r io.Reader) error {
			p, ok := ids[strings.TrimSuffix(path.Base(file), ".html")]
			if !ok || !strings.HasSuffix(path.Dir(file), "html") {
				return nil
			}
			raw, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			mine := &page.Page{Raw: raw, MIME: "text/html"}
			if err := ex.Do(context.Background(), mine); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			return all.match(m, p, mine, &t)
		})
		if err != nil {
			return err
		}
	}
	all.print()
	t.print()
	return nil
}
