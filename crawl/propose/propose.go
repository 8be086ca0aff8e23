// Package propose finds candidates for the seeds of a crawl in one language: in a copy of the Web
// Languages project of Common Crawl ([Languages]) and in indexes of web archives ([Index]). Queries
// returns queries for a search engine (Baroni and Bernardini, "BootCaT: Bootstrapping Corpora and
// Terms from the Web", 2004).
//
// Unstable: this package may change in any release.
package propose

import (
	"fmt"

	"chaffinch/text/langid"

	"golang.org/x/text/language"
)

// Proposal is a candidate for a seed.
type Proposal struct {
	URL      string
	Evidence string // why it is proposed
}

// matcher matches codes and names of a language.
type matcher struct{ tag string }

func newMatcher(lang string) (matcher, error) {
	tag, err := langid.ParseTag(lang)
	return matcher{tag}, err
}

// has reports whether an ISO 639 code or a tag is of the language.
func (m matcher) has(code string) bool {
	if base, err := language.ParseBase(code); err == nil {
		code = base.String() // "swe" is "sv"
	}
	return langid.Covers(m.tag, code)
}

// count formats a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
