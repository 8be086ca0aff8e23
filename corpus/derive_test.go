package corpus

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestAppendDate(t *testing.T) {
	for date, want := range map[string]string{
		"2020": "2020||", "2020-05": "2020|2020-05|", "2020-05-31": "2020|2020-05|2020-05-31", "2020-5-1": "2020|2020-05|2020-05-01",
		"2020/05/31": "2020|2020-05|2020-05-31", "2020.05.31": "2020|2020-05|2020-05-31", "20200531": "2020|2020-05|2020-05-31",
		"20200531120000": "2020|2020-05|2020-05-31", "2020-05-31T12:00:00+02:00": "2020|2020-05|2020-05-31", "2020-05-31 12:00": "2020|2020-05|2020-05-31",
		"2020-05-31Z": "||", "": "||", "May 2020": "||", "31.05.2020": "||", "2020-13": "||", "2020-00": "||", "2020-05-32": "||", "202": "||", "20205": "||",
		"2020-": "||", "2020--1": "||", "2020-123": "||", "2020-05-31-01": "||", "20201331": "||", "2020s": "||",
	} {
		var parts []string
		for n := 1; n <= 3; n++ {
			parts = append(parts, string(appendDate(nil, []byte(date), n)))
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q: %s, want %s", date, got, want)
		}
	}
}

const dated = `<doc id="1" date="2019-12-31T23:00:00Z" url="https://www.Example.org:8080/a">
a
b
</doc>
<doc id="2" date="2020-01-01" url="http://example.org/b">
a
a
</doc>
<doc id="3" date="2020" url="">
b
</doc>
<doc id="4" date="yesterday">
a
</doc>
`

// TestDerivedAttributes: dates and addresses give attributes to the index, to
// queries, frequencies and references, with any memory.
func TestDerivedAttributes(t *testing.T) {
	for _, memory := range []int64{1, 1 << 20} {
		cfg := DefaultBuild
		cfg.Memory = memory
		c := buildWith(t, dated, cfg)
		doc := must.Get(c.Struct("doc"))(t)
		if want := []string{"date", "day", "host", "id", "month", "url", "year"}; !slices.Equal(doc.Attrs(), want) {
			t.Fatalf("attributes %v, want %v", doc.Attrs(), want)
		}
		for i, want := range []string{"2019 2019-12 2019-12-31 example.org", "2020 2020-01 2020-01-01 example.org", "2020   ", "   "} {
			var got []string
			for _, a := range []string{"year", "month", "day", "host"} {
				got = append(got, doc.Value(a, i))
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("document %d: %q, want %q", i, s, want)
			}
		}
		for cql, want := range map[string]int64{
			`"a" within <doc year="2020"/>`: 2, `<doc month="2020-.*"/>`: 1, `<doc host="example.org"> []`: 2, `<doc year!="2020"> []`: 2, `<doc day<"2020-01-01"> []`: 1,
		} {
			if n, err := hits(t.Context(), c, cql); err != nil || n != want {
				t.Errorf("%s: %d hits, want %d (%v)", cql, n, want, err)
			}
		}
		f := must.Get(c.Freqs(t.Context(), `"a"`, FreqConfig{By: []string{"doc.year"}}))(t)
		if len(f.Rows) != 3 || f.Rows[0].Values[0] != "2020" || f.Rows[0].Hits != 2 || f.Rows[0].PartTokens != 3 {
			t.Errorf("%+v", f.Rows)
		}
	}
}

// TestOwnAttributesStay: what the vertical says is not derived.
func TestOwnAttributesStay(t *testing.T) {
	c := build(t, "<doc date=\"2020-05-31\" year=\"MMXX\" url=\"http://a.example\" host=\"mine\">\na\n</doc>\n", "word")
	doc, err := c.Struct("doc")
	if err != nil || doc.Value("year", 0) != "MMXX" || doc.Value("host", 0) != "mine" || doc.Value("month", 0) != "2020-05" {
		t.Errorf("year %q, host %q, month %q (%v)", doc.Value("year", 0), doc.Value("host", 0), doc.Value("month", 0), err)
	}
}
