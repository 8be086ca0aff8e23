package blocks

import "chaffinch/page"

// alike holds the properties that elements with the same name and attributes share, such as the
// items of a list. It is computed once for all of them.
type alike struct {
	element int32 // the first of them
	name    uint64
	own     uint64 // hash of name and class
	tag     tagInfo
	class   uint32 // hash of the first class without digits
	classed bool   // whether there is one
	article bool   // the text of an article, or a teaser
	embed   bool   // embed code of a post
	program bool   // of a consent program
}

// alikeBits is the base-2 logarithm of the size of the cache of groups of elements.
const alikeBits = 8

// alike returns the index in s.alikes of the group of element e of the page. An element whose group
// is not in the cache gets a new one.
func (s *sheet) alike(e int32) int32 {
	el := &s.page.Elements[e-1]
	name := hashString(el.Name)
	own := mix(name, hashString(el.Class))
	cached := &s.alikeCache[own>>(64-alikeBits)]
	if *cached > 0 {
		if a := &s.alikes[*cached-1]; a.own == own && sameTokens(&s.page.Elements[a.element-1], el) {
			return *cached - 1
		}
	}
	a := alike{element: e, name: name, own: own, tag: lookupTag(name), article: isArticle(el), embed: isEmbed(el)}
	a.class, a.classed = firstClass(el.Class)
	s.alikes = append(s.alikes, a)
	*cached = int32(len(s.alikes))
	return *cached - 1
}

// sameTokens reports whether two elements have the same name and attributes.
func sameTokens(a, b *page.Element) bool {
	return a.Class == b.Class && a.Name == b.Name && a.ID == b.ID && a.Role == b.Role && a.ItemProp == b.ItemProp
}
