package page

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRoles: every role has a name that reads as the role, and bit r of a set is
// that of role r.
func TestRoles(t *testing.T) {
	seen := map[string]bool{}
	for r := RoleTitle; r < roleCount; r++ {
		name := r.String()
		if name == "" || seen[name] {
			t.Errorf("role %d has the name %q", r, name)
		}
		seen[name] = true
		var again Role
		if err := again.UnmarshalText([]byte(name)); err != nil || again != r {
			t.Errorf("%s is read as %s, %v", name, again, err)
		}
		s := RolesOf(r)
		if !s.Has(r) || s.Has(NoRole) || s.String() != name {
			t.Errorf("the set of %s is %s", name, s)
		}
	}
	must.Equal(t, len(seen), RoleCount, "roles")
	var r Role
	must.Fail(t, r.UnmarshalText([]byte("menu")), `role "menu": wanted title, byline`)
	if err := r.UnmarshalText(nil); err != nil || r != NoRole {
		t.Errorf("no name: %s, %v", r, err)
	}
}

// TestPolicy names sets of roles.
func TestPolicy(t *testing.T) {
	for _, p := range Policies() {
		if got := p.Roles.Policy(); got != p.Name {
			t.Errorf("policy %s is named %s", p.Name, got)
		}
	}
	must.Equal(t, RolesOf(RoleBody, RoleTitle).Policy(), "title,body", "two roles are named")
}

// TestParseRoles reads roles, policies and lists of both.
func TestParseRoles(t *testing.T) {
	for list, want := range map[string]string{
		"body":                   "body,heading,embed",
		" comment , title":       "title,comment",
		"body,comment":           "body,heading,comment,embed",
		"article":                "title,byline,standfirst,body,heading,caption,embed,note",
		"main,byline":            "byline,standfirst,body,heading,post",
		"text":                   "title,byline,standfirst,body,heading,caption,post,comment,embed,note",
		"other,navigation":       "navigation,other",
		"title,title,standfirst": "title,standfirst",
		"body, -embed":           "body,heading",
		"text,-article":          "post,comment",
	} {
		got, err := ParseRoles(list)
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v, want %s", list, got, err, want)
		}
	}
	if s, err := ParseRoles("title,-title"); err == nil || !strings.Contains(err.Error(), "no role is left") {
		t.Errorf("no role: %s, %v", s, err)
	}
	for _, list := range []string{"", "text,", "Body", "headline", "body,-headline"} {
		if s, err := ParseRoles(list); err == nil || !strings.Contains(err.Error(), "wanted text, main, article") {
			t.Errorf("%q: %s, %v", list, s, err)
		}
	}
}
