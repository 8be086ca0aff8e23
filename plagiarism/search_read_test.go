package plagiarism

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestFileIDs checks the ids of files of the same name: the name goes to the
// first file, and what comes twice keeps an id that is taken.
func TestFileIDs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one/a/q.txt", "one/b/q.txt", "one/q.txt", "one/b/r.txt", "two/q.txt", "two/b/q.txt", "plain"} {
		must.Write(t, filepath.Join(dir, name), "first part\n\nof "+name)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{in("one")}, "q.txt b/q.txt r.txt one/q.txt"},
		{[]string{in("one"), in("two")}, "q.txt b/q.txt r.txt one/q.txt two/b/q.txt two/q.txt"},
		{[]string{in("one/b/q.txt"), in("one/a/q.txt"), in("plain")}, "q.txt a/q.txt plain"},
		{[]string{in("one/b"), in("one")}, "q.txt r.txt a/q.txt q.txt r.txt one/q.txt"},
		{[]string{in("two"), in("two")}, "q.txt two/q.txt q.txt q.txt"},
	} {
		var got []string
		for d, err := range Documents(c.paths, ReadConfig{OnError: func(err *page.Error) { t.Error(err) }}) {
			must.Succeed(t, err)
			got = append(got, d.ID)
			if !strings.HasPrefix(d.Text, "first part\n\nof ") {
				t.Errorf("%s: text %q", d.File, d.Text)
			}
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%v: ids %v, wanted %v", c.paths, got, want)
		}
	}
}

// TestProgress checks that a search tells of all bytes of a text of several
// sections, and that it can be stopped between them.
func TestProgress(t *testing.T) {
	b := must.Get(NewIndexBuilder("", DefaultIndex, 1<<20, ""))(t)
	must.Succeed(t, b.Add("source", "some words of a source"))
	x := must.Get(b.Index())(t)
	text := strings.Repeat("one word after the other ", 10_000)
	docs := func(yield func(Document, error) bool) { yield(Document{ID: "long", Text: text}, nil) }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cfg := DefaultSearch
	calls, all := 0, 0
	cfg.Progress = func(n int) { calls++; all += n }
	must.Succeed(t, SearchAll(ctx, x, docs, cfg, 1, func(SearchResult) error { return nil }))
	if calls < 3 || all != len(text) {
		t.Errorf("%d bytes in %d calls, wanted %d in several", all, calls, len(text))
	}
	sections := calls
	calls = 0
	cfg.Progress = func(int) { calls++; cancel() }
	if err := SearchAll(ctx, x, docs, cfg, 1, func(SearchResult) error { return nil }); err != context.Canceled {
		t.Errorf("error %v, wanted %v", err, context.Canceled)
	}
	if calls >= sections {
		t.Errorf("%d calls after the stop in the first of %d", calls, sections)
	}
}

// TestLegacy rejects text in other encodings, whose words would match nothing, unless the format is named.
func TestLegacy(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.txt")
	must.Succeed(t, os.WriteFile(name, []byte("Le caf\xe9 est tr\xe8s bon.\n"), 0o600))
	for format, want := range map[records.Format]int{"": 0, records.Text: 1} {
		docs, errs := 0, 0
		cfg := ReadConfig{Collection: records.Config{Format: format}, OnError: func(*page.Error) { errs++ }}
		for _, err := range Documents([]string{name}, cfg) {
			must.Succeed(t, err)
			docs++
		}
		if docs != want || errs != 1-want {
			t.Errorf("format %q: %d documents, %d errors", format, docs, errs)
		}
	}
}

// FuzzTextField compares textField with encoding/json.
func FuzzTextField(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","text":"A text with \\u00e9, \\n and \\"quotes\\"."}`, `{"text":"twice","text":"the last"}` + "\n",
		`{"text":"a\\u12"}`, `{"text":"\\ud800\\u0041"}`, `{"text":"x","n":NaN}`, `{"text":"x","n":[1,{"a":"\\q"}]}`, `{"te\\u0078t":"x"}`,
		"{\"text\":\"tab\tinside\"}", `{"text":null}`, `{"text":5}`, `{"text":"x"} y`, "{\"text\":\"\xff\"}", `{"text":"x","":"\\u"}`, `{"text":"x",}`,
		"{\"text\":\"tab\t\",\"text\":\"the last\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := textField(raw, "text")
		if !ok {
			return
		}
		var o map[string]json.RawMessage
		var want string
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatalf("%q: %q, want error %v", raw, got, err)
		}
		if err := json.Unmarshal(o["text"], &want); err != nil || got != want {
			t.Fatalf("%q: %q, want %q, %v", raw, got, want, err)
		}
	})
}
