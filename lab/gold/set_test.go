package gold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// reference holds the sets written for the tests of lab/eval/clean.
const reference = "../eval/clean/testdata/reference"

func open(t testing.TB, name string) *Set {
	t.Helper()
	return must.Get(Open(reference, name))(t)
}

// TestOpen reads a set from folders and archives and names what is wrong.
func TestOpen(t *testing.T) {
	names, err := Sets(reference)
	if err != nil || !slices.Equal(names, []string{"cleaneval-mini", "snippets-mini", "wcxb-mini"}) {
		t.Errorf("Sets: %v, %v", names, err)
	}
	byPath, err := Open("", reference+"/wcxb-mini")
	if err != nil || byPath.SHA256 != open(t, "wcxb-mini").SHA256 {
		t.Errorf("by path: %v", err)
	}
	dir := t.TempDir()
	for _, c := range []struct{ file, text, want string }{
		{"meta.jsonl", "{\"id\": 1}\n{\n", "meta.jsonl: line 2"},
		{"meta.jsonl", "{}\n", `no field "id"`},
		{"segments/a.json", "[", "segments/a.json"},
		{"html/a.html", "", "no gold/ID.txt"},
	} {
		set := filepath.Join(dir, strings.ReplaceAll(c.want, "/", "-"))
		os.MkdirAll(filepath.Dir(filepath.Join(set, c.file)), 0o755)
		os.WriteFile(filepath.Join(set, c.file), []byte(c.text), 0o644)
		must.Fail(t, must.Err(Open("", set)), c.want)
	}
	must.Fail(t, must.Err(Open(reference, "none")), "wcxb-mini")
}

// write makes a set of the files and opens it.
func write(t *testing.T, name string, files map[string]string) *Set {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	must.WriteAll(t, dir, files)
	return must.Get(Open("", dir))(t)
}

// TestComments: comments come from files of their own or from types; a set
// whose types know none says nothing of them.
func TestComments(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
		known bool
	}{
		"files": {map[string]string{"gold/1.txt": "a\n", "gold_comments/1.txt": "Nice.\n"}, "Nice.\n", true},
		"types": {map[string]string{"gold/1.txt": "a\n", "gold_typed/1.tsv": "none\tHome\ncomment\tNice.\r\nmain\ta\ncomment\tNo\n"}, "Nice.\nNo\n", true},
		"other": {map[string]string{"gold/1.txt": "a\n", "gold_typed/1.tsv": "good\ta\n"}, "", false},
		"plain": {map[string]string{"gold/1.txt": "a\n"}, "", false},
	} {
		g := write(t, name, c.files).Pages[0]
		if g.Comments != c.want || g.Commented != c.known {
			t.Errorf("%s: comments %q, known %v; want %q, %v", name, g.Comments, g.Commented, c.want, c.known)
		}
	}
}

func TestReadTyped(t *testing.T) {
	must.Same(t, ReadTyped([]byte("p\ta\n-\tb\r\n\nl\t\n")), []Segment{{'p', "a"}, {0, "b"}, {'l', ""}})
	if got := ReadTyped([]byte("good\ta\n")); got != nil {
		t.Errorf("types of another set: %q", got)
	}
}

// TestFits: what cannot be learned from is known, and fields fall back.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		set  string
		page Page
		want bool
	}{
		{"dragnet", Page{Text: "a"}, true},
		{"dragnet", Page{Text: " \n"}, true},
		{"wcxb-dev", Page{Text: " \n"}, false},
		{"dragnet", Page{Text: "a", Meta: map[string]any{"coverage": 0.4}}, false},
		{"dragnet", Page{Text: "a", Meta: map[string]any{"coverage": 0.9}}, true},
		{"dragnet", Page{SnippetsOnly: true}, false},
	} {
		if got := c.page.Fits(c.set); got != c.want {
			t.Errorf("%s %+v: %v", c.set, c.page, got)
		}
	}
	for meta, want := range map[[2]string]string{{"de", "en"}: "de", {"", "en_US"}: "en", {"", ""}: "-"} {
		g := Page{Meta: map[string]any{"lang": meta[0], "html_lang": meta[1]}}
		if meta[0] == "" {
			g.Meta["lang"] = nil
		}
		if got := g.Field("lang"); got != want {
			t.Errorf("lang of %v: %s, want %s", meta, got, want)
		}
	}
}

func TestSelect(t *testing.T) {
	a := write(t, "a", map[string]string{"gold/1.txt": "x", "gold/2.txt": "x", "gold/3.txt": "x"})
	b := write(t, "b", map[string]string{"gold/1.txt": "x", "gold/2.txt": "x"})
	ids := func() (s string) {
		for _, set := range []*Set{a, b} {
			for _, g := range set.Pages {
				s += set.Name + g.ID + " "
			}
		}
		return s
	}
	if unknown := Select([]*Set{a, b}, []string{"a/3", "b/9"}, false); !slices.Equal(unknown, []string{"b/9"}) || ids() != "a1 a2 b1 b2 " {
		t.Errorf("left out: %s, unknown %q", ids(), unknown)
	}
	if unknown := Select([]*Set{a, b}, []string{"1", "b/2"}, true); unknown != nil || ids() != "a1 b1 b2 " {
		t.Errorf("taken: %s, unknown %q", ids(), unknown)
	}
}

func FuzzReaders(f *testing.F) {
	for _, s := range []string{`{"with":["a"],"without":null}`, `{"ground_truth":{"with":["a"]}}`, "{\"id\":1}\n\n{\"id\":\"b\",\"lang\":\"en\"}", "p\ta\n-\tb", "comment\tNice.\n", "\xff\xfe", "{\"id\":{}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if with, without, err := readSnippets(b); err != nil && (with != nil || without != nil) {
			t.Error("snippets beside an error")
		}
		if meta, err := readMeta(b); err == nil {
			for id, m := range meta {
				if g := (&Page{ID: id, Meta: m}); g.Field("id") == "" && id != "" {
					t.Errorf("id %q has no field", id)
				}
			}
		}
		for _, s := range ReadTyped(b) {
			if strings.Contains(s.Text, "\n") {
				t.Errorf("segment %q of several lines", s.Text)
			}
		}
		if strings.Count(readComments(b), "\n") > strings.Count(string(b), "comment\t") {
			t.Error("more comments than lines of them")
		}
	})
}
