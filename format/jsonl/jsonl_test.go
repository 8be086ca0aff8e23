package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func reader(t testing.TB, in string, cfg Config) *Reader {
	t.Helper()
	return must.Get(NewReader(strings.NewReader(in), cfg))(t)
}

// all reads everything and prints the pages and errors.
func all(t testing.TB, r *Reader) string {
	t.Helper()
	var b strings.Builder
	for range 1000 {
		p, err := r.Next()
		if err == io.EOF {
			return b.String()
		}
		if p != nil {
			fmt.Fprintf(&b, "%s@%d %q %q", p.Source.Record, p.Source.Offset, p.ID, p.Raw)
			if p.Cut != page.None {
				fmt.Fprintf(&b, " cut %s", p.Cut)
			}
			if p.Drop != page.None {
				fmt.Fprintf(&b, " dropped %s", p.Drop)
			}
			b.WriteByte('\n')
		}
		if err != nil {
			fmt.Fprintf(&b, "! %v\n", err)
		}
	}
	t.Fatal("the reader does not end")
	return ""
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"two lines", "{\"id\":\"a\",\"text\":\"one\"}\n{\"text\":\"two\",\"id\":7}\n", "1@0 \"a\" \"one\"\n2@24 \"7\" \"two\"\n"},
		{"no last line break", `{"text":"one"}`, "1@0 \"\" \"one\"\n"},
		{"crlf, empty lines, mark at the beginning", "\xef\xbb\xbf{\"text\":\"one\"}\r\n\r\n \n{\"text\":\"two\"}\r\n", "1@0 \"\" \"one\"\n4@23 \"\" \"two\"\n"},
		{"escapes", `{"text":"a\"b\\c\/d\n\t\u00e9\ud83d\ude00\ud83dx\r\b\f"}`, "1@0 \"\" \"a\\\"b\\\\c/d\\n\\té😀\ufffdx\\r\\b\\f\"\n"},
		{"other values", ` { "a" : [1,-2.5e+3,{"text":"no"},[],{}] , "b":null,"text" : "yes" , "c":{"d":true,"e":false} } `, "1@0 \"\" \"yes\"\n"},
		{"the last of two", `{"text":"one","text":"two"}`, "1@0 \"\" \"two\"\n"},
		{"empty page", `{"text":""}`, "1@0 \"\" \"\" dropped empty\n"},
		{"no such field", "{\"url\":\"u\",\"html\":\"<p>\"}\n{\"text\":\"x\"}\n", "! line 1: byte 0: no field \"text\" with text: found url, html: name the text field\n2@25 \"\" \"x\"\n"},
		{"null", `{"text":null}` + "\n" + `{"id":"b","text": null ,"n":1}` + "\n", "1@0 \"\" \"\" dropped empty\n2@14 \"b\" \"\" dropped empty\n"},
		{"not a string", `{"text":["a"]}`, "! line 1: byte 0: the value of the field \"text\" is not a string\n"},
		{"no object", "words\n[1]\n{\"text\":\"x\"}\n", "! line 1: byte 0: not JSON: found 'w' after 0 bytes of the line, wanted a JSON object\n! line 2: byte 6: not JSON: found '[' after 0 bytes of the line, wanted a JSON object\n3@10 \"\" \"x\"\n"},
		{"an array", "[{\"text\":\"x\"}]\n[ [1] ]\n", "! line 1: byte 0: a JSON array, wanted a JSON object on each line, as jq -c '.[]' writes\n! line 2: byte 15: not JSON: found '[' after 0 bytes of the line, wanted a JSON object\n"},
		{"a comma too much", `{"text":"x",}`, "! line 1: byte 0: not JSON: found '}' after 12 bytes of the line, wanted a string\n"},
		{"something behind", `{"text":"x"} {}`, "! line 1: byte 0: not JSON: found '{' after 13 bytes of the line, wanted the end of the line\n"},
		{"bad escape", `{"text":"x\qy"}`, "! line 1: byte 0: not JSON: unknown escape in a string\n"},
		{"bad number", `{"n":01,"text":"x"}`, "! line 1: byte 0: not JSON: found '0' after 5 bytes of the line, wanted a value\n"},
		{"ends in the text", "{\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"some wo", "1@0 \"\" \"x\"\n2@13 \"b\" \"some wo\" cut truncated\n! line 2: byte 13: the line ends inside a value\n"},
		{"ends before the text", `{"id":"b","te`, "! line 1: byte 0: the line ends inside a value\n"},
		{"NUL bytes", "{\"text\":\"a\x00b\"}\n\x00\x00\n{\"text\":\"x\"}\n", "1@0 \"\" \"a\\x00b\"\n! line 2: byte 15: not JSON: found '\\x00' after 0 bytes of the line, wanted a JSON object\n3@18 \"\" \"x\"\n"},
		{"deep", `{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,"text":"x"}`, "! line 1: byte 0: values nested deeper than 10000\n"},
	} {
		if got := all(t, reader(t, c.in, Config{})); got != c.want {
			t.Errorf("%s: got\n%s\nwanted\n%s", c.name, got, c.want)
		}
	}
}

func TestFields(t *testing.T) {
	in := `{"id":"i","url":"http://a.b/","title":"T","language":"de","date":"2026-01-02","timestamp":"2026-01-03T00:00:00Z","raw_html":"<p>x</p>"}`
	p := must.Get(reader(t, in, Config{Field: "raw_html"}).Next())(t)
	if p.ID != "i" || p.URL != "http://a.b/" || p.Lang != "de" || p.MIME != "text/html" || p.HTTPCharset != "utf-8" ||
		!reflect.DeepEqual(p.Meta, page.Metadata{Title: "T", Lang: "de", Date: "2026-01-02", Fetched: "2026-01-03T00:00:00Z"}) {
		t.Errorf("%+v", p)
	}
}

// TestLimits reads lines that are longer than what may be held.
func TestLimits(t *testing.T) {
	long := strings.Repeat("é", 5000)
	in := `{"id":"a","text":"` + long + `"}` + "\n" + // the page is too large
		`{"id":"b","text":"` + strings.Repeat("x", 30000) + `"}` + "\n" + // the line too
		`{"id":"c","x":"` + strings.Repeat("x", 30000) + `","text":"unseen"}` + "\n" +
		`{"id":"d","text":"fits"}` + "\n"
	cfg := Config{MaxPageBytes: 4001, MaxLineBytes: 20000}
	want := fmt.Sprintf("1@0 \"a\" %q cut too-large\n2@10021 \"b\" %q cut too-large\n3@40042 \"c\" \"\" dropped too-large\n4@70076 \"d\" \"fits\"\n",
		long[:4000], strings.Repeat("x", 4001))
	if got := all(t, reader(t, in, cfg)); got != want {
		t.Errorf("got\n%.200s...\n%s", got, got[max(0, len(got)-200):])
	}
}

// FuzzJSONL compares with encoding/json: what that accepts has to be read the
// same. Any bytes are read to the end without a page over the limit.
func FuzzJSONL(f *testing.F) {
	for _, s := range []string{"", "{}", `{"text":"a\u00e9\ud83d\ude00\n"}`, "{\"text\":\"a\"}\n{\"id\":1,\"text\":\"b\"}", `{"a":[1,{"b":null}],"text":"x"}`,
		`{"text":"cut`, "\xef\xbb\xbf{\"text\" : \"\x00\"}", `{"text":1}`, `{"text":"\ud800"}`, `{"t\u0065xt":"x"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), Config{MaxPageBytes: 1000, MaxLineBytes: 4000})
		if err != nil {
			return
		}
		for calls := 0; ; calls++ {
			if calls > len(b)+2 {
				t.Fatal("the reader does not end")
			}
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil && !errors.As(err, new(*page.Error)) {
				t.Fatalf("not an *page.Error: %v", err)
			}
			if p != nil && len(p.Raw) > 1000 {
				t.Errorf("a page of %d bytes", len(p.Raw))
			}
		}
		line, _, _ := bytes.Cut(b, []byte("\n"))
		var want map[string]any
		if len(line) > 900 || !utf8.Valid(line) || bytes.HasPrefix(line, []byte("\xef\xbb\xbf")) || json.Unmarshal(line, &want) != nil || want == nil {
			return
		}
		text, has := want["text"].(string)
		if !has || repeated(line) {
			return
		}
		p, err := reader(t, string(line), Config{}).Next()
		if err != nil || string(p.Raw) != text {
			t.Errorf("%q: %+v, %v; wanted %q", line, p, err, text)
		}
	})
}

// repeated reports whether a field may be there twice, with different types.
func repeated(line []byte) bool { return bytes.Count(line, []byte(":")) > 1 }
