package blocks

import (
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestLent wants pages that only lend a part of what their policy keeps to be
// evidence like any other, though they teach nothing of its convention.
func TestLent(t *testing.T) {
	p := cut(t, "<body><p>The mill stands by the water.</p><div class=comment>Nobody has seen the miller.</div></body>")
	roles := make([]page.Role, len(p.Blocks))
	roles[0] = page.RoleNavigation
	lent := must.Get(NewExample(p, Gold{Text: "The mill stands by the water.", Policy: blocks.Text, Lent: true, Site: "a", Roles: roles}))(t)
	keeps, ok := conventions([]*Example{lent})[blocks.Text]
	if !ok {
		t.Fatal("no convention for a policy of lent pages only")
	}
	text := must.Get(page.ParseRoles(blocks.Text))(t)
	for r := range blocks.Roles {
		want := float32(policyDoubt)
		if text.Has(page.Role(r + 1)) {
			want = 1 - policyDoubt
		}
		if keeps[r] != want {
			t.Errorf("%v is kept with %v, want %v", page.Role(r+1), keeps[r], want)
		}
	}
}

// TestCommentedPage wants the text of a page whose people tell comments from it to be no
// post under any policy, and its comments none either.
func TestCommentedPage(t *testing.T) {
	p := cut(t, "<body><p>The mill stands by the water.</p><div class=comment>Nobody has seen the miller.</div></body>")
	for _, policy := range []string{blocks.Article, blocks.Text, blocks.Main} {
		x := Gold{Text: "The mill stands by the water.", Comments: "Nobody has seen the miller.", Commented: true, Policy: policy, Lent: policy != blocks.Article}
		if policy == blocks.Text {
			x.Text += "\n" + x.Comments
		}
		e := must.Get(NewExample(p, x))(t)
		for i, want := range []page.Role{page.RoleBody, page.RoleComment} {
			if l := e.evidence(i, unknown); l[want-1] < 3*l[page.RolePost-1] {
				t.Errorf("%s, block %d: likelihoods %v, wanted that of %v far above that of post", x.Policy, i, l, want)
			}
		}
	}
}
