package roles_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"chaffinch/format/pdf/roles"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
)

// report returns a short report: a title, a running head on each page, text, and references.
func report() *roles.Document {
	d := &roles.Document{Size: 10}
	add := func(page int, y float32, text string, size float32, lines int, rule roles.Role) {
		d.Paragraphs = append(d.Paragraphs, roles.Paragraph{Page: page, X0: 72, Y0: y, X1: 72 + 200*float32(lines), Y1: y + 12*float32(lines),
			Text: text, Lines: lines, Size: size, Rule: rule, Image: 1e4})
	}
	const text = "The ships left the harbour at dawn, and nobody on the quay believed that they would come back before the winter."
	for page := range 4 {
		d.Sheets = append(d.Sheets, roles.Sheet{Width: 595, Height: 842})
		if page == 0 {
			add(0, 90, "Ships and Harbours", 2, 1, roles.Heading)
		} else {
			add(page, 40, "Ships and Harbours", .8, 1, roles.Running)
		}
		add(page, 150, text, 1, 2, roles.Body)
		add(page, 190, text, 1, 2, roles.Body)
		add(page, 800, string(rune('1'+page)), .8, 1, roles.Running)
	}
	add(3, 250, "References", 1.4, 1, roles.Heading)
	add(3, 280, "[1] Berg, A. (2009). Ships of the north. Oslo: Havn. https://example.org/ships", 1, 1, roles.List)
	add(3, 300, "[2] Dahl, B. (2011). Harbours. Journal of Harbours 3(2), 14–29.", 1, 1, roles.List)
	return d
}

func TestPredict(t *testing.T) {
	m := must.Get(roles.Embedded())(t)
	d := report()
	got := m.Predict(d)
	want := []roles.Role{roles.Title, roles.Body, roles.Body, roles.Running}
	for range 3 {
		want = append(want, roles.Running, roles.Body, roles.Body, roles.Running)
	}
	want = append(want, roles.References, roles.References, roles.References)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if again := m.Predict(d); !slices.Equal(got, again) {
		t.Errorf("differs: %v, %v", got, again)
	}
	if got := m.Predict(&roles.Document{}); len(got) != 0 {
		t.Errorf("no paragraphs: %v", got)
	}
	if got := m.Predict(&roles.Document{Paragraphs: []roles.Paragraph{{Page: 3}}}); len(got) != 1 {
		t.Errorf("one paragraph without a page: %v", got)
	}
}

// TestRemains keeps roles that the document states, and tables.
func TestRemains(t *testing.T) {
	m := must.Get(roles.Embedded())(t)
	d := report()
	d.Paragraphs[3].Stated, d.Paragraphs[3].Rule = true, roles.Caption
	d.Paragraphs[1].Rule = roles.Table
	got := m.Predict(d)
	if got[3] != roles.Caption || got[1] != roles.Table {
		t.Errorf("%v", got)
	}
}

// TestFeatures has finite values for odd documents.
func TestFeatures(t *testing.T) {
	odd := &roles.Document{Paragraphs: []roles.Paragraph{{}, {Page: 9, Text: "\xff", Size: 1e9, X0: -1e9, X1: 1e9, Rule: roles.Heading}, {Page: 9, Y0: 1e9, Text: "一"}}}
	for _, d := range []*roles.Document{report(), odd} {
		rows := roles.Features(d)
		if len(rows) != len(d.Paragraphs)*int(roles.Columns) {
			t.Fatalf("%d values", len(rows))
		}
		for i, x := range rows {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Errorf("paragraph %d, column %d: %v", i/int(roles.Columns), i%int(roles.Columns), x)
			}
		}
	}
}

func TestFile(t *testing.T) {
	const largest = 100_000
	if n := len(data.PDFRoles); n > largest {
		t.Errorf("the model has %d bytes", n)
	}
	m := must.Get(roles.Embedded())(t)
	name := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(name, model.Header{Name: "copy"}))
	again := must.Get(roles.Open(name))(t)
	d := report()
	if a, b := m.Predict(d), again.Predict(d); !slices.Equal(a, b) {
		t.Errorf("got %v, want %v", b, a)
	}
	if _, err := roles.New(nil, nil); err == nil {
		t.Error("a model without columns is accepted")
	}
}

func TestParse(t *testing.T) {
	for r := range roles.Count {
		got := must.Get(roles.Parse(r.String()))(t)
		if got != r {
			t.Errorf("%v: %v", r, got)
		}
	}
	if _, err := roles.Parse("poem"); err == nil {
		t.Error("the role poem is accepted")
	}
	if s := roles.Count.String(); s != "role 14" {
		t.Error(s)
	}
}
