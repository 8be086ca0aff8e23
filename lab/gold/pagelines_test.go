package gold

import (
	"context"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// asLines is a cut for Collect that makes each line of one page per block.
func asLines(_ context.Context, p *page.Page) error {
	for _, l := range strings.Split(string(p.Raw), "\n") {
		p.Blocks = append(p.Blocks, page.Block{Text: l, Hidden: strings.HasPrefix(l, "!")})
	}
	p.Lang = "en"
	return nil
}

func TestFromPages(t *testing.T) {
	s := write(t, "wcxb-two", map[string]string{
		"html/1.html":   "Home | News\nThe frost\nRead more\nThe frost came early this year.\n!hidden frost\nIt stayed.\n\nRead more",
		"gold/1.txt":    "The frost came early this year.\nIt stayed.",
		"html/2.html":   "Title twice\nA line of text.\nTitle twice",
		"gold/2.txt":    "Title twice",
		"html/3.html":   "some words",
		"gold/3.txt":    "\n",
		"html/4.html":   "another page\nits text",
		"gold/4.txt":    "a gold that belongs to nothing here",
		"html/5.html":   "!all hidden",
		"gold/5.txt":    "all hidden",
		"html/6.html":   "half of it",
		"gold/6.txt":    "half of it",
		"meta.jsonl":    `{"id": "6", "coverage": 0.2}` + "\n",
		"PROVENANCE.md": "",
	})
	c, _, err := Collect(t.Context(), []*Set{s}, asLines, CollectConfig{Workers: 1})
	must.Succeed(t, err)
	docs, r := FromPages(c, DefaultFromPages)
	must.Equal(t, r, (FromPagesReport{Pages: 2, Lines: 7, Text: 2, Unfit: 2, Far: 1, Empty: 1, Ambiguous: 2}))
	if len(docs) != 2 {
		t.Fatalf("%d documents, want 2", len(docs))
	}
	d := docs[0]
	if want := []string{"Home | News", "The frost", "Read more", "The frost came early this year.", "It stayed.", "Read more"}; d.ID != "wcxb-two/1" || d.Lang != "en" || !slices.Equal(d.Lines, want) {
		t.Errorf("%s %s %q, want %q", d.ID, d.Lang, d.Lines, want)
	}
	must.Same(t, d.Labels, []bool{false, false, false, true, true, false}, "labels")
	if d := docs[1]; !slices.Equal(d.Lines, []string{"A line of text."}) || d.Labels[0] {
		t.Errorf("%q %v: want the lines left out that stand there twice", d.Lines, d.Labels)
	}
	if !strings.Contains(r.String(), "2 pages, 7 lines, 2 of them text") {
		t.Errorf("%s", r)
	}
}

func TestSampleLineDocs(t *testing.T) {
	var docs []*LineDoc
	for _, id := range strings.Split("abcdefghij", "") {
		docs = append(docs, &LineDoc{ID: id})
	}
	ids := func(docs []*LineDoc) (s string) {
		for _, d := range docs {
			s += d.ID
		}
		return s
	}
	four, five := ids(SampleLineDocs(docs, 4)), ids(SampleLineDocs(docs, 5))
	if len(four) != 4 || len(five) != 5 || !slices.IsSorted([]byte(five)) || strings.Trim(four, five) != "" {
		t.Errorf("samples %q and %q: want 4 in order, all of them among 5", four, five)
	}
	if got := ids(SampleLineDocs(docs, 11)); got != "abcdefghij" {
		t.Errorf("sample of more than there are: %q", got)
	}
}
