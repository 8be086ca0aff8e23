package warc

import (
	"bytes"
	"io"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestEncoder reads the records of pages back.
func TestEncoder(t *testing.T) {
	text := func(s string) []page.Block {
		return []page.Block{{Text: s, Verdict: page.Verdict{Label: page.Good}}, {Text: "menu", Verdict: page.Verdict{Label: page.Bad}}}
	}
	pages := []*page.Page{
		{ID: "urn:1", URL: "https://harbour.example/a?b=1", Source: page.Source{Record: "<urn:uuid:1>", Offset: 7}, Meta: page.Metadata{Fetched: "2024-05-18T03:02:03+02:00"}, Blocks: text("The ferry 🚢 came back.")},
		{ID: "b c.html", Blocks: text("A file.")}, {ID: "c.html", Blocks: text("A file.")},
		{ID: "d", Drop: page.AllBad, Blocks: text("x")}, {ID: "e"},
	}
	var b []byte
	for _, p := range pages {
		b = Encoder{}.Append(b, p)
	}
	r := must.Get(NewReader(bytes.NewReader(b), Config{}))(t)
	ids := map[string]bool{}
	for _, want := range []struct{ uri, date, refers, text string }{
		{"https://harbour.example/a?b=1", "2024-05-18T01:02:03Z", "<urn:uuid:1>", "The ferry 🚢 came back.\n"}, {"file:b%20c.html", noDate, "", "A file.\n"}, {"file:c.html", noDate, "", "A file.\n"},
	} {
		rec := must.Get(r.Next())(t)
		block, err := io.ReadAll(rec)
		if err != nil || rec.Type != "conversion" || rec.URI != want.uri || rec.Date != want.date || rec.Header.Get("WARC-Refers-To") != want.refers || string(block) != want.text ||
			rec.Header.Get("Content-Type") != "text/plain; charset=utf-8" || ids[rec.ID] {
			t.Errorf("%s %s %s %s %q %v, want %+v", rec.Type, rec.ID, rec.URI, rec.Date, block, err, want)
		}
		ids[rec.ID] = true
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v, want the end", err)
	}
}
