package forecast

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestTake samples lines, documents and compressed files at the ends of documents.
func TestTake(t *testing.T) {
	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	lines := strings.Repeat("{\"text\":\"a line\"}\n", 1000)
	doc := "<doc>\nw\nw\n</doc>\n"
	must.Write(t, filepath.Join(dir, "in", "a.jsonl"), lines)
	must.Write(t, filepath.Join(dir, "in", "b.jsonl.gz"), testkit.Gzip([]byte(lines)))
	must.Write(t, filepath.Join(dir, "in", "c.vert"), strings.Repeat(doc, 1000))
	must.Write(t, filepath.Join(dir, "in", "d.txt"), "short\n")
	s := must.Get(take([]string{filepath.Join(dir, "in")}, filepath.Join(dir, "out"), 4000, "</doc>"))(t)
	if s.Files != 4 || len(s.Paths) != 4 {
		t.Fatalf("%+v", s)
	}
	for i, unit := range []string{"{\"text\":\"a line\"}\n", "{\"text\":\"a line\"}\n", doc, "short\n"} {
		b := string(must.Read(t, s.Paths[i]))
		if n := strings.Count(b, unit); n == 0 || n*len(unit) != len(b) || len(b) > 1000 {
			t.Errorf("%s: %d bytes, %d documents", s.Paths[i], len(b), n)
		}
	}
	if filepath.Ext(s.Paths[1]) != ".jsonl" || s.Read >= s.Input {
		t.Errorf("%+v", s)
	}
}

// TestTakeLong takes whole documents that are longer than the share of a file, of fewer files.
func TestTakeLong(t *testing.T) {
	line := "{\"text\":\"" + strings.Repeat("word ", 2000) + "\"}\n"
	doc := "<doc>\n" + strings.Repeat("word\n", 2000) + "</doc>\n"
	for _, unit := range []string{line, doc} {
		dir := t.TempDir()
		for i := range 40 {
			must.Write(t, filepath.Join(dir, fmt.Sprintf("%02d.x", i)), strings.Repeat(unit, 3))
		}
		const size = 100_000
		s := must.Get(take([]string{dir}, filepath.Join(t.TempDir(), "out"), size, "</doc>"))(t)
		all := 0
		for _, name := range s.Paths {
			b := string(must.Read(t, name))
			if all += len(b); len(b) == 0 || strings.Count(b, unit)*len(unit) != len(b) {
				t.Errorf("%s: %d bytes, want whole documents of %d", name, len(b), len(unit))
			}
		}
		if all < size/2 || all > 2*size || len(s.Paths) < 5 || s.Files != 40 || s.Read != int64(all) {
			t.Errorf("%d bytes of %d files, read %d", all, len(s.Paths), s.Read)
		}
	}
}

// TestRunEmpty predicts no cost for empty files, without a run of the command.
func TestRunEmpty(t *testing.T) {
	name := must.File(t, "empty.jsonl", "")
	f := must.Get(Run(t.Context(), Config{Inputs: []string{name}, Memory: 1 << 20, MinMemory: 1}))(t)
	if f.Input != 0 || f.Output != 0 || f.Disk != 0 || f.Memory != programBytes {
		t.Errorf("%+v", f)
	}
}

// TestRun scales the cost of a command that writes twice its input and its temporary files, which it
// writes beyond its memory limit.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "in.jsonl")
	must.Write(t, name, strings.Repeat("{\"text\":\"a line of text\"}\n", 4<<20/2))
	size := must.Read(t, name)
	broken := errors.New("broken")
	for _, fail := range []error{nil, broken} {
		f, err := Run(t.Context(), Config{Inputs: []string{name}, Memory: 1 << 20, MinMemory: 1, Do: func(_ context.Context, inputs []string, memory int64, out string) error {
			var all []byte
			for _, in := range inputs {
				b := must.Read(t, in)
				all = append(all, b...)
			}
			must.Write(t, out+".work", all[:max(0, len(all)-int(memory))])
			must.Write(t, out, append(all, all...))
			return errors.Join(fail, os.Remove(out+".work"))
		}})
		if !errors.Is(err, fail) {
			t.Fatalf("error %v", err)
		}
		if fail != nil {
			continue
		}
		want := int64(2 * len(size))
		if f.Input != int64(len(size)) || f.Files != 1 || f.Output < want*99/100 || f.Output > want*101/100 {
			t.Errorf("output of %d bytes, wanted %d", f.Output, want)
		}
		if f.Disk < f.Output || f.Disk > want*3/2 || f.Memory <= programBytes {
			t.Errorf("%s", fmt.Sprintf("%+v", f))
		}
	}
	if _, err := Run(t.Context(), Config{Inputs: []string{"-"}}); !errors.Is(err, errStream) {
		t.Errorf("standard input: %v", err)
	}
}
