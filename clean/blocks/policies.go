package blocks

import "chaffinch/page"

// generals holds the roles of the policies by name.
var generals = func() map[string]page.Roles {
	m := map[string]page.Roles{}
	for _, p := range page.Policies() {
		m[p.Name] = p.Roles
	}
	return m
}()

// policyOf returns the value of colPolicy for the wanted roles: 0 for one article, 1 for the
// main content of any page, 2 for main content and comments. Roles depend on it: on a front
// page, teasers are related content under policy 0 and the content itself under the others.
func policyOf(want page.Roles) float64 {
	switch {
	case !want.Has(page.RolePost):
		return 0
	case want.Has(page.RoleComment):
		return 2
	}
	return 1
}
