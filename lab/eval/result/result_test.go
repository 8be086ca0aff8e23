package result

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// birds is a table of two systems.
func birds() *Table {
	return &Table{Task: "ir", Data: "birds <1>", Note: "2 topics",
		Columns: []Column{{Name: "AP", Unit: "%", Digits: 1}, {Name: "time", Unit: "s", Digits: 2, Less: true}, {Name: "words", Neutral: true}},
		Rows:    []Row{{"raw", []Figure{{.25, ""}, {3, ""}, {9, ""}}}, {"clean", []Figure{{.5, "↑"}, {math.NaN(), ""}, {4, ""}}}}}
}

// TestTable prints, saves and loads a table without loss.
func TestTable(t *testing.T) {
	var first, second bytes.Buffer
	must.Succeed(t, birds().Write(&first))
	for _, want := range []string{"birds <1>", "time (s)", "50.0↑", " - ", "25.0", "2 topics\n"} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("no %q in %s", want, first.String())
		}
	}
	path := filepath.Join(t.TempDir(), "t.json")
	must.Succeed(t, Save(path, []*Table{birds()}))
	back, err := Load(path)
	if err != nil || len(back) != 1 {
		t.Fatal(back, err)
	}
	if back[0].Write(&second); first.String() != second.String() {
		t.Errorf("loaded: %s", second.String())
	}
}

// TestLoad: results of eval clean become tables; what is neither is told.
func TestLoad(t *testing.T) {
	for text, want := range map[string]string{
		`{"results":[{"set":"s","system":"a","pages":3,"figures":{"w_f":{"value":0.5}}},{"set":"s","field":"lang","system":"a","pages":3,"figures":{}}]}`: "",
		`[{"task":"ir","columns":[]}]`: "no columns",
		`[{"task":"ir","columns":[{"name":"x"}],"rows":[{"system":"a","values":[]}]}]`: "system a has 0 figures, wanted 1",
		`{"results":[]}`: "no results", `x`: "invalid character",
	} {
		path := must.File(t, "t.json", text)
		tables, err := Load(path)
		if want == "" && (err != nil || len(tables) != 1 || len(tables[0].Rows) != 1 || tables[0].Rows[0].Values[3].Value != .5) {
			t.Errorf("%s: %+v, %v", text, tables, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "wanted")) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestOverview: a system has one column over all tables, empty where it has no figure.
func TestOverview(t *testing.T) {
	other := birds()
	other.Data, other.Rows = "other", []Row{{"late", []Figure{{.1, ""}, {1, ""}, {1, ""}}}, {"raw", []Figure{{.3, ""}, {1, ""}, {1, ""}}}}
	o := newOverview([]*Table{birds(), other, {Task: "own", Columns: birds().Columns, Rows: birds().Rows}})
	if strings.Join(o.Systems, " ") != "raw clean late" || len(o.Rows) != 2 {
		t.Fatalf("%+v", o)
	}
	if c := o.Rows[1].Cells; c[0].Text != "30.0" || !c[0].Best || c[1].Text != "" || c[2].Text != "10.0" || c[2].Best {
		t.Errorf("%+v", c)
	}
}

// TestHTML: the report has the figures, the best of each column in bold, plots, and
// nothing that is loaded.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, WriteHTML(&b, "Birds & bees", []*Table{birds()}))
	for _, want := range []string{"<title>Birds &amp; bees</title>", "birds &lt;1&gt;", "<b>50.0↑</b>", "<b>3.00</b>", `<td class="n" data-v="9">9</td>`, `<rect class="held" x="47" y="3" width="191.5"`, `<rect class="rail" x="47" y="23"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	for _, want := range []string{`<section id="overview">`, `<a href="#ir">AP</a></th><td><bdi>birds &lt;1&gt;</bdi></td><td class="n">25.0<svg`, `<td class="n"><b>50.0↑</b><svg`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the overview", want)
		}
	}
	for _, no := range []string{"http:", "https:", "NaN", "<b>9</b>"} {
		if strings.Contains(b.String(), no) {
			t.Errorf("%q in the report", no)
		}
	}
}
