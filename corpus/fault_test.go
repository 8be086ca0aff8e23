package corpus

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/page"
)

// TestFault: a fault that cannot be taken back names the line that it works on.
func TestFault(t *testing.T) {
	b := must.Get(NewBuilder(t.TempDir()+"/index", DefaultBuild))(t)
	defer b.Close()
	sound := b.glue.f
	b.glue.f, b.glue.buf = nil, b.glue.buf[:partBuffer-1] // its next write fails
	err := b.Add(t.Context(), "a.vert", strings.NewReader("<doc>\n<p>\n<g/>\nword\n</p>\n</doc>\n"))
	b.glue.f = sound
	if !errors.As(err, new(*panics.Panic)) || !strings.Contains(err.Error(), "a.vert: line 3: byte 10: fault of the program") {
		t.Errorf("%v", err)
	}
}

// sectionsOf returns the parts of an index.
func sectionsOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	f := must.Get(model.Open(filepath.Join(dir, fileName)))(t)
	defer f.Close()
	parts := map[string][]byte{}
	for _, name := range f.Sections() {
		b, _ := f.Section(name)
		parts[name] = bytes.Clone(b)
	}
	return parts
}

// TestFaultOfDocument: a document with a fault at any place is skipped, and the index equals
// the index of the other documents.
func TestFaultOfDocument(t *testing.T) {
	const (
		one   = "<part>\n<doc id=\"1\">\n<p>\nthe\nferry\n<g/>\n.\n</p>\n</doc>\n"
		three = "<doc id=\"3\" lang=\"en\">\n<p>\nthe\nquay\n</p>\n</doc>\n</part>\n"
		four  = "<part>\n<doc id=\"4\">\n<p>\nword\n</p>\n</doc>\n</part>\n"
		bad   = "\xff\n" // at which the test makes a fault
	)
	for name, c := range map[string]struct{ in, left, says string }{
		"token":          {one + "<doc id=\"2\" year=\"1\">\n<head n=\"1\">\nnew\nthe\n<g/>\n" + bad + "more\n</head>\n<note>\n</doc>\n" + three + four, one + three + four, "line 15: byte 101: fault of the program at corpus/fault_test.go:"},
		"twice":          {one + "<doc id=\"2\">\n" + bad + "more\n" + bad + bad + "</doc>\n" + three + four, one + three + four, "the document of line 10 is left out"},
		"unclosed":       {one + "<doc id=\"2\">\n<p>\n" + bad + "more\n" + three + four, one + three + four, "the document of line 10 is left out"},
		"outer ends":     {one + "<doc id=\"2\">\n" + bad + "</part>\nmore\n</doc>\n" + four, one + "</part>\n" + four, "the document of line 10 is left out"},
		"between":        {one + "some\n" + bad + "more\n" + three + four, one + three + four, "line 11: byte 58: fault of the program at corpus/fault_test.go:"},
		"at the end":     {one + three + "<doc id=\"2\">\n<p>\nnew\n" + bad, one + three, "the document of line 17 is left out"},
		"after batches":  {strings.Repeat(four, 4000) + "<doc id=\"2\">\n<p>\n" + strings.Repeat("more\nnew\n", 30_000) + bad + three + four, strings.Repeat(four, 4000) + three + four, "is left out"},
		"first document": {"<doc id=\"2\" x=\"y\">\n<p>\n" + bad + "the\n</p>\n</doc>\n" + one + three, one + three, "the document of line 1 is left out"},
	} {
		t.Run(name, func(t *testing.T) {
			build := func(in string) (dir string, rep BuildReport, told []string) {
				dir = t.TempDir()
				cfg := DefaultBuild
				var b *Builder
				faults := 0
				cfg.OnRepair = func(k vertical.Repair, _ *page.Error) {
					if k == vertical.NotUTF8 {
						if faults++; faults == 1 {
							b.cols[0].addToken([]byte("half a line"))
						}
						panic("fault of the test")
					}
				}
				cfg.OnFailed = func(err error) {
					if !errors.As(err, new(*panics.Panic)) {
						t.Errorf("%v: no fault", err)
					}
					told = append(told, err.Error())
				}
				var err error
				if b, err = NewBuilder(dir, cfg); err != nil {
					t.Fatal(err)
				}
				if err := b.Add(t.Context(), "a.vert", strings.NewReader(in)); err != nil {
					t.Fatal(errors.Join(err, b.Close()))
				}
				if rep, err = b.Finish(); err != nil {
					t.Fatal(err)
				}
				return dir, rep, told
			}
			got, rep, told := build(c.in)
			want, _, _ := build(c.left)
			if len(told) != 1 || !strings.Contains(told[0], c.says) || !strings.HasPrefix(told[0], "corpus: a.vert: line ") || rep.Failed != 1 {
				t.Errorf("%d failed, told %q, want %q", rep.Failed, told, c.says)
			}
			left := sectionsOf(t, want)
			for name, b := range sectionsOf(t, got) {
				if !bytes.Equal(b, left[name]) {
					t.Errorf("%s differs:\n%q\n%q", name, b, left[name])
				}
				delete(left, name)
			}
			if len(left) > 0 {
				t.Errorf("%d parts are not there", len(left))
			}
			if entries, err := os.ReadDir(got); err != nil || len(entries) != 1 {
				t.Errorf("%d files, want the index alone: %v", len(entries), err)
			}
		})
	}
}
