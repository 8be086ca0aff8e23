package lines

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// reported returns the results of two systems on the small set.
func reported(t *testing.T) (*Set, []*Result) {
	t.Helper()
	s := mini(t)
	runs, err := Evaluate(context.Background(), s, []System{longer{}, KeepAll{}}, []string{Multilingual}, Config{Plan: Plan{Folds: 3}, Seeds: []uint64{1}})
	must.Succeed(t, err)
	return s, Results(s, runs)
}

// TestReport: the file loads nothing, is the same each time, and holds the
// documents with what was said of them, names of systems and lines escaped.
func TestReport(t *testing.T) {
	s, results := reported(t)
	results[0].System = `</script><b>&`
	s.Docs[0].Lines[0] = `</script><script>alert("x")</script>`
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		must.Succeed(t, WriteReport(b, s, results, []string{"a <table>\n"}))
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two files of the same results differ")
	}
	out := first.String()
	must.Equal(t, regexp.MustCompile(`(?i)(src|href)=["']?(https?:)?//|@import|url\(`).FindString(out), "", "the file loads something")
	if strings.Contains(out, "<b>&") || strings.Contains(out, `<script>alert`) || strings.Contains(out, "<table>\n\n") || !strings.Contains(out, "a &lt;table&gt;") {
		t.Error("something is not escaped")
	}
	_, rest, _ := strings.Cut(out, `type="application/json">`)
	rest, _, _ = strings.Cut(rest, "</script>")
	var data reportData
	must.Succeed(t, json.Unmarshal([]byte(rest), &data))
	if len(data.Docs) != 6 || len(data.Runs) != 2 || data.Docs[0].Lines[0] != s.Docs[0].Lines[0] || data.Docs[4].Labels != "01100" || data.Runs[1].Scores[4][0] != 100 {
		t.Errorf("%+v", data)
	}
}

// TestReportInBrowser: the page lists all documents, the one with the most
// errors first, and shows its lines by kind.
func TestReportInBrowser(t *testing.T) {
	s, results := reported(t)
	var b bytes.Buffer
	if err := WriteReport(&b, s, results[1:], nil); err != nil { // keep
		t.Fatal(err)
	}
	doc := testkit.Browse(t, b.String(), "", 1200)
	var rows, classes []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "td" && n.PrevSibling == nil {
			rows = append(rows, n.FirstChild.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "class" && strings.HasPrefix(a.Val, "line ") && n.Parent.Data == "div" {
				classes = append(classes, strings.TrimPrefix(a.Val, "line "))
			}
		}
	}
	must.Equal(t, strings.Join(rows, " "), "fi.train.lake sv.dev.bread sv.train.boat sv.train.cat fi.dev.clock fi.train.wood", "documents")
	must.Equal(t, strings.Join(classes, " "), "bt tt tt bt bt", "lines")
}

// TestPositionSVG: one dot and one bar for each line number.
func TestPositionSVG(t *testing.T) {
	_, results := reported(t)
	svg := PositionSVG("a < b & c", results[0].Positions())
	must.Succeed(t, wellFormed(svg))
	if strings.Count(svg, "<circle") != 5 || strings.Count(svg, "<rect") != 6 || !strings.Contains(svg, "<title>line 1: ") {
		t.Errorf("%s", svg)
	}
	if PositionSVG("", nil) != "" {
		t.Error("a plot of nothing")
	}
}

// TestWorst: the documents with the most errors, with the worst lines first.
func TestWorst(t *testing.T) {
	_, results := reported(t)
	var b strings.Builder
	must.Succeed(t, WriteWorst(&b, results[1], 1))
	want := "keep/multilingual: half of the 12 errors are in 2 of 6 documents, which have 43.5 % of the lines\n" +
		"keep/multilingual: fi.train.lake fi: 3 of 5 lines wrong: 0 of text lost, 3 of boilerplate kept\n" +
		"  + line 1    1.00  Etusivu\n  + line 4    1.00  Lue lisää »\n  + line 5    1.00  Ota yhteyttä\n\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	if got := shorten(strings.Repeat("å", 200)); got != strings.Repeat("å", 60)+" … "+strings.Repeat("å", 30) {
		t.Errorf("%q", got)
	}
}

// TestSystems: each built-in system scores every line of a document that it has
// not seen, the same each time, and the learned ones do better than keeping all.
func TestSystems(t *testing.T) {
	s := mini(t)
	train := s.pick(s.of(func(d *gold.LineDoc) bool { return d.Split == gold.Train }))
	for _, name := range []string{"keep", "lines", "lines-fast", "logistic", "ncleaner"} {
		sys := must.Get(SystemByName(name, SystemOptions{}))(t)
		var said [2]*Run
		for k := range said {
			scorer := must.Get(sys.Train(context.Background(), train, nil, 1, func(string, int, int) {}))(t)
			said[k] = &Run{System: name, Scores: make([][]float32, len(s.Docs)), Folds: make([]int, len(s.Docs))}
			must.Succeed(t, s.score(scorer, job{test: []int{0, 1, 2, 3, 4, 5}}, said[k]))
		}
		a, b := Results(s, said[:1])[0], Results(s, said[1:])[0]
		if c := Compare(a, b); c.OnlyA+c.OnlyB > 0 {
			t.Errorf("%s: two trainings differ", name)
		}
		if acc, _ := a.over("", nil).mean(Counts.Accuracy); name != "keep" && acc < .8 {
			t.Errorf("%s: %.2f of the lines right", name, acc)
		}
	}
	must.Fail(t, must.Err(SystemByName("guess", SystemOptions{})), "take lines, lines-fast, logistic")
}

// TestTrainedOn: cards are recognised by the set's name, also in the card of the
// model that was adapted.
func TestTrainedOn(t *testing.T) {
	for card, want := range map[string]bool{
		`{"data":[{"name":"turku-lines"}]}`:                                           true,
		`{"data":"turku-lines, train and development parts"}`:                         true,
		`{"data":[{"name":"mine"}],"adapted_from":{"data":[{"name":"turku-lines"}]}}`: true,
		`{"data":[{"name":"mine"}],"adapted_from":{"data":[]}}`:                       false,
		`{"data":"mine"}`: false,
		``:                false,
	} {
		if got := TrainedOn("turku-lines", []byte(card)); got != want {
			t.Errorf("%s: %v", card, got)
		}
	}
}
