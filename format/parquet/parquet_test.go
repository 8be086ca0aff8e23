package parquet

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// pages are one page with all there can be, one with nothing, one that was
// dropped.
func pages() []*page.Page {
	return []*page.Page{
		{
			ID: "urn:1", URL: "https://harbour.example/a?b=1&c=\"2\"", MIME: "text/html", Charset: "gb18030", Lang: "zh-Hant", LangConfidence: .75,
			Langs:  []page.LangShare{{Lang: "zh-Hant", Share: .8}, {Lang: "en", Share: .2}},
			Source: page.Source{File: "caf\xe9.warc.gz", Offset: 1 << 40, Record: "<urn:uuid:1>", Type: "response"},
			Meta: page.Metadata{Title: "𠮷野家 & \"Söhne\"", Authors: []string{"", "Ann 🚢"}, Date: "2024-05-17", Fetched: "2024-05-18T01:02:03Z",
				Categories: []string{"a"}, Tags: []string{"b", "c"}, License: "CC BY 4.0", Site: "Harbour"},
			Cut: page.TooLarge,
			Blocks: []page.Block{
				{Text: "𝔉𝔢𝔯𝔯𝔶 🚢 one", Kind: page.Heading, Level: 2, Lang: "en", LangConfidence: .98765, Start: 7, End: 99, Verdict: page.Verdict{By: "x/1", Label: page.Good, Score: math.Inf(1)}},
				{Text: "left out", Hidden: true, Verdict: page.Verdict{Label: page.Bad, Reason: "hidden", Role: page.RoleComment}},
				{Text: "two\nlines \x00", Kind: page.Code, Verdict: page.Verdict{Label: page.Good}},
			},
		},
		{},
		{ID: "gone", Drop: page.AllBad, Blocks: []page.Block{{Text: "chaff", Verdict: page.Verdict{Label: page.Bad, Score: .1}}}},
	}
}

// packed returns the file of the pages.
func packed(t testing.TB, e Encoder, pages []*page.Page) []byte {
	t.Helper()
	var rows [][]byte
	for _, p := range pages {
		if b := e.Append(nil, p); len(b) > 0 {
			rows = append(rows, b)
		}
	}
	var out bytes.Buffer
	must.Succeed(t, e.Pack(&out, func() ([]byte, error) {
		if len(rows) == 0 {
			return nil, io.EOF
		}
		b := rows[0]
		rows = rows[1:]
		return b, nil
	}))
	return out.Bytes()
}

func read(t testing.TB, file []byte) []Row {
	t.Helper()
	return must.Get(parquet.Read[Row](bytes.NewReader(file), int64(len(file))))(t)
}

func TestRows(t *testing.T) {
	rows := read(t, packed(t, Encoder{}, pages()))
	if len(rows) != 2 {
		t.Fatalf("%d rows, want 2", len(rows))
	}
	want := Row{
		ID: "urn:1", URL: "https://harbour.example/a?b=1&c=\"2\"", Text: "𝔉𝔢𝔯𝔯𝔶 🚢 one\ntwo\nlines \x00", Title: "𠮷野家 & \"Söhne\"",
		Authors: []string{"", "Ann 🚢"}, Site: "Harbour", Lang: "zh-Hant", LangConfidence: .75, Langs: []Lang{{"zh-Hant", .8}, {"en", .2}},
		Date: "2024-05-17", Fetched: "2024-05-18T01:02:03Z", License: "CC BY 4.0", Categories: []string{"a"}, Tags: []string{"b", "c"}, Registers: []string{},
		MIME: "text/html", Charset: "gb18030", File: "caf\uFFFD.warc.gz", Offset: 1 << 40, Record: "<urn:uuid:1>", RecordType: "response",
		Cut: "too-large", BlocksAll: 2, BlocksKept: 2, Words: 4, WordsKept: 4, Blocks: []Block{},
	}
	if !reflect.DeepEqual(rows[0], want) {
		t.Errorf("row\n%+v\nwant\n%+v", rows[0], want)
	}
	none := Row{Authors: []string{}, Langs: []Lang{}, Categories: []string{}, Tags: []string{}, Registers: []string{}, Blocks: []Block{}}
	if !reflect.DeepEqual(rows[1], none) {
		t.Errorf("row %+v, want an empty one", rows[1])
	}
}

func TestAnnotated(t *testing.T) {
	rows := read(t, packed(t, Encoder{Annotate: true}, pages()))
	if len(rows) != 3 || rows[2].Drop != "all-bad" || rows[2].Text != "" || rows[2].Blocks[0].Text != "chaff" {
		t.Fatalf("rows %+v", rows)
	}
	want := []Block{
		{Kind: "heading", Level: 2, Lang: "en", LangConfidence: .988, Label: "good", Score: math.Inf(1), By: "x/1", Start: 7, End: 99, Text: "𝔉𝔢𝔯𝔯𝔶 🚢 one"},
		{Kind: "paragraph", Hidden: true, Label: "bad", Role: "comment", Reason: "hidden", Text: "left out"},
		{Kind: "code", Label: "good", Text: "two\nlines \x00"},
	}
	if got := rows[0].Blocks; !reflect.DeepEqual(got, want) {
		t.Errorf("blocks\n%+v\nwant\n%+v", got, want)
	}
}

// TestNulls: unknown values are null, and lists never are.
func TestNulls(t *testing.T) {
	for _, n := range []int{0, 1} {
		file := packed(t, Encoder{}, pages()[1:1+n])
		f := must.Get(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
		if f.NumRows() != int64(n) {
			t.Fatalf("%d rows, want %d", f.NumRows(), n)
		}
		for _, g := range f.RowGroups() {
			rows := make([]parquet.Row, 1)
			g.Rows().ReadRows(rows)
			for _, v := range rows[0] {
				path := strings.Join(f.Schema().Columns()[v.Column()], ".")
				column, _ := f.Schema().Lookup(f.Schema().Columns()[v.Column()]...)
				if optional := column.Node.Optional(); optional && !v.IsNull() {
					t.Errorf("%s is %v, want null", path, v)
				} else if !optional && !column.Node.Repeated() && !strings.Contains(path, ".list.") && v.IsNull() {
					t.Errorf("%s is null", path)
				}
			}
		}
	}
}

// TestRowGroups: groups are bounded by bytes, the bytes are the same each time,
// and all rows come back.
func TestRowGroups(t *testing.T) {
	write := func(cfg Config) []byte {
		var out bytes.Buffer
		w := NewWriter(&out, cfg)
		for i := range 300 {
			must.Succeed(t, w.Write(&Row{ID: fmt.Sprint(i), Text: strings.Repeat("ferry ", i)}))
		}
		must.Succeed(t, w.Close())
		return out.Bytes()
	}
	for _, limit := range []int64{0, 1, 20000} {
		cfg := Config{RowGroupBytes: limit, PageBytes: 1000}
		file := write(cfg)
		if !bytes.Equal(file, write(cfg)) {
			t.Errorf("%+v: other bytes the second time", cfg)
		}
		f := must.Get(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
		groups := f.RowGroups()
		if want := map[int64][2]int{0: {1, 1}, 1: {300, 300}, 20000: {15, 30}}[limit]; len(groups) < want[0] || len(groups) > want[1] {
			t.Errorf("%+v: %d row groups, want %v", cfg, len(groups), want)
		}
		for i, r := range read(t, file) {
			if r.ID != fmt.Sprint(i) || len(r.Text) != 6*i {
				t.Fatalf("%+v: row %d is %s with %d bytes", cfg, i, r.ID, len(r.Text))
			}
		}
	}
}

// TestColumnsDocumented: the page of the format names every column.
func TestColumnsDocumented(t *testing.T) {
	doc := must.Read(t, "../../docs/reference/formats/parquet.md")
	for _, path := range parquet.SchemaOf(Row{}).Columns() {
		for _, name := range path {
			if name != "list" && name != "element" && !regexp.MustCompile("`"+name+"`").Match(doc) {
				t.Errorf("docs/reference/formats/parquet.md does not name `%s`", name)
			}
		}
	}
}

// FuzzRow: no bytes break the reader of rows, and accepted rows are written unchanged.
func FuzzRow(f *testing.F) {
	for _, p := range pages() {
		f.Add(Encoder{Annotate: true}.Append(nil, p))
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r, back Row
		if r.parse(b) != nil {
			return
		}
		c := appendRow(nil, &r)
		must.Succeed(t, back.parse(c))
		if d := appendRow(nil, &back); !bytes.Equal(c, d) {
			t.Errorf("%q came back as %q", c, d)
		}
	})
}

// TestParseBroken: a row that is cut short or has more is refused.
func TestParseBroken(t *testing.T) {
	whole := Encoder{Annotate: true}.Append(nil, pages()[0])
	var r Row
	must.Succeed(t, r.parse(whole))
	for n := range whole {
		if r.parse(whole[:n]) == nil {
			t.Errorf("%d of %d bytes are taken for a row", n, len(whole))
		}
	}
	if r.parse(append(whole, 0)) == nil {
		t.Error("a byte too many is taken")
	}
}
