package corpus

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLanguagePage asks the queries of docs/reference/cql.md of the corpus on that page.
func TestLanguagePage(t *testing.T) {
	page := must.Read(t, "../docs/reference/cql.md")
	var vert, queries strings.Builder
	into := (*strings.Builder)(nil)
	for line := range strings.Lines(string(page)) {
		switch strings.TrimSpace(line) {
		case "```vertical":
			into = &vert
		case "```cql":
			into = &queries
		case "```":
			into = nil
		default:
			if into != nil {
				into.WriteString(line)
			}
		}
	}
	c := build(t, vert.String(), "word", "lemma", "tag")
	n := 0
	for line := range strings.Lines(queries.String()) {
		i := strings.LastIndex(line, " # ")
		if i < 0 {
			t.Errorf("no matches behind #: %s", line)
			continue
		}
		cql, want := strings.TrimSpace(line[:i]), strings.TrimSpace(line[i+3:])
		q, err := c.Query(t.Context(), cql)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for m, err := range q.Matches(t.Context()) {
			must.Succeed(t, err)
			got = append(got, c.words(m.Start, m.End))
		}
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("%s\n got %s\nwant %s", cql, s, want)
		}
		n++
	}
	if n < 30 {
		t.Errorf("only %d examples", n)
	}
}
