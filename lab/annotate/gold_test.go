package annotate

import (
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/lab/gold/origin"
	"chaffinch/page"
)

// TestGoldText: blocks of the wanted roles are a line each; those that no span
// covers are counted.
func TestGoldText(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{
		{Start: 0, End: 10, Text: "Home"}, {Start: 10, End: 20, Text: "one\ntwo\u2028three"}, {Start: 20, End: 30, Text: "four"}, {Start: 40, End: 50, Text: "five"},
	}}
	spans := []gold.RoleSpan{{Start: 0, End: 10, Role: page.RoleNavigation}, {Start: 10, End: 30, Role: page.RoleBody}}
	if text, unread := GoldText(p, spans, page.RolesOf(page.RoleBody)); text != "one two three\nfour\n" || unread != 1 {
		t.Errorf("%q, %d unread", text, unread)
	}
	if text, unread := GoldText(p, nil, page.RolesOf(page.RoleBody)); text != "" || unread != 4 {
		t.Errorf("no span: %q, %d unread", text, unread)
	}
}

// TestReadPageInfo: pages of a site stay together, whether the table names it by
// its address, its host or a repository; mistakes are named with their place.
func TestReadPageInfo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.tsv")
	read := func(table string) (map[string]PageInfo, error) {
		must.Write(t, path, table)
		return ReadPageInfo(path)
	}
	info, err := read("url\tsite\tid\tmore\nhttps://a.example.org/1\ta.example.org\t1\tx\r\n\tb.example.org\t2\t\n\tann/old.pages\t3\t\n\tann/new.pages\t4\t\n\t\t5\t\n")
	must.Succeed(t, err)
	for id, want := range map[string]string{"1": "example.org", "2": "example.org", "3": "ann-old-pages.invalid", "4": "ann-new-pages.invalid", "5": ""} {
		meta := map[string]any{"url": info[id].URL, "site": info[id].Site}
		if got := origin.Site(&gold.Page{Meta: meta}, &page.Page{}); got != want {
			t.Errorf("page %s is of site %q, wanted %q", id, got, want)
		}
	}
	for table, want := range map[string]string{
		"":                   "pages.tsv: empty: wanted the names of the fields",
		"name\turl\na\tb\n":  "pages.tsv:1: no column id",
		"id\turl\na\n":       "pages.tsv:2: 1 fields, wanted 2",
		"id\na\nb\na\n":      "pages.tsv:4: page a occurs twice in the table",
		"id\turl\n\thttps\n": "pages.tsv:2: the id is empty",
	} {
		must.Fail(t, must.Err(read(table)), want)
	}
}
