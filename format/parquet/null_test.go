package parquet_test

import (
	"bytes"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"chaffinch/format/parquet"
	"chaffinch/internal/testkit/must"
)

// TestNullText: a row whose page is null is a row without text, not a row of a table without that column.
func TestNullText(t *testing.T) {
	type row struct {
		Text *string `parquet:"text,optional"`
		HTML *string `parquet:"html,optional"`
		URL  *string `parquet:"url,optional"`
	}
	a := "a"
	var file bytes.Buffer
	w := pq.NewGenericWriter[row](&file)
	must.Succeed(t, must.Err(w.Write([]row{{Text: &a}, {URL: &a}, {HTML: &a}})))
	must.Succeed(t, w.Close())
	r := must.Get(parquet.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()), "text"))(t)
	var got []string
	for line, err := range r.All() {
		must.Succeed(t, err)
		got = append(got, string(line))
	}
	if want := []string{`{"text":"a"}`, `{"text":null,"url":"a"}`, `{"text":null,"html":"a"}`}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}
