// Package documents labels the blocks of documents such as PDF, DOCX or mail. Nearly all text of
// a document is its content. The rest is known by its part: running heads, contents, lists of
// references, header fields, quoted messages and signatures (see package format/document). The
// part gives each block a role, and the wanted roles are kept.
//
// Unstable: this package may change in any release.
package documents

import (
	"context"

	"chaffinch/format/document"
	"chaffinch/page"
)

// Labeller is a [clean.Labeller] for documents that were converted to HTML.
type Labeller struct{ keep page.Roles }

// New returns a labeller that keeps blocks with the given roles.
func New(keep page.Roles) *Labeller { return &Labeller{keep} }

// Name returns the method's name and behaviour version.
func (l *Labeller) Name() string { return "documents/1" }

// IgnoresLang reports whether the method ignores the language of a page.
func (l *Labeller) IgnoresLang() bool { return true }

// Label returns the verdicts on the blocks of p.
func (l *Labeller) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	roles := make([]page.Role, len(p.Elements)) // of the parts that elements begin or continue
	for i := range p.Elements {
		e := &p.Elements[i]
		roles[i] = partOf(e)
		if roles[i] == page.NoRole && e.Parent >= 0 {
			roles[i] = roles[e.Parent]
		}
	}
	verdicts := make([]page.Verdict, len(p.Blocks))
	titled := false
	for i := range p.Blocks {
		b := &p.Blocks[i]
		role := page.NoRole
		if b.Element >= 0 {
			role = roles[b.Element]
		}
		if role == page.NoRole {
			role = page.RoleBody
			if b.Kind == page.Heading {
				role = page.RoleHeading
				if b.Level == 1 && !titled {
					role, titled = page.RoleTitle, true
				}
			}
		}
		v := page.Verdict{By: "documents", Label: page.Good, Score: 1, Role: role}
		if !l.keep.Has(role) {
			v.Label, v.Score, v.Reason = page.Bad, 0, role.String()
		}
		verdicts[i] = v
	}
	return verdicts, nil
}

// partOf returns the role of the part of a document that e states, [page.NoRole] if e states none.
func partOf(e *page.Element) page.Role {
	switch e.Role {
	case document.PageHeader, document.PageFooter:
		return page.RoleRunningHead
	case document.Footnote:
		return page.RoleNote
	case document.Bibliography:
		return page.RoleReferences
	case document.Contents:
		return page.RoleNavigation
	}
	switch e.Class {
	case document.Byline:
		return page.RoleByline
	case document.Quote:
		return page.RoleQuoted
	case document.Signature:
		return page.RoleSignature
	case document.Fields:
		return page.RoleFields
	}
	switch e.Name {
	case "figcaption", "caption":
		return page.RoleCaption
	case "aside":
		return page.RoleAside
	}
	return page.NoRole
}
