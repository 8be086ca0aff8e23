package vertical_test

import (
	"io"
	"strings"
	"testing"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func good(texts ...string) *page.Page {
	p := &page.Page{ID: "a", Lang: "en"}
	for _, t := range texts {
		p.Blocks = append(p.Blocks, page.Block{Text: t, Verdict: page.Verdict{Label: page.Good}})
	}
	return p
}

func TestEncoder(t *testing.T) {
	p := good("The well (1784) is deep.  Who dug\u00a0it?")
	p.URL, p.Meta.Title = "https://www.wells.example/?a=1&lt;=2&b", `6" pipes > 'old' & "new"`
	p.Blocks[0].Kind = page.Heading
	p.Blocks = append(p.Blocks, page.Block{Text: "Menu", Verdict: page.Verdict{Label: page.Bad}}, page.Block{Text: " \n", Verdict: page.Verdict{Label: page.Good}})
	const want = `<doc id="a" url="https://www.wells.example/?a=1&amp;lt;=2&b" urldomain="wells.example" title="6&quot; pipes &gt; 'old' & &quot;new&quot;" lang="en" length="0-1k" words="8" offset="0">
<p heading="1" class="good" kind="heading">
<s>
The
well
(
<g/>
1784
<g/>
)
is
deep
<g/>
.
</s>
<sp s="&#32;&#32;"/>
<s>
Who
dug
<sp s="&#160;"/>
it
<g/>
?
</s>
</p>
</doc>
`
	if got := string(vertical.Encoder{}.Append(nil, p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(vertical.Encoder{}.Append(nil, good(" \u200b\n"))); got != "" {
		t.Errorf("a page without tokens gives\n%s", got)
	}
	p.Drop = page.AllBad
	if got := string(vertical.Encoder{}.Append(nil, p)); got != "" {
		t.Errorf("a dropped page gives\n%s", got)
	}
	if got := string(vertical.Encoder{Annotate: true}.Append(nil, p)); !strings.Contains(got, ` drop="all-bad"`) || !strings.Contains(got, "<p heading=\"0\" class=\"bad\" kind=\"paragraph\" score=\"0\">\n<s>\nMenu\n</s>\n</p>") {
		t.Errorf("annotated:\n%s", got)
	}
}

// texts reads a vertical and returns the texts of its blocks.
func texts(t *testing.T, v string, cfg vertical.ReaderConfig) []string {
	t.Helper()
	var out []string
	for b, err := range vertical.Blocks(vertical.NewReader(strings.NewReader(v), cfg)) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, v)
		}
		out = append(out, string(b.Text))
	}
	return out
}

// hard are texts that a line of a vertical cannot hold unchanged.
var hard = []string{
	"plain text", " blank before", "blank behind ", "a\tb", "a\nb\n\nc", "a\r\nb", "<p>", "<doc id=\"1\">", "</doc>", "x </s> y", "<g/>", "< a", "a < b > c", "<!-- -->", "<?xml ?>",
	"&", "&lt;", "&amp;lt;", "&#10;", "&#x;", "&amp", "AT&T", "a\x00b", "\x01", "a\u00a0b", "a\u2028b", "a\u0085b", "\ufeffa", "a\u200bb", "\ufffd", "日本語。テキスト", "ภาษาไทย", "e\u0301", "👩‍👩‍👧", "\"quoted\" 'text' \\", "A.  B", strings.Repeat("x", 10_000), strings.Repeat("字", 5000),
}

func TestEncoderRoundTrip(t *testing.T) {
	for _, text := range hard {
		v := string(vertical.Encoder{}.Append(nil, good(text, "next")))
		got := texts(t, v, vertical.ReaderConfig{Strict: true})
		if len(got) != 2 || got[0] != text {
			t.Errorf("%q comes back as %q, through\n%.500s", text, got, v)
		}
	}
}

func TestReader(t *testing.T) {
	const in = "<doc id='1' n=32 url=\"a&amp;b\">\n<p>\n<s>\nTwo\ttwo\tCD\n<g/>\n&lt;\t<\tSYM\n</s>\n</p>\n</doc>\n"
	r := vertical.NewReader(strings.NewReader(in), vertical.ReaderConfig{Strict: true})
	var out []byte
	var kinds strings.Builder
	for {
		l, err := r.Next()
		if err == io.EOF {
			break
		}
		must.Succeed(t, err)
		if l.Offset != int64(strings.Index(in, strings.Split(in, "\n")[l.Number-1])) {
			t.Errorf("line %d: offset %d", l.Number, l.Offset)
		}
		out = vertical.AppendLine(out, l)
		kinds.WriteString(l.Kind.String() + " ")
	}
	const want = "<doc id=\"1\" n=\"32\" url=\"a&b\">\n<p>\n<s>\nTwo\ttwo\tCD\n<g/>\n<\t<\tSYM\n</s>\n</p>\n</doc>\n"
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	if kinds.String() != "open open open token empty token close close close " {
		t.Errorf("kinds %s", kinds.String())
	}
	rep := r.Report()
	if rep.Tokens != 2 || rep.Lines != 9 || rep.Bytes != int64(len(in)) || rep.Repaired() != 0 {
		t.Errorf("report %+v", rep)
	}
}
