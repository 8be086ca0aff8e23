package build

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRecord: records are read as package encoding/json reads them, and lines that are none
// are refused.
func TestRecord(t *testing.T) {
	for _, line := range []string{
		`{}`,
		`{"id":"\n","url":"\u00e9"}`,
		`{"id":"a\u00e9\n\"b\"","url":"https://a.example/?x=1","canonical":"c","lang":"en","page_type":"forum","drop":"no text","langs":[{"lang":"en","share":1}],"source":{"offset":0}}`,
		` { "id" : "a" , "blocks" : [ { "kind":"list", "text":"x \\ y", "blocks":[{"text":"","inline":[{"kind":"link","start":4,"url":"m]}"}]},{"hidden":true,"by":"blocks/3","label":"bad","role":"title"}] }, {} ] } `,
		`{"blocks":[{"text":"One. Two.","sentences":[{"start":0,"end":4,"label":"good","score":0.25},{"start":5,"end":9,"label":"bad"}]}],"blocks_kept":2}`,
		`{"filter":{"filter":"gopher_quality","rule":"gopher_quality.words","value":12.5,"min":50},"id":"x"}`,
		`{"dedup":{"dedup":"near","first":"a","cluster":"b","paragraphs":[{"dedup":"keep"},{"dedup":"copied","first":"c"}]}}`,
	} {
		var got, want record
		must.Succeed(t, json.Unmarshal([]byte(line), &want))
		if err := got.read([]byte(line)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, wanted %+v", line, got, err, want)
		}
	}
	for _, line := range []string{``, `[]`, `{"id":1}`, `{"id":"a"`, `{"id":"a",}`, `{"blocks":[{"text":"a"}`, `{"blocks":{}}`, `{"blocks":[{"sentences":[{"start":"a"}]}]}`, `{"id":"\x"}`, `{"filter":{"value":"a"}}`} {
		if err := new(record).read([]byte(line)); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}

// TestLongRecord rejects a line beyond the limit, and reads one up to it.
func TestLongRecord(t *testing.T) {
	const line = `{"id":"a","lang":"en"}`
	read := func(in string) (n int, err error) {
		err = readLines("text.jsonl", strings.NewReader(in), 40, func([]byte) error { n++; return nil })
		return n, err
	}
	if n, err := read(line + "\n\n" + line); n != 2 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
	n, err := read(line + "\n" + `{"id":"` + strings.Repeat("a", 50) + `"}`)
	if want := "text.jsonl: line 2: more than 40 bytes"; n != 1 || err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%d records, %v, want %q", n, err, want)
	}
}
