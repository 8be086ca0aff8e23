package blocks

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// embedClasses are the classes of the embed codes of social networks.
var embedClasses = []string{
	"twitter-tweet", "twitter-video", "instagram-media", "fb-post", "fb-video", "tiktok-embed", "bluesky-embed", "mastodon-embed",
	"text-post-media", "reddit-embed-bq", "reddit-card", "imgur-embed-pub",
}

// embeds sets the elements of s.embedded: embed codes of posts, and the elements inside.
func (s *sheet) embeds() {
	s.embedded = grow(s.embedded, len(s.elems))
	s.embedded[0] = false
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		s.embedded[e] = s.embedded[x.parent] || s.alikes[x.alike].embed
	}
}

// isEmbed reports whether e is an embed code: it has a class of embedClasses.
func isEmbed(e *page.Element) bool {
	if e.Name != "blockquote" && e.Name != "div" || len(e.Class) > maxAttribute || !strings.Contains(e.Class, "-") {
		return false
	}
	for class := range strings.FieldsSeq(e.Class) {
		if slices.Contains(embedClasses, class) {
			return true
		}
	}
	return false
}

// notContent holds the roles of text that does not belong to the content of the page.
var notContent = page.RolesOf(page.RoleRelated, page.RoleNavigation, page.RoleNotice)

// settleEmbeds sets the probability that embedded posts are wanted: the probability that they
// belong to the content if [page.RoleEmbed] is wanted, else 0.
func (s *scratch) settleEmbeds(want page.Roles) {
	sh := &s.sheet
	for i := range sh.blocks {
		if !sh.embedded[sh.blocks[i].element] {
			continue
		}
		s.keep[i] = 0
		if want.Has(page.RoleEmbed) {
			s.keep[i] = Probability(s.rolesOf(i), all&^notContent)
		}
	}
}
