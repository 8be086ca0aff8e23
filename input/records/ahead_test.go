package records_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/panics"
	"chaffinch/internal/testkit/must"
)

// TestAhead checks the order of documents, the results of work and the bytes between documents,
// for any number of workers, and that reading resumes at the position of a piece.
func TestAhead(t *testing.T) {
	var in strings.Builder
	for i := range 300 {
		fmt.Fprintf(&in, "<!-- before %d -->\n<doc id=\"%d\">\nword\n</doc>\n", i, i)
	}
	in.WriteString("<!-- end -->\n")
	path := filepath.Join(write(t, "a.vert", in.String()), "a.vert")
	open := func() *records.Reader {
		r := must.Get(records.Open([]string{path}, records.Config{}))(t)
		t.Cleanup(func() { r.Close() })
		return r
	}
	length := func(_ int, d *records.Doc) int {
		if d.ID == "7" {
			panic("fault")
		}
		return len(d.Raw)
	}
	for _, workers := range []int{1, 2, 5} {
		r, n, outside := open(), 0, ""
		err := records.Ahead(t.Context(), r, records.AheadConfig{Workers: workers, Memory: 1 << 20}, length, func(p *records.Piece[int]) error {
			outside += string(p.Outside)
			if p.Doc == nil {
				return nil
			}
			if p.Doc.ID != fmt.Sprint(n) || !strings.HasSuffix(outside, fmt.Sprintf("before %d -->\n", n)) {
				t.Fatalf("%d workers: document %s at %d, after %q", workers, p.Doc.ID, n, p.Outside)
			}
			if fault := errors.As(p.Fault, new(*panics.Panic)); fault != (n == 7) || !fault && p.Result != len(p.Doc.Raw) {
				t.Errorf("document %d: %d was made, fault %v", n, p.Result, p.Fault)
			}
			if n == 120 {
				again := open()
				must.Succeed(t, again.Seek(p.After))
				if d, err := again.Next(); err != nil || d.ID != "121" {
					t.Errorf("after 120 is %v, %v", d, err)
				}
			}
			n++
			return nil
		})
		if err != nil || n != 300 || !strings.HasSuffix(outside, "<!-- end -->\n") || strings.Count(outside, "\n") != 301 {
			t.Errorf("%d workers: %d documents, %d lines outside, %v", workers, n, strings.Count(outside, "\n"), err)
		}
		full := errors.New("full")
		if err := records.Ahead(t.Context(), open(), records.AheadConfig{Workers: workers, Memory: 1 << 20}, length, func(*records.Piece[int]) error { return full }); err != full {
			t.Errorf("%d workers: %v, wanted the error of use", workers, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := records.Ahead(ctx, open(), records.AheadConfig{Workers: workers, Memory: 1 << 20}, length, func(*records.Piece[int]) error { return nil }); err != context.Canceled {
			t.Errorf("%d workers: %v, wanted the end of the context", workers, err)
		}
	}
}

// TestMarkAtEnd wants nothing again, neither documents nor bytes outside them, from a Reader that
// goes to the end of a collection.
func TestMarkAtEnd(t *testing.T) {
	dir := write(t, "a.vert", "<!-- one -->\n<doc id=\"1\">\nx\n</doc>\n", "b.vert", "<doc id=\"2\">\ny\n</doc>\n<!-- two -->\n")
	outside := ""
	open := func() *records.Reader {
		r := must.Get(records.Open([]string{dir}, records.Config{Outside: func(b []byte) { outside += string(b) }}))(t)
		t.Cleanup(func() { r.Close() })
		return r
	}
	r := open()
	for _, err := range r.All() {
		must.Succeed(t, err)
	}
	if outside != "<!-- one -->\n<!-- two -->\n" {
		t.Fatalf("outside: %q", outside)
	}
	mark := must.Get(r.Mark())(t)
	outside = ""
	r = open()
	must.Succeed(t, r.Goto(mark))
	if d, err := r.Next(); err != io.EOF || outside != "" {
		t.Errorf("after the end: %v, %v, outside %q", d, err, outside)
	}
}
