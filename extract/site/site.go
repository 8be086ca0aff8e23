// Package site counts the blocks that repeat on the pages of a site: the pages share their
// frame, but not their text. [NewCounter] counts the pages of sites, [Table.Mark] marks the
// repeated blocks of a page.
//
// A [Counter] reads the pages cut into blocks, in any order. It takes
// fingerprints of 64 bits of the text of each block, of the elements around it, and
// of both together, and sorts them, on disk where memory does not suffice. The
// [Table] that it makes tells of a page on how many others of its site each of
// its blocks stands ([page.Repeats]).
//
// Of each site [MaxPages] pages count: those whose texts have the smallest
// fingerprints, so that neither the order of the pages nor the number of workers
// makes a difference. Pages with the same texts count as one.
package site

import (
	"net/url"
	"strings"

	"chaffinch/page"
)

// MaxPages is the number of pages of a site that count.
const MaxPages = 64

// Of returns the name of the site of a page: the host of its address, else of the
// address that it calls its own, else "".
func Of(p *page.Page) string {
	if h := Host(p.URL); h != "" {
		return h
	}
	return Host(p.Stated.Canonical)
}

// Host returns the host of an address in lower case without "www.", "" if there
// is none.
func Host(address string) string {
	if !strings.Contains(address, "//") {
		return ""
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), "www.")
}
