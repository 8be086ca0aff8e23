package records_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit"
)

// TestLongLine reads and edits a line of 100 MB.
func TestLongLine(t *testing.T) {
	testkit.Slow(t)
	words := testkit.Words(1, 1<<20)
	in := `{"text":"first\n` + strings.Repeat(string(words), 100) + `\nlast"}`
	path := filepath.Join(write(t, "a.jsonl", in+"\n"+`{"text":"a\nb\nc"}`), "a.jsonl")
	out, docs, bad := rewrite(t, []string{path}, records.Config{MaxBytes: 1 << 30}, records.WriterConfig{}, func(d *records.Doc) *records.Edit {
		return &records.Edit{Drop: d.Num == 1, Paras: []records.ParaEdit{{}, {Drop: true}, {}}}
	})
	if out != `{"text":"first\nlast"}`+"\n" || len(docs) != 1 || len(bad) != 0 {
		t.Errorf("%.100q, %d documents, %q", out, len(docs), bad)
	}
}

// TestTooLong passes on documents that are longer than the limit, and reports them.
func TestTooLong(t *testing.T) {
	long := string(testkit.Words(1, 300_000))
	lines := strings.ReplaceAll(long, " ", "\n") + "\n"
	for _, c := range []struct {
		name, in, bad, want string
		cfg                 records.Config
	}{
		{"jsonl", `{"text":"a"}` + "\n" + `{"text":"` + long + `"}` + "\n" + `{"text":"b"}`, "line 2: byte 13", `["[a]" "[b]"]`, records.Config{}},
		{"text", "a\n\n" + lines + long + "\n\nb\n", "line 3: byte 3", `["[a]" "[b]"]`, records.Config{}},
		{"text line", "a\n" + long + "\nb\n", "line 2: byte 2", `["[a]" "[b]"]`, records.Config{Split: "line"}},
		{"text file", lines + "\n\n" + long, "a: byte 0", `[]`, records.Config{Split: "file"}},
		{"vertical", "<doc>\na\n</doc>\n<doc>\n" + lines + "</doc>\n<doc>\nb\n</doc>\n", "line 4: byte 15", `["[a]" "[b]"]`, records.Config{}},
		{"prevertical", "<doc>\na b\n</doc>\n<doc>\n" + long + "\n</doc>\n<doc>\nb\n</doc>\n", "line 4: byte 17", `["[a b]" "[b]"]`, records.Config{}},
	} {
		path := filepath.Join(write(t, "a", c.in), "a")
		c.cfg.MaxBytes = 100_000
		out, docs, bad := rewrite(t, []string{path}, c.cfg, records.WriterConfig{}, nil)
		if out != c.in || fmt.Sprintf("%q", docs) != c.want {
			t.Errorf("%s: %d bytes as %d, %q", c.name, len(c.in), len(out), docs)
		}
		if len(bad) != 1 || !strings.Contains(bad[0], c.bad) || !strings.Contains(bad[0], "more than 100000 bytes") {
			t.Errorf("%s: %q, wanted %q", c.name, bad, c.bad)
		}
	}
}

// TestExactLimit: the limit applies to each document, also to documents that are read together.
func TestExactLimit(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
	}{
		{"jsonl", `{"text":"`, "\"}\n"},
		{"vertical", "<doc>\n", "\n</doc>\n"},
		{"prevertical", "<doc>\nb b\n", "\n</doc>\n"},
		{"unclosed", "<doc>\n", "\n"},
	} {
		var in strings.Builder
		var offsets []string
		for i := range 2000 {
			n := 100 - i%3 // two of three fit
			if i%3 == 0 {
				offsets = append(offsets, fmt.Sprintf("byte %d: a document of more than 99 bytes", in.Len()))
			}
			in.WriteString(c.before + strings.Repeat("a", n-len(c.before+c.after)) + c.after)
		}
		path := filepath.Join(write(t, "a", in.String()), "a")
		out, docs, bad := rewrite(t, []string{path}, records.Config{MaxBytes: 99}, records.WriterConfig{}, nil)
		if out != in.String() || len(docs) != 2000-len(offsets) || len(bad) != len(offsets) {
			t.Errorf("%s: %d bytes as %d, %d documents, %d errors, wanted %d", c.name, in.Len(), len(out), len(docs), len(bad), len(offsets))
			continue
		}
		for i, want := range offsets {
			if !strings.Contains(bad[i], want) {
				t.Errorf("%s: %s, wanted %s", c.name, bad[i], want)
			}
		}
	}
}

// TestTooManyParagraphs passes on documents that have more paragraphs than the limit allows,
// and reports them.
func TestTooManyParagraphs(t *testing.T) {
	const many = 4000
	short := strings.Repeat("a\n", many)
	for _, c := range []struct {
		name, in string
		cfg      records.Config
	}{
		{"jsonl", `{"text":"b"}` + "\n" + `{"text":"` + strings.Repeat(`a\n`, many) + `"}` + "\n" + `{"text":"c"}` + "\n", records.Config{}},
		{"blocks", `{"text":"b"}` + "\n" + `{"blocks":[` + strings.Repeat(`{"text":"a"},`, many) + `{"text":"a"}]}` + "\n" + `{"text":"c"}` + "\n", records.Config{}},
		{"text", "b\n\n" + short + "\nc\n", records.Config{}},
		{"vertical", "<doc>\nb\n</doc>\n<doc>\n" + strings.Repeat("<p>\na\n</p>\n", many) + "</doc>\n<doc>\nc\n</doc>\n", records.Config{}},
	} {
		path := filepath.Join(write(t, "a", c.in), "a")
		c.cfg.MaxBytes = 100_000 // so 3,125 paragraphs
		out, docs, bad := rewrite(t, []string{path}, c.cfg, records.WriterConfig{}, nil)
		if out != c.in || fmt.Sprintf("%q", docs) != `["[b]" "[c]"]` {
			t.Errorf("%s: %d bytes as %d, %.100q", c.name, len(c.in), len(out), docs)
		}
		if len(bad) != 1 || !strings.Contains(bad[0], "more than 3125 paragraphs") {
			t.Errorf("%s: %q", c.name, bad)
		}
	}
}
