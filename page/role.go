package page

import (
	"fmt"
	"slices"
	"strings"
)

// Role tells what a block is on its page, whether it is kept or not.
type Role uint8

// The roles. Names are those of schema.org or HTML where they have one.
const (
	NoRole         Role = iota // nobody looked
	RoleTitle                  // the name of the page's own content: headline, subject, product's name
	RoleByline                 // author, date, place, source
	RoleStandfirst             // summary set apart: deck, subtitle, key points
	RoleBody                   // text of the own content; entries of a listing
	RoleHeading                // heading of a section of the own content
	RoleCaption                // text that belongs to an image, video, table
	RolePost                   // posting on a page that is there for a discussion
	RoleComment                // what readers wrote under something else
	RoleAside                  // biography, fact box, pull quote, about the site
	RoleRelated                // teasers of other content, further articles
	RoleNavigation             // menus, breadcrumbs, buttons, tags
	RoleNotice                 // cookies, legal, subscription, advertisement
	RoleOther                  // none of these
	roleCount
)

// RoleCount is the number of roles, [NoRole] not among them.
const RoleCount = int(roleCount) - 1

var roleNames = [...]string{"", "title", "byline", "standfirst", "body", "heading", "caption", "post", "comment", "aside", "related", "navigation", "notice", "other"}

// String returns the name that the output formats use, such as "byline"; "" for
// [NoRole].
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "unknown"
}

// MarshalText writes the name of r.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a role; "" is [NoRole].
func (r *Role) UnmarshalText(name []byte) error {
	if len(name) == 0 {
		*r = NoRole
		return nil
	}
	role, ok := RoleOf(string(name))
	if !ok {
		return fmt.Errorf("role %q: wanted %s", name, strings.Join(roleNames[1:], ", "))
	}
	*r = role
	return nil
}

// RoleOf returns the role of that name; false if there is none.
func RoleOf(name string) (Role, bool) {
	for r := RoleTitle; r < roleCount; r++ {
		if roleNames[r] == name {
			return r, true
		}
	}
	return NoRole, false
}

// Roles is a set of roles: bit r is that of role r.
type Roles uint16

// RolesOf returns the set of the given roles.
func RolesOf(roles ...Role) (s Roles) {
	for _, r := range roles {
		s |= 1 << r
	}
	return s
}

// Has reports whether r is in the set.
func (s Roles) Has(r Role) bool { return s>>r&1 != 0 }

// String lists the names of the roles, with commas between.
func (s Roles) String() string {
	var names []string
	for r := RoleTitle; r < roleCount; r++ {
		if s.Has(r) {
			names = append(names, r.String())
		}
	}
	return strings.Join(names, ",")
}

// Policy is a name for roles that are wanted together.
type Policy struct {
	Name  string
	Roles Roles
}

var policies = []Policy{
	{"text", RolesOf(RoleTitle, RoleByline, RoleStandfirst, RoleBody, RoleHeading, RoleCaption, RolePost, RoleComment)},
	{"main", RolesOf(RoleStandfirst, RoleBody, RoleHeading, RolePost)},
	{"article", RolesOf(RoleTitle, RoleByline, RoleStandfirst, RoleBody, RoleHeading, RoleCaption)},
	{"body", RolesOf(RoleBody, RoleHeading)},
}

// Policies returns the policies, the one that keeps most first.
func Policies() []Policy { return slices.Clone(policies) }

// ParseRoles reads a list of names with commas between. A name is a role, or a
// policy: "text" (all that a reader would keep), "main" (the main content of a
// page of any type), "article" (an article with headline, by-line and
// captions), "body" (running text with its headings).
func ParseRoles(list string) (Roles, error) {
	var s Roles
next:
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		for _, p := range policies {
			if p.Name == name {
				s |= p.Roles
				continue next
			}
		}
		r, ok := RoleOf(name)
		if !ok {
			return 0, fmt.Errorf("role %q: wanted text, main, article, body or other roles: %s", name, strings.Join(roleNames[1:], ", "))
		}
		s |= RolesOf(r)
	}
	return s, nil
}
