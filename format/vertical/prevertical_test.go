package vertical_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func sample(text string) *page.Page {
	return &page.Page{
		ID: "a", URL: `https://a.example/?a="b"&c`, Charset: "utf-8", Lang: "en",
		Meta: page.Metadata{Title: text},
		Blocks: []page.Block{
			{Text: text, Kind: page.Heading, Verdict: page.Verdict{Label: page.Good, ContextFree: page.Short}},
			{Text: "Menu", Verdict: page.Verdict{Label: page.Bad, Reason: "links > .2", Score: 0.5}},
			{Text: "One. Two.", Verdict: page.Verdict{Label: page.Good, Sentences: []page.Sentence{{Start: 0, End: 4, Label: page.Bad, Score: 9}, {Start: 5, End: 9, Label: page.Good}}}},
		},
	}
}

func TestAppend(t *testing.T) {
	got := string(vertical.Prevertical{}.Append(nil, sample("1 < 2 & 3\n\n line")))
	const want = `<doc id="a" url="https://a.example/?a=&quot;b&quot;&amp;c" title="1 &lt; 2 &amp; 3   line" length="0-1k" words="5" lang="en" enc="utf-8" offset="0">
<p heading="1" class="good" cfclass="short" kind="heading">
1 &lt; 2 &amp; 3
line
</p>
<p heading="0" class="good" kind="paragraph">
Two.
</p>
</doc>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p := sample("x")
	p.Drop = page.AllBad
	if got := (vertical.Prevertical{}).Append(nil, p); len(got) != 0 {
		t.Errorf("a dropped page is written: %s", got)
	}
}

// TestRoles wants the role of a block as an attribute, and back from it.
func TestRoles(t *testing.T) {
	p := &page.Page{ID: "a", Lang: "en"}
	for r := page.NoRole; int(r) <= page.RoleCount; r++ {
		p.Blocks = append(p.Blocks, page.Block{Text: "block " + r.String(), Verdict: page.Verdict{Label: page.Good, Role: r}})
	}
	for name, out := range map[string][]byte{
		"prevertical": vertical.Prevertical{}.Append(nil, p),
		"vertical":    vertical.Encoder{}.Append(nil, p),
		"annotated":   vertical.Encoder{Annotate: true}.Append(nil, p),
	} {
		if n := strings.Count(string(out), ` role="`); n != page.RoleCount || !strings.Contains(string(out), `<p heading="0" class="good" role="byline" kind="paragraph"`) {
			t.Errorf("%s: %d roles in\n%s", name, n, out)
		}
		q := must.Get(vertical.NewPages(vertical.NewReader(strings.NewReader(string(out)), vertical.ReaderConfig{})).Next())(t)
		for i := range q.Blocks {
			if q.Blocks[i].Role != p.Blocks[i].Role {
				t.Errorf("%s: %q has the role %q", name, q.Blocks[i].Text, q.Blocks[i].Role)
			}
		}
	}
}

// TestRestrictions wants the licence, opt-outs and marks of translation as attributes, and back
// from them.
func TestRestrictions(t *testing.T) {
	p := sample("x")
	p.Meta = page.Metadata{License: "CC BY 4.0", Optout: "meta robots: noai", Translated: "Google Translate"}
	for name, out := range map[string][]byte{"prevertical": vertical.Prevertical{}.Append(nil, p), "vertical": vertical.Encoder{}.Append(nil, p)} {
		q := must.Get(vertical.NewPages(vertical.NewReader(bytes.NewReader(out), vertical.ReaderConfig{})).Next())(t)
		if q.Meta.License != p.Meta.License || q.Meta.Optout != p.Meta.Optout || q.Meta.Translated != p.Meta.Translated {
			t.Errorf("%s: %+v from\n%s", name, q.Meta, out)
		}
	}
}

func TestAnnotate(t *testing.T) {
	p := sample("x")
	p.Drop = page.AllBad
	got := string(vertical.Prevertical{Annotate: true}.Append(nil, p))
	for _, want := range []string{
		` drop="all-bad"`,
		`<p heading="0" class="bad" kind="paragraph" score="0.5" why="links &gt; .2">` + "\nMenu\n</p>\n",
		`<s class="bad" score="9">` + "\nOne.\n</s>\n" + `<s class="good" score="0">` + "\nTwo.\n</s>\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// FuzzAppend wants well-formed markup for any page, with every tag on a separate line.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "plain", "<p>", `"'&<>`, "a\nb", "\x01\x00", "</doc>\n<doc>", "&lt;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ToValidUTF8(s, "") != s || strings.ContainsAny(s, "\ufffe\uffff") {
			return // pages hold valid text; XML has no name for these two
		}
		for _, annotate := range []bool{false, true} {
			out := string(vertical.Prevertical{Annotate: annotate}.Append(nil, sample(s)))
			d := xml.NewDecoder(strings.NewReader(out))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%v in %q", err, out)
				}
			}
			for line := range strings.Lines(out) {
				line = strings.TrimSuffix(line, "\n")
				if strings.Contains(line, "<") && (line[0] != '<' || strings.Count(line, "<") != 1 || line[len(line)-1] != '>') {
					t.Errorf("a tag shares the line %q", line)
				}
			}
		}
	})
}
