package token_test

import (
	"io"
	"path"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/text/token"
)

// boundaryFloors are floors of the F measure of sentence boundaries in news,
// ten lines at a time joined by blanks. A line is a sentence or a headline; some
// lines hold two, so that 1 is out of reach.
var boundaryFloors = map[string]float64{
	"eng": .959, "deu": .928, "fra": .879, "spa": .933, "por": .949, "ita": .957, "nld": .930,
	"rus": .939, "ell": .934, "zho-CN": .937, "hin": .917,
}

func TestBoundaries(t *testing.T) {
	left := len(boundaryFloors)
	must.Succeed(t, archive.Walk(testkit.Data(t, "text/ntrex.tar.zst"), func(name string, r io.Reader) error {
		lang := strings.TrimSuffix(path.Base(name), ".txt")
		floor, ok := boundaryFloors[lang]
		if !ok || path.Base(path.Dir(name)) != "txt" {
			return nil
		}
		left--
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if f := boundaries(strings.Split(strings.TrimSpace(string(b)), "\n")); f < floor {
			t.Errorf("%s: F %.4f, floor %.3f", lang, f, floor)
		} else {
			t.Logf("%s: F %.3f", lang, f)
		}
		return nil
	}))
	if left != 0 {
		t.Errorf("%d languages are missing", left)
	}
}

// boundaries returns the F measure of the ends of sentences.
func boundaries(lines []string) float64 {
	hits, found, gold := 0, 0, 0
	for len(lines) > 0 {
		n := min(10, len(lines))
		var text strings.Builder
		ends := map[int]bool{}
		for _, l := range lines[:n] {
			text.WriteString(strings.TrimSpace(l))
			ends[text.Len()] = true
			text.WriteByte(' ')
		}
		lines = lines[n:]
		gold += len(ends)
		for _, s := range token.Sentences(text.String(), nil) {
			found++
			if ends[s.End] {
				hits++
			}
		}
	}
	return 2 * float64(hits) / float64(found+gold)
}
