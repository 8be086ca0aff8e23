package recipe

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestAsideRole names the place of a role that there is not, and the key that took
// the place of class.
func TestAsideRole(t *testing.T) {
	good := string(Clean(CleanOptions{Comments: "text"}).Bytes())
	if r, err := Parse([]byte(good)); err != nil || r.Output.Aside[0].Role != page.RoleComment {
		t.Errorf("%v in %s", err, good)
	}
	for was, want := range map[string]string{
		`"role": "comment"`:  "",
		`"role": "remark"`:   `output.aside.role: role "remark": wanted title, byline`,
		`"class": "comment"`: `output.aside: unknown key "class": it is called role now`,
	} {
		_, err := Parse([]byte(strings.Replace(good, `"role": "comment"`, was, 1)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", was, err, want)
		}
	}
}

// TestView wants each block in the output of its role, and nothing of a page that
// has no such block.
func TestView(t *testing.T) {
	block := func(text string, role page.Role, label page.Label) page.Block {
		return page.Block{Text: text, Element: -1, Verdict: page.Verdict{Role: role, Label: label}}
	}
	talk := &page.Page{ID: "a", Blocks: []page.Block{
		block("article", page.NoRole, page.Good), block("menu", page.NoRole, page.Bad), block("a reply", page.RoleComment, page.Good), block("Reply", page.RoleComment, page.Bad),
	}}
	silent := &page.Page{ID: "b", Blocks: talk.Blocks[:2]}
	only := &page.Page{ID: "c", Blocks: talk.Blocks[2:]}
	for _, annotate := range []bool{false, true} {
		o := Output{Format: "text", Annotate: annotate, Aside: []Aside{{Role: page.RoleComment, Format: "text"}}}
		encoders := must.Get(o.encoders())(t)
		for _, c := range []struct {
			p              *page.Page
			main, comments string
		}{{talk, "article\n\n", "a reply\n\n"}, {silent, "article\n\n", ""}, {only, "", "a reply\n\n"}} {
			if got := string(o.view(0, encoders[0]).Append(nil, c.p)); !annotate && got != c.main {
				t.Errorf("page %s: main output %q, want %q", c.p.ID, got, c.main)
			}
			if got := string(o.view(1, encoders[1]).Append(nil, c.p)); got != c.comments {
				t.Errorf("page %s: comments %q, want %q", c.p.ID, got, c.comments)
			}
			if annotate && len(o.view(0, encoders[0]).Append(nil, c.p)) != len(encoders[0].Append(nil, c.p)) {
				t.Errorf("page %s: the annotated output is not whole", c.p.ID)
			}
		}
	}
	if talk.Blocks[2].Label != page.Good {
		t.Error("a view has changed its page")
	}
}
