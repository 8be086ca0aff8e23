package page

import (
	"fmt"
	"slices"
	"strings"
)

// Role is the function of a block on its page, whether the block is kept or not.
type Role uint8

// The roles. Names follow schema.org or HTML where they define one.
const (
	NoRole          Role = iota // not determined
	RoleTitle                   // title of the main content: headline, subject, product name
	RoleByline                  // author, date, place, source
	RoleStandfirst              // summary set apart: deck, subtitle, key points
	RoleBody                    // text of the main content; entries of a listing
	RoleHeading                 // heading of a section of the main content
	RoleCaption                 // text that belongs to an image, video or table
	RolePost                    // post on a discussion page
	RoleComment                 // comment by a reader on other content
	RoleAside                   // biography, fact box, pull quote, information about the site
	RoleRelated                 // teasers of other content, further articles
	RoleNavigation              // menus, breadcrumbs, buttons, tags
	RoleNotice                  // cookies, legal, subscription, advertisement
	RoleOther                   // none of the above
	RoleEmbed                   // post of a social network that the main content quotes
	RoleNote                    // footnote or endnote of a document
	RoleReferences              // list of references of a document
	RoleRunningHead             // running head, running foot or page number of a document
	RoleFields                  // header fields of a message, introduction of a quoted message
	RoleQuoted                  // text of an earlier message, quoted in a message
	RoleSignature               // signature of a message
	roleCount
)

// RoleCount is the number of roles without [NoRole].
const RoleCount = int(roleCount) - 1

var roleNames = [...]string{"", "title", "byline", "standfirst", "body", "heading", "caption", "post", "comment", "aside", "related", "navigation", "notice", "other", "embed",
	"note", "references", "running-head", "fields", "quoted", "signature"}

// String returns the name that the output formats use, such as "byline"; "" for
// [NoRole].
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of r.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the name of a role. The empty name is [NoRole].
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

// RoleOf returns the role with the given name and reports whether it exists.
func RoleOf(name string) (Role, bool) {
	for r := RoleTitle; r < roleCount; r++ {
		if roleNames[r] == name {
			return r, true
		}
	}
	return NoRole, false
}

// Roles is a set of roles. Bit r represents role r.
type Roles uint32

// RolesOf returns the set of the given roles.
func RolesOf(roles ...Role) (s Roles) {
	for _, r := range roles {
		s |= 1 << r
	}
	return s
}

// Has reports whether r is in the set.
func (s Roles) Has(r Role) bool { return s>>r&1 != 0 }

// AllRoles is the set of all roles.
const AllRoles Roles = 1<<roleCount - 1<<RoleTitle

// Names returns the names of the roles, in the order of the constants.
func (s Roles) Names() (names []string) {
	for r := RoleTitle; r < roleCount; r++ {
		if s.Has(r) {
			names = append(names, r.String())
		}
	}
	return names
}

// String returns the names of the roles, separated by commas.
func (s Roles) String() string { return strings.Join(s.Names(), ",") }

// Policy is a named set of roles.
type Policy struct {
	Name  string
	Roles Roles
}

var policies = []Policy{
	{"text", RolesOf(RoleTitle, RoleByline, RoleStandfirst, RoleBody, RoleHeading, RoleCaption, RolePost, RoleComment, RoleEmbed, RoleNote)},
	{"main", RolesOf(RoleStandfirst, RoleBody, RoleHeading, RolePost)},
	{"article", RolesOf(RoleTitle, RoleByline, RoleStandfirst, RoleBody, RoleHeading, RoleCaption, RoleEmbed, RoleNote)},
	{"news", RolesOf(RoleTitle, RoleStandfirst, RoleBody, RoleHeading)},
	{"body", RolesOf(RoleBody, RoleHeading, RoleEmbed)},
}

// Policy returns the name of the policy with the roles of s. Without one, it returns the names
// of the roles, like [Roles.String].
func (s Roles) Policy() string {
	for _, p := range policies {
		if p.Roles == s {
			return p.Name
		}
	}
	return s.String()
}

// Policies returns the policies, the one that keeps most first.
func Policies() []Policy { return slices.Clone(policies) }

// ParseRoles parses a comma-separated list of roles and policies. A minus sign removes a role or
// a policy from the names before it: "body,-embed". The policies are:
//
//   - "text": everything that a reader would keep
//   - "main": the main content of a page of any type
//   - "article": an article with headline, byline and captions
//   - "news": a news article with headline and summary
//   - "body": running text with its headings
//
// An unknown name is an error, and so is a list without a role.
func ParseRoles(list string) (Roles, error) {
	var s Roles
	for name := range strings.SplitSeq(list, ",") {
		name, minus := strings.CutPrefix(strings.TrimSpace(name), "-")
		roles, err := rolesOf(name)
		if err != nil {
			return 0, err
		}
		if minus {
			s &^= roles
		} else {
			s |= roles
		}
	}
	if s == 0 {
		return 0, fmt.Errorf("roles %q: no role is left", list)
	}
	return s, nil
}

// rolesOf returns the roles of a policy, or a single role.
func rolesOf(name string) (Roles, error) {
	for _, p := range policies {
		if p.Name == name {
			return p.Roles, nil
		}
	}
	if r, ok := RoleOf(name); ok {
		return RolesOf(r), nil
	}
	return 0, fmt.Errorf("role %q: wanted text, main, article, news, body or other roles: %s", name, strings.Join(roleNames[1:], ", "))
}
