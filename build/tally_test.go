package build

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
	"chaffinch/pipeline"
)

// TestTallyTaken: the counts from only the removed pages equal the counts from all pages. If
// parts of pages are removed, all pages are read.
func TestTallyTaken(t *testing.T) {
	in := t.TempDir()
	for i := range 12 {
		lang, text := "en", "In the year %d the old mill was rebuilt, since the winter storms had taken half of its walls and most of what stood behind them for the people."
		if i%3 == 1 {
			lang, text = "de", "Im Jahr %d wurde die alte Mühle wieder aufgebaut, weil die Stürme des Winters die Hälfte ihrer Mauern und das meiste dahinter mitgenommen hatten."
		}
		html := fmt.Sprintf("<html lang=%s><title>Page %d</title><body><ul><li><a href=/>Start</a></ul><h1>The mill</h1><p hidden>Nobody sees it.</p>", lang, i)
		if i%4 != 3 { // the others are too short
			html += strings.Repeat("<p>"+fmt.Sprintf(text, 1800+i/2)+"</p>", 2)
		}
		page := fmt.Sprintf("<link rel=canonical href=https://host%d.example/%d>", i%2, i%5)
		must.Write(t, filepath.Join(in, fmt.Sprintf("%02d.html", i)), strings.Replace(html, "<body>", page+"<body>", 1))
	}
	const recipe = `version: 1
clean: {keep: text, hidden: keep}
filter: {use: [gopher_quality], limits: {gopher_quality.words: {min: 30}}}
dedup:
  - {method: exact, config: {unit: page}}
  - {method: minhash, config: {preset: fineweb}}
  - {method: onion}
`
	r := must.Get(Parse("x.yaml", []byte(recipe)))(t)
	r.Inputs = []string{in, filepath.Join("..", "examples", "pages")}
	b := must.Get(open(Config{Recipe: r, Job: pipeline.Job{Out: t.TempDir(), Workers: 1, Memory: MinMemory}, Version: "test"}))(t)
	defer b.close()
	for _, s := range b.steps {
		must.Succeed(t, b.do(t.Context(), s, &Result{}))
	}
	removed := map[string]int64{}
	b.next = nil
	for _, s := range b.steps {
		var taken *Flow // by what was counted of the step before
		if b.next != nil {
			got := must.Get(b.tallyTaken(t.Context(), s))(t)
			if got != nil {
				taken = got.end()
			}
		}
		all, err := b.tally(t.Context(), s) // of which nothing is known
		must.Succeed(t, err)
		if s.counts != "" { // the counts of the pages equal the counts of the stored text
			stored := *s
			stored.counts = ""
			read := must.Get(b.tallyAll(t.Context(), &stored))(t)
			if got := read.end(); !reflect.DeepEqual(got, all) {
				t.Errorf("%s: the workers counted %+v, the stored text has %+v", s.name, all, got)
			}
		}
		removed[s.name] = all.Removed.Pages
		if want := s.name != "clean" && s.name != "dedup-onion"; (taken != nil) != want {
			t.Errorf("%s: what was taken out is counted alone: %v", s.name, taken != nil)
		}
		if taken != nil && !reflect.DeepEqual(all, taken) {
			t.Errorf("%s: %+v, wanted %+v", s.name, taken, all)
		}
		if e := b.ledger.entry(s.name); !reflect.DeepEqual(e.Flow, all) {
			t.Errorf("%s: the build has counted %+v, wanted %+v", s.name, e.Flow, all)
		}
	}
	if removed["filter"] == 0 || removed["dedup-exact"] == 0 || removed["dedup-minhash"] == 0 {
		t.Errorf("removed %v: not much of a test", removed)
	}
}

// TestOnePass: one pass writes the same exports as two steps, and counts all pages.
func TestOnePass(t *testing.T) {
	in := structuredPages(t)
	built := func(exports []string, more string) (*builder, map[string]string) {
		r, err := Parse("x.yaml", []byte(`version: 1
clean: {keep: text, hidden: keep, title: true}
filter: {use: [gopher_quality, c4], limits: {gopher_quality.words: {min: 30}, c4.sentences: {min: 1}}}
dedup: [{method: exact, config: {unit: paragraph}}]
exports: [{file: `+strings.Join(exports, "}, {file: ")+"}]\n"+more))
		must.Succeed(t, err)
		r.Inputs = []string{in, filepath.Join("..", "examples", "pages")}
		out := t.TempDir()
		b := must.Get(open(Config{Recipe: r, Job: pipeline.Job{Out: out, Workers: 2, Memory: MinMemory}, Version: "test"}))(t)
		t.Cleanup(func() { b.close() })
		for _, s := range b.steps {
			must.Succeed(t, b.do(t.Context(), s, &Result{}))
		}
		texts := map[string]string{}
		for _, name := range exports {
			texts[name] = string(must.Read(t, filepath.Join(out, name)))
		}
		return b, texts
	}
	flat, marked := []string{"corpus.jsonl", "corpus.parquet", "corpus.txt"}, []string{"tree.json", "corpus.prevert"}
	two, want := built(slices.Concat(flat, marked), "")
	one, got := built(flat, "one_pass: true\n")
	if r, err := one.Recipe.pages(); err != nil || !r.Output.Lean {
		t.Errorf("lean %v, %v", r.Output.Lean, err)
	}
	_, others := built(marked, "one_pass: true\n")
	maps.Copy(got, others)
	for name := range want {
		if got[name] != want[name] || want[name] == "" {
			t.Errorf("%s: %q, wanted %q", name, got[name], want[name])
		}
	}
	for _, kept := range []string{`"kind":"image"`, `"kind":"table"`, `"kind":"code"`, `"kind":"list"`} {
		if !strings.Contains(want["tree.json"], kept) {
			t.Errorf("no %s: not much of a test", kept)
		}
	}
	if names := one.steps.names(); !slices.Equal(names, []string{"clean", "dedup-exact", "export-corpus.jsonl", "export-corpus.parquet", "export-corpus.txt"}) {
		t.Errorf("steps %q", names)
	}
	clean, filter, both := two.ledger.entry("clean").Flow, two.ledger.entry("filter").Flow, one.ledger.entry("clean").Flow
	all := clean.Removed
	all.add(clean.Kept, 1)
	sum := both.Removed
	sum.add(both.Kept, 1)
	if both.Kept != filter.Kept || sum != all {
		t.Errorf("kept %+v of %+v, wanted %+v of %+v", both.Kept, sum, filter.Kept, all)
	}
	for why, a := range filter.Parts {
		if got := both.Parts[why]; got == nil || got.Words != a.Words {
			t.Errorf("%s: %+v, wanted %d words", why, got, a.Words)
		}
	}
	if len(filter.Parts) == 0 {
		t.Error("the rules removed no line: not much of a test")
	}
	for why, a := range filter.Reasons {
		if got := both.Reasons[why]; got == nil || got.Pages != a.Pages {
			t.Errorf("%s: %+v, wanted %d pages", why, got, a.Pages)
		}
	}
	if _, err := os.Stat(one.path(stepsFolder, "clean", removedName)); err == nil {
		t.Error("the removed text was stored")
	}
}

// structuredPages returns a folder of pages with lists, tables, code and images, between lines that
// rules remove.
func structuredPages(t *testing.T) string {
	dir := t.TempDir()
	for i := range 8 {
		sentence := func(of string) string {
			return fmt.Sprintf("In the year %d the old mill was rebuilt for the %s, since the winter storms had taken half of its walls and most of the roof.", 1700+i, of)
		}
		html := fmt.Sprintf(`<html lang=en><title>Page %d</title><body><article><p>%s</p><img src=a.png alt=Mill><p>%s that nobody knows</p><img src=b.png alt=Roof><p>%s</p>`, i, sentence("people"), sentence("people"), sentence("miller"))
		html += fmt.Sprintf(`<li>%s</li><p>Walls</p><li>%s</li><ul><li>Stone</ul><ol><li>%s<ul><li>Wood</ul><li>Straw</ol>`, sentence("valley"), sentence("village"), sentence("town"))
		html += fmt.Sprintf(`<table><caption>Mills</caption><tr><th>Mill<th>Year<th>Use<tr><td>%s<td>%d<td>%s<tr><td>%s<td>1600<td>%s</table>`, sentence("bakers"), 1700+i, sentence("cooks"), sentence("smiths"), sentence("weavers"))
		html += fmt.Sprintf(`<table><tr><td>%s<td>Wheel<tr>Stones<td>%s</table>`, sentence("farmers"), sentence("monks"))
		html += "<pre>if flour {\n\treturn \"bread.\"\n}</pre><p>Flour</p><pre>grind()\nbake()</pre><p hidden>" + sentence("mice") + "<p hidden>Mice</p>"
		html += fmt.Sprintf("<dl><dt>Sluice<dd>%s<dt>Weir<dd>Low</dl><p>%s</p></article>", sentence("fish"), strings.Repeat("Nobody has seen it since then. ", i))
		must.Write(t, filepath.Join(dir, fmt.Sprintf("%02d.html", i)), html)
	}
	return dir
}

// TestSampling counts the words of fewer pages in larger inputs, and all words of one page or none.
func TestSampling(t *testing.T) {
	for bytes, want := range map[int64]sampling{0: 0, wordBytes: 0, wordBytes + 1: 1, 2 * wordBytes: 1, 2*wordBytes + 2: 2, 1 << 30: 6, 1 << 60: maxSampling} {
		if got := samplingOf(bytes); got != want {
			t.Errorf("%d bytes: %d, wanted %d", bytes, got, want)
		}
	}
	n := 0
	d := digester{sampling: 3}
	for i := range 8000 {
		x := d.digest(&record{ID: fmt.Sprint("page", i), Blocks: []piece{{Text: "Three words here"}}}, nil)
		if len(x.Kept.Words) == 3 && x.Kept.Tokens == 3 {
			n++
		} else if len(x.Kept.Words) != 0 || x.Kept.Tokens != 0 || x.Kept.Amount.Words != 3 {
			t.Fatalf("%+v", x.Kept)
		}
	}
	if n < 850 || n > 1150 {
		t.Errorf("the words of %d of 8,000 pages were counted, wanted about 1,000", n)
	}
}
