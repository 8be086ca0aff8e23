package lines

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// failure is a file of testdata/failures: documents of a kind that the thesis
// names as hard, with the label that each line should get.
type failure struct {
	about string
	// Least shares of lines with the right label: of all, of text, of
	// boilerplate.
	least, text, boilerplate float64
	docs                     [][]labelled
}

type labelled struct {
	text string
	good bool
}

// readFailure reads lines "# what it is", "least: SHARE", "text: SHARE",
// "boilerplate: SHARE", then "+ text" and "- boilerplate" with an empty line between two
// documents.
func readFailure(t *testing.T, path string) *failure {
	t.Helper()
	b := must.Read(t, path)
	f := &failure{docs: make([][]labelled, 1)}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		last := len(f.docs) - 1
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "#":
			f.about = value
		case "+", "-":
			f.docs[last] = append(f.docs[last], labelled{value, key == "+"})
		case "":
			if len(f.docs[last]) > 0 {
				f.docs = append(f.docs, nil)
			}
		case "least:", "text:", "boilerplate:":
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			*map[string]*float64{"least:": &f.least, "text:": &f.text, "boilerplate:": &f.boilerplate}[key] = x
		default:
			t.Fatalf("%s: line %q begins with none of # + - least: text: boilerplate:", path, line)
		}
	}
	return f
}

// plainPage is a page of plain text.
func plainPage(lines ...string) *page.Page {
	p := &page.Page{Blocks: make([]page.Block, len(lines))}
	for i, l := range lines {
		p.Blocks[i] = page.Block{Text: l, Kind: page.Line, Element: -1}
	}
	return p
}

// standard labeller of the tests: the embedded model.
func embeddedLabeller(t testing.TB) *Labeller {
	t.Helper()
	return must.Get(New(Default))(t)
}

// TestFailures labels the documents that the thesis names as hard with the
// embedded model.
func TestFailures(t *testing.T) {
	l := embeddedLabeller(t)
	files, err := filepath.Glob("testdata/failures/*.txt")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			f := readFailure(t, file)
			var right, all [2]int // boilerplate, text
			var shown strings.Builder
			for _, doc := range f.docs {
				var lines []string
				for _, x := range doc {
					lines = append(lines, x.text)
				}
				verdicts := must.Get(l.Label(t.Context(), plainPage(lines...)))(t)
				for i, v := range verdicts {
					want, got, class := "-", "-", 0
					if doc[i].good {
						want, class = "+", 1
					}
					if v.Label.Keep() {
						got = "+"
					}
					all[class]++
					mark := "WRONG"
					if got == want {
						right[class]++
						mark = ""
					}
					fmt.Fprintf(&shown, "%5s want %s found %s %.2f %-28s %.70s\n", mark, want, got, v.Score, v.Reason, doc[i].text)
				}
			}
			share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
			total := share(right[0]+right[1], all[0]+all[1])
			t.Logf("right: %.2f of all, %.2f of text, %.2f of boilerplate", total, share(right[1], all[1]), share(right[0], all[0]))
			if total < f.least || all[1] > 0 && share(right[1], all[1]) < f.text || all[0] > 0 && share(right[0], all[0]) < f.boilerplate {
				t.Errorf("%s\nwanted at least %.2f of all, %.2f of text, %.2f of boilerplate; found %.2f, %.2f, %.2f\n%s", f.about,
					f.least, f.text, f.boilerplate, total, share(right[1], all[1]), share(right[0], all[0]), &shown)
			}
		})
	}
}
