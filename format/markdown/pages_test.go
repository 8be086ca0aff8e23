package markdown_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"chaffinch/format/markdown"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestPageBoxes reads what Markdown has no text for: footnotes, of one word too,
// callouts and tasks.
func TestPageBoxes(t *testing.T) {
	p, err := markdown.Page([]byte("Text[^1] and[^x].\n\n[^1]: word\n\n[^x]: Two *words*.\n\n> [!NOTE]\n> Hi *you*\n\n- [x] done\n- [ ] open\n- [y] none\n"))
	must.Succeed(t, err)
	var got []string
	for i := range p.Blocks {
		got = append(got, p.Blocks[i].Text)
	}
	const want = "Text1 and2.|Hi you|done|open|[y] none|word|Two words."
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("%q, want %q", g, want)
	}
	const again = "Text<sup>1</sup> and<sup>2</sup>.\n\n> Hi *you*\n\n- [x] done\n- [ ] open\n- [y] none\n\n1. word\n2. Two *words*.\n"
	if g := string(markdown.Encoder{}.Append(nil, p)); g != again {
		t.Errorf("written again:\n%s\nwant\n%s", g, again)
	}
}

// TestPageBreaks reads line breaks in cells.
func TestPageBreaks(t *testing.T) {
	p := must.Get(markdown.Page([]byte("| a |\n| --- |\n| one<br>two **three<br/>four** |\n")))(t)
	if got := p.Blocks[1]; got.Text != "one two three four" || len(got.Inline) != 3 || got.Inline[0] != (page.Inline{Kind: page.LineBreak, Start: 3, End: 4}) {
		t.Errorf("%+v", got)
	}
}

// TestPageReferences reads ampersands that begin no character reference, before escapes and
// references.
func TestPageReferences(t *testing.T) {
	p := must.Get(markdown.Page([]byte(`R&D \*a\*; & \&amp; &lt; &#x41; &nope; \&nope; &copy; AT&T \_x\_;` + "\n")))(t)
	const want = `R&D *a*; & &amp; < A &nope; &nope; © AT&T _x_;`
	if len(p.Blocks) != 1 || p.Blocks[0].Text != want {
		t.Errorf("%q, want %q", p.Blocks[0].Text, want)
	}
}

// TestPageEstimate reads back what was estimated of a page, and not as fields of the user.
func TestPageEstimate(t *testing.T) {
	p := &page.Page{Confidence: .949, ConfidencePolicy: "text", Type: "article", TypeConfidence: .978, Registers: []string{"IN", "NA/ne"}}
	p.Blocks = []page.Block{{Text: "Text.", Element: -1}}
	p.Blocks[0].Label = page.Good
	p.Fields = []page.Field{{Name: "page_type", Value: `"forum"`}, {Name: "year", Value: "2024"}}
	q, err := markdown.Page(markdown.Encoder{FrontMatter: true}.Append(nil, p))
	must.Succeed(t, err)
	if q.Confidence != p.Confidence || q.ConfidencePolicy != p.ConfidencePolicy || q.Type != p.Type || q.TypeConfidence != p.TypeConfidence ||
		!slices.Equal(q.Registers, p.Registers) || !slices.Equal(q.Fields, p.Fields) {
		t.Errorf("%+v, want %+v", q, p)
	}
	if q, err = markdown.Page([]byte("---\npage_type: essay\nconfidence: high\n---\n\nText.\n")); err != nil || len(q.Fields) != 2 || q.Type != "" {
		t.Errorf("%+v, %v, want two fields", q, err)
	}
}

// TestPageCRLF reads line ends of any kind alike.
func TestPageCRLF(t *testing.T) {
	const src = "---\ntitle: \"T\"\nyear: 5\n---\n\n# Head\n\nText  \nof *it*.\n\n```\na\n\nb\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
	want := must.Get(markdown.Page([]byte(src)))(t)
	got := must.Get(markdown.Page([]byte(strings.ReplaceAll(src, "\n", "\r\n"))))(t)
	if !reflect.DeepEqual(got, want) || got.Meta.Title != "T" || len(got.Fields) != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestPageEscapedBoxes: escaped brackets are text.
func TestPageEscapedBoxes(t *testing.T) {
	const src = "- \\[x] text\n- [x] done\n- \\[ ] text\n\n> \\[!NOTE] text\n\n> [!NOTE] gone\n"
	p := must.Get(markdown.Page([]byte(src)))(t)
	var got []string
	for i := range p.Blocks {
		got = append(got, p.Blocks[i].Text)
	}
	if g := strings.Join(got, "|"); g != "[x] text|done|[ ] text|[!NOTE] text|gone" {
		t.Errorf("%q", g)
	}
}
