package blocks

import "chaffinch/page"

// Roles is the number of roles that a model estimates: the roles up to [page.RoleOther].
// [page.RoleEmbed] follows from the markup.
const Roles = int(page.RoleOther)

// generals holds the roles of the policies by name.
var generals = func() map[string]page.Roles {
	m := map[string]page.Roles{}
	for _, p := range page.Policies() {
		m[p.Name] = p.Roles
	}
	return m
}()

// Values of colPolicy: one article, the main content of any page, main content and comments.
const (
	oneArticle = iota
	mainContent
	withComments
)

// policyOf returns the value of colPolicy for the wanted roles. Roles depend on it: on a front
// page, teasers are related content of one article and the content itself under the others.
func policyOf(want page.Roles) float64 {
	switch {
	case !want.Has(page.RolePost):
		return oneArticle
	case want.Has(page.RoleComment):
		return withComments
	}
	return mainContent
}
