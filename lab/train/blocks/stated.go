package blocks

import (
	"strings"

	"chaffinch/page"
)

// statement is the evidence of the markup around a block: it has one of roles, with the probability
// doubt of another role.
type statement struct {
	roles page.Roles
	doubt float32
}

// newStatement returns a statement.
func newStatement(doubt float32, roles ...page.Role) statement {
	return statement{page.RolesOf(roles...), doubt}
}

// Statements of names of elements, properties of schema.org and classes of hentry and of widespread
// templates. They are evidence in training and not rules: the model itself uses the tokens of
// classes and names like other features.
var (
	aTitle    = newStatement(.1, page.RoleTitle, page.RoleHeading, page.RoleRelated)
	aByline   = newStatement(.1, page.RoleByline, page.RoleComment, page.RoleAside, page.RoleRelated)
	aCaption  = newStatement(.1, page.RoleCaption)
	aComment  = newStatement(.1, page.RoleComment, page.RolePost)
	aLead     = newStatement(.15, page.RoleStandfirst, page.RoleRelated)
	aMenu     = newStatement(.1, page.RoleNavigation, page.RoleRelated)
	aNotice   = newStatement(.15, page.RoleNotice)
	aTeaser   = newStatement(.15, page.RoleRelated, page.RoleNavigation)
	aBio      = newStatement(.15, page.RoleAside, page.RoleByline)
	aHeadline = newStatement(.2, page.RoleTitle, page.RoleHeading, page.RoleRelated, page.RoleNavigation, page.RoleComment, page.RoleAside, page.RoleNotice, page.RoleOther)
	aText     = newStatement(.25, page.RoleBody, page.RoleHeading, page.RoleCaption, page.RolePost, page.RoleStandfirst, page.RoleAside)
)

var statedByName = map[string]statement{
	"figcaption": aCaption, "caption": aCaption, "nav": aMenu, "button": newStatement(.2, page.RoleNavigation), "option": newStatement(.1, page.RoleNavigation, page.RoleOther),
	"time": aByline, "h1": aHeadline, "h2": aHeadline, "h3": aHeadline, "h4": aHeadline, "h5": aHeadline, "h6": aHeadline,
}

var statedByProperty = map[string]statement{
	"headline": aTitle, "alternativeheadline": aLead, "articlebody": aText, "author": aByline, "datepublished": aByline, "datemodified": aByline,
	"datecreated": aByline, "caption": aCaption, "comment": aComment, "commenttext": aComment, "reviewbody": aComment, "review": aComment,
	"breadcrumb": aMenu, "copyrightholder": aNotice, "text": aText, "description": newStatement(.3, page.RoleStandfirst, page.RoleBody, page.RoleRelated),
}

var statedByClass = map[string]statement{
	"entry-title": aTitle, "post-title": aTitle, "article-title": aTitle, "headline": aTitle, "page-title": newStatement(.1, page.RoleTitle),
	"byline": aByline, "author": aByline, "vcard": aByline, "fn": aByline, "entry-meta": aByline, "entry-date": aByline, "post-date": aByline, "postdate": aByline,
	"post-meta": aByline, "dateline": aByline, "timestamp": aByline, "published": aByline, "updated": aByline, "pubdate": aByline,
	"wp-caption-text": aCaption, "caption": aCaption, "photo-credit": aCaption, "image-caption": aCaption, "credit": aCaption, "gallery-caption": aCaption,
	"comment-body": aComment, "comment-content": aComment, "comment-text": aComment, "comment": aComment, "commentlist": aComment, "comment-list": aComment, "comments-area": aComment,
	"dek": aLead, "deck": aLead, "standfirst": aLead, "subtitle": aLead, "subheadline": aLead, "article-summary": aLead,
	"breadcrumb": aMenu, "breadcrumbs": aMenu, "menu": aMenu, "navbar": aMenu, "nav": aMenu, "pagination": aMenu, "tags": aMenu, "social-links": aMenu, "share": aMenu,
	"copyright": aNotice, "cookie": aNotice, "cookie-banner": aNotice, "newsletter": aNotice, "advertisement": aNotice, "legal": aNotice, "disclaimer": aNotice,
	"related": aTeaser, "related-posts": aTeaser, "related-articles": aTeaser, "recommended": aTeaser, "more-stories": aTeaser, "most-popular": aTeaser, "latest-news": aTeaser,
	"author-bio": aBio, "about-author": aBio, "author-info": aBio, "bio": aBio, "signature": aBio,
	"entry-content": aText, "post-content": aText, "article-body": aText, "article-content": aText,
}

// statedAround is the number of elements around a block, from the innermost, whose statements are
// used.
const statedAround = 4

// stated multiplies l by the likelihoods of the statements about block i.
func stated(p *page.Page, i int, l *likelihoods) {
	var seen [len(l)]float32
	for r := range seen {
		seen[r] = 1
	}
	// Of several doubts about a role only the strongest is used, so that repeated statements count
	// once.
	hear := func(s statement, ok bool) {
		if !ok {
			return
		}
		for r := range seen {
			if !s.roles.Has(page.Role(r + 1)) {
				seen[r] = min(seen[r], s.doubt)
			}
		}
	}
	at := p.Blocks[i].Element
	for range statedAround {
		if at < 0 {
			break
		}
		e := &p.Elements[at]
		s, ok := statedByName[e.Name]
		hear(s, ok)
		for prop := range strings.FieldsSeq(e.ItemProp) {
			s, ok := statedByProperty[strings.ToLower(prop)]
			hear(s, ok)
		}
		for class := range strings.FieldsSeq(e.Class) {
			s, ok := statedByClass[strings.ToLower(class)]
			hear(s, ok)
		}
		at = e.Parent
	}
	for r := range seen {
		l[r] *= seen[r]
	}
}
