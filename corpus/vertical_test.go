package corpus

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWriteVertical writes indexes as verticals: indexing them again gives the same sections.
func TestWriteVertical(t *testing.T) {
	for name, text := range map[string]string{
		"nested":  "<doc id=\"1\" date=\"2020-05-31\" url=\"https://a.example/x\">\n<p heading=\"1\">\n<s>\nThe\tthe\n<g/>\ncat\tcat\n</s>\n</p>\n<sp s=\"&#10;\"/>\n<p>\n<s>\n&lt;b>\ta &amp;amp; b\n</s>\n<s>\n\"\t\n</s>\n</p>\n</doc>\n<doc id=\"2\">\nend\tend\n</doc>\n",
		"empty":   "<doc>\n<align id=\"1\">\n</align>\n<align id=\"2\">\na\ta\n</align>\n<align id=\"3\">\n</align>\n<align id=\"4\">\n</align>\n</doc>\n<doc>\n<align id=\"5\">\n</align>\n<align id=\"6\">\nb\tb\n</align>\n</doc>\n",
		"outside": "<x>\n</x>\na\ta\n<y n=\"1\">\nb\tb\n<z>\nc\tc\n</y>\nd\td\n</z>\n<doc>\ne\te\n</doc>\nf\tf\n<x n=\"2\">\n</x>\n",
		"same":    "<doc>\n<p>\n<s>\na\ta\n</s>\n</p>\n</doc>\n<doc>\n<p>\n<s>\nb\tb\n</s>\n</p>\n</doc>\n",
	} {
		cfg := DefaultBuild
		cfg.Columns = []string{"word", "lemma"}
		build := func(vert string) *Corpus {
			dir := filepath.Join(t.TempDir(), "idx")
			must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(vert), dir, cfg)))
			c := must.Get(Open(dir))(t)
			t.Cleanup(func() { c.Close() })
			return c
		}
		first := build(text)
		var out bytes.Buffer
		must.Succeed(t, first.WriteVertical(t.Context(), &out))
		second := build(out.String())
		names := first.file.Sections()
		if got := second.file.Sections(); strings.Join(got, " ") != strings.Join(names, " ") {
			t.Errorf("%s: sections %v, wanted %v\n%s", name, got, names, out.String())
		}
		for _, n := range names {
			a, _ := first.file.Section(n)
			if b, _ := second.file.Section(n); !bytes.Equal(a, b) {
				t.Errorf("%s: section %s differs\n%s", name, n, out.String())
			}
		}
	}
}
