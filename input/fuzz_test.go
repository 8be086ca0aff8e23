package input_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// FuzzInput reads any bytes from a file and through a pipe: every answer is a
// page or an *page.Error, there is an end, and a new reader goes on at any
// position with the same answers.
func FuzzInput(f *testing.F) {
	dir := collection(f)
	entries := must.Get(os.ReadDir(dir))(f)
	for _, e := range entries {
		b := must.Read(f, filepath.Join(dir, e.Name()))
		f.Add(b, uint8(2))
	}
	cfg := input.Config{MaxPageBytes: 4000}
	f.Fuzz(func(t *testing.T, b []byte, stop uint8) {
		// An answer takes at least a byte, which deflate packs into a thousandth at the least.
		most := 1100*len(b) + 10
		c := cfg
		var answers []string
		var at input.Position
		c.Stdin = bytes.NewReader(b)
		r, err := input.Open([]string{"-"}, c)
		must.Succeed(t, err)
		for {
			if len(answers) == int(stop) {
				at = r.Position()
			}
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil && !errors.As(err, new(*page.Error)) {
				t.Fatalf("not an *page.Error: %v", err)
			}
			if p != nil && len(p.Raw) > 4000 {
				t.Fatalf("a page of %d bytes", len(p.Raw))
			}
			if answers = append(answers, outcome(p, err)); len(answers) > most {
				t.Fatal("the reader does not end")
			}
		}
		c.Stdin = io.MultiReader(bytes.NewReader(b)) // cannot go back
		if r, err = input.Open([]string{"-"}, c); err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			if _, err := r.Next(); err == io.EOF {
				break
			}
			if n > most {
				t.Fatal("the reader of a pipe does not end")
			}
		}
		if len(answers) <= int(stop) {
			return
		}
		c.Stdin = bytes.NewReader(b)
		if r, err = input.Open([]string{"-"}, c); err != nil {
			t.Fatal(err)
		}
		if err := r.Seek(at); err != nil {
			j, _ := json.Marshal(at)
			t.Fatalf("Seek(%s): %v", j, err)
		}
		for _, want := range answers[stop:] {
			p, err := r.Next()
			if got := outcome(p, err); got != want {
				t.Fatalf("from %+v: got\n%.400s\nwanted\n%.400s", at, got, want)
			}
		}
	})
}
