package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"chaffinch/format/jsonl"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// lines reads all rows and errors.
func lines(r *Reader) (out []string) {
	for b, err := range r.All() {
		switch {
		case len(out) == 10_000:
			return append(out, "! it does not end")
		case err != nil:
			out = append(out, "! "+err.Error())
		default:
			out = append(out, string(b))
		}
	}
	return out
}

// foreign is a row of somebody else.
type foreign struct {
	Text string    `parquet:"text"`
	Year int32     `parquet:"year,optional"`
	Tags []string  `parquet:"tags,list"`
	Raw  []byte    `parquet:"raw,optional"`
	At   time.Time `parquet:"at,timestamp"`
	Day  int32     `parquet:"day,date"`
	In   struct {
		A int64 `parquet:"a"`
	} `parquet:"in"`
}

func foreignFile(t testing.TB, n int) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[foreign](&b, parquet.PageBufferSize(1<<10), parquet.MaxRowsPerRowGroup(100), parquet.Compression(&parquet.Zstd))
	for i := range n {
		row := foreign{Text: fmt.Sprint("text ", i, strings.Repeat(" and more", i%7)), Year: int32(2000 + i), Tags: []string{"a", "b"}, Raw: []byte("r"), At: time.Unix(1e9, 0), Day: 365}
		row.In.A = int64(i)
		must.Succeed(t, must.Err(w.Write([]foreign{row})))
	}
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func openReader(t testing.TB, b []byte) *Reader {
	t.Helper()
	return must.Get(NewReader(bytes.NewReader(b), int64(len(b))))(t)
}

// TestForeign reads a file of another schema, from each row on.
func TestForeign(t *testing.T) {
	b := foreignFile(t, 120)
	r := openReader(t, b)
	all := lines(r)
	want := `{"text":"text 1 and more","year":2001,"tags":["a","b"],"raw":"r","at":"2001-09-09T01:46:40Z","day":"1971-01-01","in":{"a":1}}`
	if len(all) != 120 || all[1] != want {
		t.Fatalf("%d rows, the second is\n%s\nwanted\n%s", len(all), all[1], want)
	}
	for n := 0; n <= 120; n += 7 {
		must.Succeed(t, r.Goto(int64(n)))
		if r.Row() != int64(n) {
			t.Errorf("row %d after Goto(%d)", r.Row(), n)
		}
		if rest := lines(r); strings.Join(rest, "\n") != strings.Join(all[n:], "\n") {
			t.Errorf("other rows from row %d on", n)
		}
	}
	if err := r.Goto(121); err == nil {
		t.Error("a row that is not there is found")
	}
}

// TestDates reads times far from ours: a nanosecond counter holds those of 1678 to
// 2262 alone, and RFC 3339 years of four digits.
func TestDates(t *testing.T) {
	type row struct {
		Text  string `parquet:"text"`
		Milli int64  `parquet:"milli,timestamp(millisecond)"`
		Micro int64  `parquet:"micro,timestamp(microsecond)"`
		Nano  int64  `parquet:"nano,timestamp(nanosecond)"`
		Day   int32  `parquet:"day,date"`
	}
	early, late := time.Date(1066, 10, 14, 9, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{
		{"a", early.UnixMilli(), early.UnixMicro(), math.MinInt64, int32(early.Unix() / 86400)},
		{"b", late.UnixMilli(), late.UnixMicro(), math.MaxInt64, math.MaxInt32},
		{"c", math.MaxInt64, -1, 1, -1},
	}); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, w.Close())
	for i, want := range []string{
		`{"text":"a","milli":"1066-10-14T09:00:00Z","micro":"1066-10-14T09:00:00Z","nano":"1677-09-21T00:12:43.145224192Z","day":"1066-10-15"}`,
		`{"text":"b","milli":"9999-12-31T23:59:59Z","micro":"9999-12-31T23:59:59Z","nano":"2262-04-11T23:47:16.854775807Z","day":2147483647}`,
		`{"text":"c","milli":9223372036854775807,"micro":"1969-12-31T23:59:59.999999Z","nano":"1970-01-01T00:00:00.000000001Z","day":"1969-12-31"}`,
	} {
		if got := lines(openReader(t, b.Bytes()))[i]; got != want {
			t.Errorf("row %d\n%s\nwanted\n%s", i, got, want)
		}
	}
}

// TestOurs reads what the encoder writes as the JSON lines of the same pages.
func TestOurs(t *testing.T) {
	p := &page.Page{ID: "a", URL: "https://a.example/", Lang: "en", MIME: "text/html", Charset: "utf-8",
		Source: page.Source{File: "a.warc", Offset: 7, Record: "r", Type: "response"},
		Meta:   page.Metadata{Title: "T", Authors: []string{"A", "B"}, Lang: "EN-us", Site: "S", Tags: []string{"x"}, Type: "article"},
		Fields: []page.Field{{Name: "year", Value: "2001"}, {Name: "register", Value: `"news"`}},
		Blocks: []page.Block{{Text: "One.", Verdict: page.Verdict{Label: page.Good}}, {Text: "Two.", Verdict: page.Verdict{Label: page.Good}}}}
	var rows [][]byte
	rows = append(rows, Encoder{}.Append(nil, p))
	var b bytes.Buffer
	if err := (Encoder{}).Pack(&b, func() ([]byte, error) {
		if len(rows) == 0 {
			return nil, io.EOF
		}
		defer func() { rows = nil }()
		return rows[0], nil
	}); err != nil {
		t.Fatal(err)
	}
	got := lines(openReader(t, b.Bytes()))
	var mine, theirs map[string]any
	if err := json.Unmarshal([]byte(got[0]), &mine); err != nil {
		t.Fatalf("%v: %s", err, got[0])
	}
	must.Succeed(t, json.Unmarshal(jsonl.Encoder{}.Append(nil, p), &theirs))
	for k, want := range theirs {
		if fmt.Sprint(mine[k]) != fmt.Sprint(want) {
			t.Errorf("%s is %v, wanted %v", k, mine[k], want)
		}
	}
}

// TestDamaged reads files with damage at any place: errors, no panic, no end of
// the memory.
func TestDamaged(t *testing.T) {
	testkit.Slow(t)
	wholes := [][]byte{foreignFile(t, 120)}
	for _, name := range []string{"types", "int96", "variant"} {
		b := must.Read(t, "testdata/"+name+".parquet")
		wholes = append(wholes, b)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		b := bytes.Clone(wholes[i%4])
		switch i / 4 % 3 {
		case 0:
			b = b[:rnd.IntN(len(b))]
		case 1: // in the table of contents
			b[len(b)-1-rnd.IntN(min(2000, len(b)))] ^= byte(1 << rnd.IntN(8))
		default:
			for range 1 + rnd.IntN(20) {
				b[rnd.IntN(len(b))] = byte(rnd.IntN(256))
			}
		}
		r, err := NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			continue
		}
		for _, l := range lines(r) {
			if !strings.HasPrefix(l, "!") && !json.Valid([]byte(l)) {
				t.Fatalf("file %d: no JSON: %s", i, l)
			}
			if l == "! it does not end" {
				t.Fatalf("file %d: %s", i, l)
			}
		}
	}
}

// TestFooterBomb refuses a table of contents that states more than it has.
func TestFooterBomb(t *testing.T) {
	footer := []byte{0x15, 0x02, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00} // a list of 2^31-1 structs
	b := append([]byte("PAR1"), footer...)
	b = append(b, byte(len(footer)), 0, 0, 0)
	b = append(b, "PAR1"...)
	must.Fail(t, must.Err(NewReader(bytes.NewReader(b), int64(len(b)))), "more elements than")
}
