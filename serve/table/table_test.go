package table

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func sample(rows ...[]any) Table {
	return Table{Name: "a<b", Columns: []string{"word", "n", "doc.lang", "2nd share"}, Rows: func(yield func([]any, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}}
}

var awkward = [][]any{
	{`say "x", y`, int64(3), "de", 0.5},
	{"tab\tline\nbreak\r", int64(-1), "", 1e-9},
	{"<b>&amp;</b> \x01 ü \xff", int64(math.MaxInt64), "zh", math.NaN()},
	{"=1+1", int64(0), " ", math.Inf(1)},
}

func write(t *testing.T, format string, table Table) []byte {
	t.Helper()
	f, ok := Named(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	var b bytes.Buffer
	must.Succeed(t, f.Write(&b, table))
	return b.Bytes()
}

// TestCSV reads back with the reader of the standard library.
func TestCSV(t *testing.T) {
	got, err := csv.NewReader(bytes.NewReader(write(t, "csv", sample(awkward...)))).ReadAll()
	want := [][]string{
		{"word", "n", "doc.lang", "2nd share"},
		{`say "x", y`, "3", "de", "0.5"},
		{"tab\tline\nbreak\r", "-1", "", "1e-09"},
		{"<b>&amp;</b> \x01 ü \xff", "9223372036854775807", "zh", "NaN"},
		{"=1+1", "0", " ", "+Inf"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %q", err, got)
	}
}

// TestTSV: as many tabs and lines as columns and rows, whatever is in the values.
func TestTSV(t *testing.T) {
	const want = "word\tn\tdoc.lang\t2nd share\nsay \"x\", y\t3\tde\t0.5\ntab line break \t-1\t\t1e-09\n"
	if got := string(write(t, "tsv", sample(awkward[:2]...))); got != want {
		t.Errorf("%q", got)
	}
}

// TestJSONL reads back each line.
func TestJSONL(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(write(t, "jsonl", sample(awkward...)))), "\n")
	if len(lines) != len(awkward) {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		var got struct {
			Word  string   `json:"word"`
			N     int64    `json:"n"`
			Lang  string   `json:"doc.lang"`
			Share *float64 `json:"2nd share"`
		}
		must.Succeed(t, json.Unmarshal([]byte(line), &got))
		want := awkward[i]
		if got.Word != strings.ToValidUTF8(want[0].(string), "�") || got.N != want[1] || got.Lang != want[2] || (got.Share == nil) != (i > 1) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestXML reads back the elements; what XML cannot hold is U+FFFD.
func TestXML(t *testing.T) {
	var got struct {
		Name string `xml:"name,attr"`
		Rows []struct {
			Word  string `xml:"word"`
			N     int64  `xml:"n"`
			Lang  string `xml:"doc.lang"`
			Share string `xml:"_nd_share"`
		} `xml:"row"`
	}
	b := write(t, "xml", sample(awkward...))
	if err := xml.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if got.Name != "a<b" || len(got.Rows) != 4 || got.Rows[2].Word != "<b>&amp;</b> � ü �" || got.Rows[2].N != math.MaxInt64 || got.Rows[0].Share != "0.5" || got.Rows[0].Lang != "de" {
		t.Errorf("%+v", got)
	}
}

// TestXLSX reads back the parts of a workbook whose rows need three sheets.
func TestXLSX(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, writeSheets(&b, sample(awkward...), 3))
	z := must.Get(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	type sheet struct {
		Rows []struct {
			Cells []struct {
				Type   string `xml:"t,attr"`
				Value  string `xml:"v"`
				Inline string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	read := func(name string, v any) {
		t.Helper()
		f := must.Get(z.Open(name))(t)
		text := must.Get(io.ReadAll(f))(t)
		if err := xml.Unmarshal(text, v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var first, second sheet
	read("xl/worksheets/sheet1.xml", &first)
	read("xl/worksheets/sheet2.xml", &second)
	if len(first.Rows) != 3 || len(second.Rows) != 3 {
		t.Fatalf("%d and %d rows", len(first.Rows), len(second.Rows))
	}
	if c := first.Rows[1].Cells; c[0].Inline != `say "x", y` || c[0].Type != "inlineStr" || c[1].Value != "3" || c[1].Type != "" || c[3].Value != "0.5" {
		t.Errorf("a row %+v", c)
	}
	if c := second.Rows[0].Cells; c[0].Inline != "word" {
		t.Errorf("the head of the second sheet %+v", c)
	}
	if c := second.Rows[2].Cells; c[0].Inline != "=1+1" || c[0].Type != "inlineStr" || c[3].Inline != "+Inf" {
		t.Errorf("a formula must be text: %+v", c)
	}
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
		} `xml:"sheets>sheet"`
	}
	read("xl/workbook.xml", &book)
	if len(book.Sheets) != 2 || book.Sheets[0].Name != "a<b" || book.Sheets[1].Name != "a<b 2" {
		t.Errorf("sheets %+v", book.Sheets)
	}
	for _, name := range []string{"[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels"} {
		read(name, new(struct{}))
	}
}

// TestError: an error of the rows ends every format.
func TestError(t *testing.T) {
	wrong := errors.New("wrong")
	table := Table{Name: "x", Columns: []string{"a"}, Rows: func(yield func([]any, error) bool) {
		_ = yield([]any{"1"}, nil) && yield(nil, wrong)
	}}
	for _, f := range Formats {
		if err := f.Write(io.Discard, table); !errors.Is(err, wrong) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// TestNoJSON: an answer that cannot be JSON is a fault, not an empty answer.
func TestNoJSON(t *testing.T) {
	w := httptest.NewRecorder()
	defer func() {
		if recover() == nil || w.Body.Len() > 0 {
			t.Errorf("sent %q", w.Body)
		}
	}()
	Send(w, "json", "file", math.NaN(), Table{})
}

// TestSheetName: what Excel takes for the name of a sheet.
func TestSheetName(t *testing.T) {
	for name, want := range map[string]string{"freq": "freq 2", "a[b]:*?/\\c": "a_b______c 2", strings.Repeat("x", 40): strings.Repeat("x", 29) + " 2"} {
		if got := sheetName(name, 2); got != want {
			t.Errorf("%s: %q, wanted %q", name, got, want)
		}
	}
}
