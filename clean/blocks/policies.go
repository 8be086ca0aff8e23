package blocks

import "chaffinch/page"

// generals are the roles of the policies, by name.
var generals = func() map[string]page.Roles {
	m := map[string]page.Roles{}
	for _, p := range page.Policies() {
		m[p.Name] = p.Roles
	}
	return m
}()

// policyOf returns what one who wants these roles reads a page for, the value of colPolicy: 0
// for one article, 1 for whatever the page is there for, 2 for that and what
// readers say of it. On a front page an article's reader takes teasers for related
// content, another reader for the content itself: so roles depend on it.
func policyOf(want page.Roles) float64 {
	switch {
	case !want.Has(page.RolePost):
		return 0
	case want.Has(page.RoleComment):
		return 2
	}
	return 1
}
