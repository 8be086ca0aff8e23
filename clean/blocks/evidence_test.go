package blocks

import (
	"slices"
	"testing"

	"chaffinch/lab/gold"
	"chaffinch/page"
)

// TestLent wants pages that only lend a part of what their policy keeps to be
// evidence like any other, though they teach nothing of its convention.
func TestLent(t *testing.T) {
	p := cut(t, "<body><p>The mill stands by the water.</p><div class=comment>Nobody has seen the miller.</div></body>")
	roles := []gold.RoleSpan{{Start: p.Blocks[0].Start, End: p.Blocks[0].End, Role: page.RoleNavigation}}
	lent, err := NewExample(p, Gold{Text: "The mill stands by the water.", Policy: Text, Lent: true, Site: "a", Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	keeps, ok := conventions([]*Example{lent})[Text]
	if !ok {
		t.Fatal("no convention for a policy of lent pages only")
	}
	for r := range page.RoleCount {
		want := float32(policyDoubt)
		if generals[Text].Has(page.Role(r + 1)) {
			want = 1 - policyDoubt
		}
		if keeps[r] != want {
			t.Errorf("%v is kept with %v, want %v", page.Role(r+1), keeps[r], want)
		}
	}
}

// TestCommentedPage wants the text of a page whose people tell comments from it to be no
// post under any policy, and its comments none either; the page is lent to the policies
// that keep posts.
func TestCommentedPage(t *testing.T) {
	p := cut(t, "<body><p>The mill stands by the water.</p><div class=comment>Nobody has seen the miller.</div></body>")
	g := gold.Page{Text: "The mill stands by the water.", Comments: "Nobody has seen the miller.", Commented: true}
	var policies []string
	for _, x := range goldsOf(&gold.Item{Set: &gold.Set{Policy: gold.Article}, Page: p, Gold: &g}) {
		policies = append(policies, x.Policy)
		e, err := NewExample(p, x)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []page.Role{page.RoleBody, page.RoleComment} {
			if l := e.evidence(i, unknown); l[want-1] < 3*l[page.RolePost-1] {
				t.Errorf("%s, block %d: likelihoods %v, wanted that of %v far above that of post", x.Policy, i, l, want)
			}
		}
	}
	if want := []string{Article, Text, Main}; !slices.Equal(policies, want) {
		t.Errorf("policies %v, wanted %v", policies, want)
	}
}
