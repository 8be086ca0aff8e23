package explain

import "chaffinch/page"

// policyData is a policy with the names of its roles.
type policyData struct {
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

// setRoles writes the names of all roles, and the policies made of them.
func setRoles(d *data) {
	d.Roles = page.AllRoles.Names()
	for _, p := range page.Policies() {
		d.Policies = append(d.Policies, policyData{p.Name, p.Roles.Names()})
	}
}
