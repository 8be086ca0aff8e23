package input_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// cuts returns the pieces of a file that are about so many bytes.
func cuts(t *testing.T, p input.Piece, bytes int64) (list []input.Piece) {
	t.Helper()
	f := must.Get(os.Open(p.Name))(t)
	defer f.Close()
	for from := int64(0); from < p.Size; {
		to := must.Get(input.Cut(f, p.Size, from+bytes))(t)
		q := p
		q.From, q.To = from, to
		if to == p.Size {
			q.To = 0
		}
		list = append(list, q)
		from = to
	}
	return list
}

// readPieces reads each piece by a reader of its own, and tells whether one of them
// does not end where the next begins.
func readPieces(t *testing.T, list []input.Piece) (all got, miscut bool) {
	t.Helper()
	for _, p := range list {
		r := must.Get(input.OpenPieces([]input.Piece{p}, input.Config{}))(t)
		for p, err := range r.All() {
			switch {
			case err == nil:
				all.pages = append(all.pages, p)
			case errors.Is(err, input.ErrCut):
				miscut = true
			default:
				all.errs = append(all.errs, err.Error())
			}
		}
		r.Close()
	}
	return all, miscut
}

// TestPieces: the pieces of a file, wherever it was cut, give its pages and errors.
func TestPieces(t *testing.T) {
	dir := collection(t)
	many := 0
	for _, p := range input.List([]string{dir}) {
		if p.Size == 0 {
			continue
		}
		want := readAll(t, open(t, input.Config{}, p.Name))
		p.Named = true
		for _, bytes := range []int64{1, 100, 300, 1000, 2000} {
			list := cuts(t, p, bytes)
			have, miscut := readPieces(t, list)
			if many = max(many, len(list)); miscut {
				t.Errorf("%s in pieces of %d: %q", filepath.Base(p.Name), bytes, have.errs)
			} else if !reflect.DeepEqual(have, want) {
				t.Errorf("%s in %d pieces of %d: %d pages %q, wanted %d pages %q", filepath.Base(p.Name), len(list), bytes, len(have.pages), have.errs, len(want.pages), want.errs)
			}
		}
	}
	if many < 5 {
		t.Errorf("no file was cut into more than %d pieces", many)
	}
}

// TestPieceInRecord: a place that only looks like the beginning of a record is found out.
func TestPieceInRecord(t *testing.T) {
	inner := record("inner", "<p>in an archive in a page")
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:outer>\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\nsome text", 2*len(inner)+9)
	file := slices.Concat([]byte(head), inner, inner, []byte("\r\n\r\n"), record("next", "<p>next"))
	p := input.Piece{Name: write(t, t.TempDir(), "x.warc", file), Named: true, Size: int64(len(file))}
	f, err := os.Open(p.Name)
	must.Succeed(t, err)
	defer f.Close()
	if p.To, err = input.Cut(f, p.Size, 1); err != nil || p.To != int64(len(head)) {
		t.Fatalf("cut at %d, error %v; the record inside begins at %d", p.To, err, len(head))
	}
	if g, miscut := readPieces(t, []input.Piece{p}); !miscut || len(g.pages) != 1 || len(g.errs) != 0 {
		t.Errorf("a piece that ends in a record: %d pages, %q", len(g.pages), g.errs)
	}
}
