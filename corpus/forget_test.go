package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// pages returns a vertical with the documents of some numbers.
func pages(numbers ...int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, "<doc date=\"2024-01-%02d\" url=\"https://%c.example/%d\">\n<p>\n<s>\n", n+1, 'a'+n%3, n)
		for i := range 3 + n%4 {
			fmt.Fprintf(&b, "Word%d\n", (n*n+i)%17)
		}
		b.WriteString("<g/>\n.\n</s>\n</p>\n<p only=\"yes\">\n")
		if n == 4 {
			b.WriteString("<sp s=\"  \"/>\nrare\n")
		}
		b.WriteString("</p>\n</doc>\n")
	}
	return b.String()
}

// fromHost matches the URLs of a host.
func fromHost(host string) func(string) bool {
	return func(url string) bool { return strings.HasPrefix(url, "https://"+host+"/") }
}

// TestForget compares the index with the index of the vertical without the documents.
func TestForget(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, host := range []string{"a.example", "b.example", "c.example"} {
		dir := t.TempDir()
		must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(pages(all...)), dir, DefaultBuild)))
		before := must.Read(t, filepath.Join(dir, fileName))
		cfg := ForgetConfig{Match: fromHost(host), DryRun: true}
		dry := must.Get(Forget(t.Context(), dir, cfg))(t)
		if !bytes.Equal(must.Read(t, filepath.Join(dir, fileName)), before) {
			t.Fatal("a dry run changed the index")
		}
		cfg.DryRun = false
		rep := must.Get(Forget(t.Context(), dir, cfg))(t)
		var rest []int
		for _, n := range all {
			if !cfg.Match(fmt.Sprintf("https://%c.example/%d", 'a'+n%3, n)) {
				rest = append(rest, n)
			}
		}
		other := buildWith(t, pages(rest...), DefaultBuild)
		var vert strings.Builder
		must.Succeed(t, other.WriteVertical(t.Context(), &vert)) // attributes and <sp> in the order of the export
		want, _ := buildBytes(t, vert.String(), DefaultBuild)
		if !bytes.Equal(must.Read(t, filepath.Join(dir, fileName)), want) {
			t.Errorf("%s: the index differs from the index without the documents", host)
		}
		if n := int64(len(all) - len(rest)); rep.Documents != n || dry.Documents != n || len(rep.URLs) != int(n) || rep.Tokens != dry.Tokens || rep.Tokens == 0 {
			t.Errorf("%s: %+v, dry run %+v, wanted %d documents", host, rep, dry, n)
		}
		if rep, err := Forget(t.Context(), dir, cfg); err != nil || rep.Documents != 0 {
			t.Errorf("%s again: %+v, %v", host, rep, err)
		}
	}
}

// TestForgetVertical: the vertical of the remaining documents. A missing space belongs to the token after
// it.
func TestForgetVertical(t *testing.T) {
	for _, c := range []struct{ vert, want string }{
		{"<doc url=\"b\">\nB\n</doc>\n<doc url=\"x\">\n<p>\nX\n</p>\n<p>\n</p>\n</doc>\n", "<doc url=\"b\">\nB\n</doc>\n"},
		{"<doc url=\"a\">\nA\n</doc>\n<g/>\n<doc url=\"x\">\nX\n</doc>\n<doc url=\"b\">\nB\n</doc>\n", "<doc url=\"a\">\nA\n</doc>\n<doc url=\"b\">\nB\n</doc>\n"},
		{"<doc url=\"x\"/>\n<doc url=\"b\">\nB\n</doc>\n", "<doc url=\"b\">\nB\n</doc>\n"},
		{"before\n<doc url=\"x\">\nX\n</doc>\nafter\n", "before\nafter\n"},
	} {
		dir := t.TempDir()
		must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(c.vert), dir, DefaultBuild)))
		must.Succeed(t, must.Err(Forget(t.Context(), dir, ForgetConfig{Match: func(url string) bool { return url == "x" }})))
		got := must.Get(Open(dir))(t)
		var out bytes.Buffer
		must.Succeed(t, got.WriteVertical(t.Context(), &out))
		must.Succeed(t, got.Close())
		if out.String() != c.want {
			t.Errorf("%q without x is %q, wanted %q", c.vert, out.String(), c.want)
		}
	}
}

// TestForgetAligned keeps the pairs of the remaining segments, in both folders.
func TestForgetAligned(t *testing.T) {
	dir := t.TempDir()
	text := func(urls string) (s string) {
		for i, u := range strings.Fields(urls) {
			s += fmt.Sprintf("<doc url=%q>\n<align>\n%s%d\n</align>\n<align>\nnext\n</align>\n</doc>\n", u, u, i)
		}
		return s
	}
	var paths [2]string
	var of [2]*Corpus
	for i, urls := range []string{"a x b", "A X B"} {
		paths[i] = filepath.Join(dir, []string{"en.idx", "de.idx"}[i])
		must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(text(urls)), paths[i], DefaultBuild)))
		c := must.Get(Open(paths[i]))(t)
		of[i] = c
	}
	must.Succeed(t, must.Err(Align(t.Context(), of[0], of[1], AlignConfig{Names: [2]string{"english", "german"}, Mapping: strings.NewReader("0\t4\n1,2\t2\n4,5\t0,1\n")})))
	for _, c := range of {
		must.Succeed(t, c.Close())
	}
	rep := must.Get(Forget(t.Context(), paths[0], ForgetConfig{Match: func(url string) bool { return url == "x" }}))(t)
	if !slices.Equal(rep.Aligned, []string{"german"}) {
		t.Errorf("aligned again: %v", rep.Aligned)
	}
	for i, want := range []string{"0\t4\n1\t2\n2,3\t0,1\n-1\t3\n-1\t5\n", "0,1\t2,3\n2\t1\n3\t-1\n4\t0\n5\t-1\n"} {
		c := must.Get(Open(paths[i]))(t)
		a := must.Get(c.Aligned([]string{"german", "english"}[i]))(t)
		var got bytes.Buffer
		must.Succeed(t, a.WriteMapping(&got))
		if lines := func(s string) []string { return slices.Sorted(strings.Lines(s)) }; !slices.Equal(lines(got.String()), lines(want)) {
			t.Errorf("mapping of %s:\n%swanted\n%s", paths[i], got.String(), want)
		}
		must.Succeed(t, c.Close())
	}
	must.Write(t, filepath.Join(paths[0], "aligned-other.chf"), "damaged")
	index := must.Read(t, filepath.Join(paths[0], fileName))
	if _, err := Forget(t.Context(), paths[0], ForgetConfig{Match: func(url string) bool { return url == "a" }}); err == nil || !strings.Contains(err.Error(), "aligned-other.chf") {
		t.Errorf("with a damaged alignment: %v", err)
	}
	if !bytes.Equal(index, must.Read(t, filepath.Join(paths[0], fileName))) {
		t.Error("the index was changed before the error")
	}
}

// TestForgetErrors: an index without URLs, and one without remaining tokens.
func TestForgetErrors(t *testing.T) {
	for vert, want := range map[string]string{
		"a\n":                             "no documents",
		"<doc id=\"1\">\na\n</doc>\n":     "found by their URL",
		"<doc url=\"x\">\na\n</doc>\n":    "remove the folder instead",
		"<doc url=\"x\">\na\n</doc>\nb\n": "",
	} {
		dir := t.TempDir()
		must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(vert), dir, DefaultBuild)))
		_, err := Forget(t.Context(), dir, ForgetConfig{Match: func(url string) bool { return url == "x" }})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, wanted %s", vert, err, want)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%q: files left: %v", vert, files)
		}
	}
}
