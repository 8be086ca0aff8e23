package oddpages

import (
	"strings"

	"chaffinch/page"
)

// Cut labels the words of p as sentences, and every third of them as bad, as methods do that keep
// parts of blocks.
func Cut(p *page.Page) *page.Page {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for k := 0; k < len(b.Text); {
			end := k + len(b.Text[k:])
			if n := strings.IndexAny(b.Text[k:], " \n"); n >= 0 {
				end = k + n
			}
			if end > k {
				s := page.Sentence{Start: k, End: end, Label: page.Good}
				if len(b.Sentences)%3 == i%3 {
					s.Label = page.Bad
				}
				b.Sentences = append(b.Sentences, s)
			}
			k = end + 1
		}
	}
	return p
}
