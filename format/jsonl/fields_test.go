package jsonl

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestFieldsPass reads lines and writes their pages: the input fields are preserved.
func TestFieldsPass(t *testing.T) {
	in := `{"id":"a","text":"One.","register":"news","year":1999,"big":12345678901234567890,"nested":{"b":[1,null,{"c":"d"}]},"gone":null,` +
		`"source":"a crawl","tags":"x,y","authors":["A"],"site":"S","description":"D","type":"article","declared_lang":"en-US","lang":"en","license":"CC BY 4.0","odd \"name\"":"tab	and ` + "\xff" + `"}`
	again := in
	for round := range 3 { // what was written is read and written again
		p := must.Get(NewParser(Config{}).Parse([]byte(again), false))(t)
		p.Blocks = []page.Block{{Text: "One.", Verdict: page.Verdict{Label: page.Good}}}
		out := Encoder{}.Append(nil, p)
		var m map[string]json.RawMessage
		if err := json.Unmarshal(out, &m); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for k, want := range map[string]string{
			"register": `"news"`, "year": "1999", "big": "12345678901234567890", "nested": `{"b":[1,null,{"c":"d"}]}`,
			"input_fields": `{"source":"a crawl","tags":"x,y"}`, "authors": `["A"]`, "site": `"S"`, "description": `"D"`, "type": `"article"`,
			"declared_lang": `"en-US"`, "license": `"CC BY 4.0"`, "odd \"name\"": "\"tab and \ufffd\"",
		} {
			if string(m[k]) != want {
				t.Errorf("round %d: %s is %s, wanted %s", round, k, m[k], want)
			}
		}
		if len(m) != 18 { // id, lang, mime, source, counts and text besides
			t.Errorf("round %d: %d fields: %s", round, len(m), out)
		}
		again = string(out)
	}
}

// TestDeclared keeps a language that nobody declared undeclared.
func TestDeclared(t *testing.T) {
	for in, want := range map[string]string{
		`{"text":"a","lang":"de"}`: "de",
		`{"text":"a","lang":"de","source":{"file":"x","offset":0},"counts":{"blocks":1,"blocks_kept":1,"words":1,"words_kept":1}}`: "",
		`{"text":"a","lang":"de","declared_lang":"de-AT"}`:                                                                         "de-AT",
	} {
		p, err := NewParser(Config{}).Parse([]byte(in), false)
		if err != nil || p.Meta.Lang != want || p.Lang != "de" {
			t.Errorf("%s: %q, wanted %q, %v", in, p.Meta.Lang, want, err)
		}
	}
}

// TestFieldsBudget refuses lines whose fields are out of all proportion.
func TestFieldsBudget(t *testing.T) {
	var many strings.Builder
	for i := range maxOwn + 1 {
		fmt.Fprintf(&many, `"f%d":1,`, i)
	}
	for _, in := range []string{
		`{` + many.String() + `"text":"a"}`,
		`{"x":"` + strings.Repeat("a", maxOwnBytes) + `","text":"a"}`,
	} {
		if _, err := NewParser(Config{}).Parse([]byte(in), false); err == nil || !strings.Contains(err.Error(), "fields beside the text") {
			t.Errorf("%.20s: %v", in, err)
		}
	}
}

// TestArray reads the elements of an array that have a line each.
func TestArray(t *testing.T) {
	got := all(t, reader(t, "[\n{\"text\":\"one\"},\n{\"text\":\"two\"}\n]\n", Config{}))
	if want := "2@2 \"\" \"one\"\n3@18 \"\" \"two\"\n"; got != want {
		t.Errorf("%q, wanted %q", got, want)
	}
}
