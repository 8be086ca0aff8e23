package metadata

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// FuzzJSONLD feeds the reader of JSON-LD anything: it must stay within its
// budget, and what it returns is text.
func FuzzJSONLD(f *testing.F) {
	for _, s := range []string{
		`{"@type":"Article","headline":"a","author":[{"name":"b"},"c"]}`, `[{"@graph":[{"@id":"x","name":"y"}]},]`, `{"author":{"author":{"author":[[[`,
		`{"headline":"a "b" c","name":"\ud83d\ude00\u00"}`, "/*<![CDATA[*/{}//]]>", `{&quot;name&quot;:&quot;x&quot;}`, strings.Repeat(`{"author":`, 100), strings.Repeat("[", 100),
		`{"@id":"#a","name":{"@id":"#a"},"@type":["Article"],"author":{"@id":"#a"}}`, `{"a":[}]}`, `{"a":"` + strings.Repeat(`\u`, maxJSONText/2) + `"}`, "[" + strings.Repeat("1", 2*maxJSONText), "{\"a\":\"\xff\",\"name\":'b'}",
		`{"articleBody":["` + strings.Repeat("a", 2*maxJSONText) + `"],"name":"` + strings.Repeat("b", 2*maxJSONText) + `"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		n := 0
		var walk func(v *value, depth, most int)
		walk = func(v *value, depth, most int) {
			if n++; depth > maxJSONDepth+1 || len(v.members) != 0 && len(v.members) != len(v.items) || len(v.text) > most {
				t.Fatalf("depth %d, %d members, %d items, %d bytes", depth, len(v.members), len(v.items), len(v.text))
			}
			for i := range v.items {
				of := most
				if v.object {
					of = maxJSONText
					if v.members[i] == longMember {
						of = maxStatedText
					}
				}
				walk(&v.items[i], depth+1, of)
			}
		}
		values := parseJSON(src)
		for i := range values {
			walk(&values[i], 0, maxJSONText)
		}
		if n > maxJSONValues {
			t.Fatalf("%d values", n)
		}
		var s Sources
		s.Script(src)
		s.Fill(&page.Page{}, "")
	})
}

// FuzzDate checks that whatever is taken for a date is one.
func FuzzDate(f *testing.F) {
	for _, s := range []string{"9. März 2024", "March 9th, 2024 at 10:00", "2024年3月9日", "3/9/2024", "29.02.2023", "1.2.3.2004", "https://a.example/2024/03/09/x", "20240309", "9 de marzo de 2024", "2024-03-09T10:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, end := findDate(s, true)
		if end > len(s) {
			t.Fatalf("ends at %d of %d", end, len(s))
		}
		for _, d := range []string{d, urlDate(s)} {
			if _, err := time.Parse(time.DateOnly, d); d != "" && err != nil {
				t.Fatal(err)
			}
		}
		if d := parseDate(s); d != "" {
			must.Succeed(t, must.Err(time.Parse(time.DateOnly, d[:10])))
		}
	})
}

// FuzzText reads the text of elements and bylines of anything.
func FuzzText(f *testing.F) {
	for _, s := range []string{"By <b>Ada</b> Bell</p>", "<p>a<p>b</p></p>c", "<!--", "<script>x</script>y", "Von A B, C D und E F | 3. Mai", "<svg", "a<", "<a", "</a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		for _, n := range people(textOf(s, span{element: "p", at: 0}), true) {
			if !utf8.ValidString(n) || n == "" {
				t.Fatalf("%q", n)
			}
		}
		hintOf(s)
		relOf(s)
		unescapeURL(s)
		ccLicense(s)
	})
}
