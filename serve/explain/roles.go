package explain

import "chaffinch/page"

// policyData is a policy with the names of its roles.
type policyData struct {
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

// setRoles writes the names of all roles, and the policies made of them.
func setRoles(d *data) {
	names := func(s page.Roles) (list []string) {
		for r := page.RoleTitle; int(r) <= page.RoleCount; r++ {
			if s.Has(r) {
				list = append(list, r.String())
			}
		}
		return list
	}
	d.Roles = names(^page.Roles(0))
	for _, p := range page.Policies() {
		d.Policies = append(d.Policies, policyData{p.Name, names(p.Roles)})
	}
}
