package pipeline

import (
	"errors"
	"os"
	"strings"
	"testing"

	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestNames(t *testing.T) {
	type named struct{ file, record, want string }
	for _, c := range []struct {
		inputs []string
		pages  []named
	}{
		{[]string{"in"}, []named{
			{"in/a.html", "", "a.txt"},
			{"in/a.htm", "", "a~2.txt"},
			{"in/A.HTML", "", "A~3.txt"},
			{"in/sub/a.html.gz", "", "sub/a.txt"},
			{"in/sub/page.php", "", "sub/page.php.txt"},
			{"in/.html", "", "_html.txt"},
			{"in/chaffinch-pages.jsonl", "", "chaffinch-pages.jsonl.txt"},
			{"in/x.warc.gz", "<urn:uuid:1234-abcd>", "x/1234-abcd.txt"},
			{"in/x.warc.gz", "<urn:uuid:1234-abcd>", "x/1234-abcd~2.txt"},
			{"in/x.warc.gz", "../../etc/passwd", "x/_._.._etc_passwd.txt"},
			{"in/x.jsonl", "7", "x/7.txt"},
		}},
		{[]string{"one/", "./two"}, []named{
			{"one/a.html", "", "one/a.txt"},
			{"two/a.html", "", "two/a.txt"},
			{"./two/b/a.html", "", "two/b/a.txt"},
		}},
		{[]string{"/data/x.html", "../y.html"}, []named{
			{"/data/x.html", "", "x.txt"},
			{"../y.html", "", "y.txt"},
		}},
		{[]string{"."}, []named{{"a/b.html", "", "a/b.txt"}, {"./c.html", "", "c.txt"}}},
		{[]string{"-"}, []named{{"-", "", "stdin.txt"}, {"-", "2", "stdin/2.txt"}}},
	} {
		n := newNamer(c.inputs, ".txt")
		for _, p := range c.pages {
			if got, _ := n.name(page.Source{File: p.file, Record: p.record}); got != p.want {
				t.Errorf("inputs %v: %s %s is named %q, want %q", c.inputs, p.file, p.record, got, p.want)
			}
		}
	}
}

// TestNamesSafe wants every name to stay below the output directory and to be
// new, whatever the input is called.
func TestNamesSafe(t *testing.T) {
	n := newNamer([]string{"in"}, ".txt")
	seen := map[string]bool{}
	for _, file := range []string{"in/../../x", "/etc/passwd", "..", "in/" + strings.Repeat("é", 200), "in/a\x00b", "in/a\nb", "in/con:aux", "in/\xff"} {
		for _, rec := range []string{"", ".", "..", "/", strings.Repeat("x", 300)} {
			got, _ := n.name(page.Source{File: file, Record: rec})
			for _, part := range strings.Split(got, "/") {
				if part == "" || part[0] == '.' || len(part) > maxName || strings.ContainsAny(part, "\x00\n:\\") {
					t.Errorf("%q %q: unsafe name %q", file, rec, got)
				}
			}
			if seen[strings.ToLower(got)] {
				t.Errorf("%q %q: name %q was given before", file, rec, got)
			}
			seen[strings.ToLower(got)] = true
		}
	}
}

// TestNamesLong keeps names up to the limit of a file system, and cuts and reports longer
// ones.
func TestNamesLong(t *testing.T) {
	dir := t.TempDir()
	d := must.Get(OpenDir(dir, ".txt", []string{"in"}, 0, false))(t)
	defer d.Close()
	for _, c := range []struct {
		file, want string
		shortened  bool
	}{
		{"in/" + strings.Repeat("a", 251) + ".html", strings.Repeat("a", 251) + ".txt", false},
		{"in/" + strings.Repeat("A", 251) + ".html", strings.Repeat("A", 232) + "~", true}, // of the same name where case is folded
		{"in/" + strings.Repeat("b", 250) + ".html.gz", strings.Repeat("b", 250) + ".txt", false},
		{"in/" + strings.Repeat("c", 252) + ".htm", strings.Repeat("c", 234) + "~", true},
		{"in/" + strings.Repeat("é", 125) + "x.html", strings.Repeat("é", 125) + "x.txt", false},
		{"in/" + strings.Repeat("é", 126) + ".html", strings.Repeat("é", 117) + "~", true},
		{"in/" + strings.Repeat("d", 255) + "/x.html", strings.Repeat("d", 255) + "/x.txt", false},
		{"in/" + strings.Repeat("d", 256) + "/x.html", strings.Repeat("d", 238) + "~", true},
	} {
		r := &Record{Source: page.Source{File: c.file}, Bytes: []byte("x")}
		if err := d.Put(r); err != nil { // the file is written
			t.Fatal(err)
		}
		if (r.Shortened != "") != c.shortened {
			t.Errorf("%.20s...: shortened to %q", c.file, r.Shortened)
		}
		if c.shortened {
			if !strings.HasPrefix(r.Shortened, c.want) {
				t.Errorf("%.20s...: %q, wanted %q at the beginning", c.file, r.Shortened, c.want)
			}
		} else if got := readFile(t, dir+"/"+c.want); got != "x" {
			t.Errorf("%.20s...: the file holds %q", c.want, got)
		}
	}
}

func TestDirResume(t *testing.T) {
	dir := t.TempDir() + "/out"
	put := func(length int64, files ...string) int64 {
		d := must.Get(OpenDir(dir, ".txt", []string{"in"}, length, false))(t)
		for _, f := range files {
			must.Succeed(t, d.Put(&Record{ID: f, Source: page.Source{File: f}, Bytes: []byte(f)}))
		}
		n, err := d.Cut()
		if err = errors.Join(err, d.Sync()); err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, d.Close())
		if _, err := os.Stat(dir + "/" + ListName); err == nil {
			t.Error("the list has its name before the run is done")
		}
		return n.Length
	}
	n := put(0, "in/a.html")
	put(n, "in/a.htm", "in/b.html") // then killed before the next checkpoint
	put(n, "in/a.htm", "in/b.html")
	for file, want := range map[string]string{"a.txt": "in/a.html", "a~2.txt": "in/a.htm", "b.txt": "in/b.html"} {
		if got := readFile(t, dir+"/"+file); got != want {
			t.Errorf("%s holds %q, want %q", file, got, want)
		}
	}
	d, err := OpenDir(dir, ".txt", []string{"in"}, 0, true)
	if err == nil {
		err = errors.Join(d.Publish(), d.Publish(), d.Close())
	}
	must.Succeed(t, err)
	if got := strings.Count(readFile(t, dir+"/"+ListName), "\n"); got != 3 {
		t.Errorf("the list has %d lines, want 3", got)
	}
}
