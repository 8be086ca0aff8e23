// Package site counts the blocks that repeat on the pages of a site. Pages of a site share
// their frame, but not their text. [NewCounter] counts the pages of sites; [Table.Mark]
// marks the repeated blocks of a page.
//
// A [Counter] reads pages split into blocks, in any order. It computes 64-bit fingerprints
// of the text of each block, of the elements around it, and of both together. It sorts them,
// on disk if memory does not suffice. The resulting [Table] reports for each block of a page
// the number of other pages of its site with the same block ([page.Repeats]).
//
// At most 64 pages of each site count: the pages whose texts have the smallest
// fingerprints. The result therefore does not depend on the order of the pages or the number
// of workers. Pages with the same texts count as one.
package site

import (
	"strings"

	"chaffinch/internal/hostname"
	"chaffinch/page"
)

// maxPages is the maximum number of pages of a site that count.
const maxPages = 64

// Of returns the name of the site of a page: the host of its address, else the host of its
// declared canonical address, else "".
func Of(p *page.Page) string {
	if h := Host(p.URL); h != "" {
		return h
	}
	return Host(p.Stated.Canonical)
}

// Host returns the host of an address in lower case without "www.", or "" if it has none.
func Host(address string) string {
	if !strings.Contains(address, "//") {
		return ""
	}
	return strings.TrimPrefix(hostname.Of(strings.TrimSpace(address)), "www.")
}
