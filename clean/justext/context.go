package justext

import "chaffinch/page"

// cause is the way in which neighbours decided the class of a block.
type cause uint8

const (
	alone              cause = iota // neighbours ignored: good or bad without context
	betweenGood                     // good on both sides
	betweenBad                      // bad on both sides
	besideNearGood                  // good on one side, near good before bad on the other side
	nearEnough                      // good on one side within the good distance
	besideBad                       // good on one side, bad on the other
	nearGoodBesideGood              // near good, good on at least one side
	headingNearGood                 // a heading soon before good text
)

// revise converts the context-free classes of all blocks of a page to good and bad. The four
// passes are described in docs/explanation/justext.md. Each is linear in the number of blocks.
func (r *rules) revise(blocks []facts) {
	if !r.NoFirstPass {
		r.raiseHeadings(blocks, func(b *facts) bool { return b.label == page.Short }, page.NearGood)
	}
	r.decideShort(blocks)
	decideNearGood(blocks)
	r.raiseHeadings(blocks, func(b *facts) bool { return b.label == page.Bad && b.free != page.Bad }, page.Good)
}

// raiseHeadings sets the label of each heading for which which returns true, if a good block
// follows within the maximum distance.
func (r *rules) raiseHeadings(blocks []facts, which func(*facts) bool, to page.Label) {
	for i := range blocks {
		if !blocks[i].heading || !which(&blocks[i]) {
			continue
		}
		distance := 0
		for j := i + 1; j < len(blocks) && distance <= r.MaxHeadingDistance; j++ {
			if blocks[j].label == page.Good {
				blocks[i].label = to
				blocks[i].cause = headingNearGood
				break
			}
			distance += max(1, blocks[j].length) // empty blocks count too, to bound the loop
		}
	}
}

// side describes one side of a block.
type side struct {
	decided  page.Label // nearest good or bad block, bad at the edge of the page
	at       int        // index of that block
	nearGood bool       // a near good block comes before that block
}

// look returns the blocks before (step 1) or after (step -1) each block.
func look(blocks []facts, step int) []side {
	sides := make([]side, len(blocks))
	i, s := 0, side{decided: page.Bad, at: -1}
	if step < 0 {
		i, s.at = len(blocks)-1, len(blocks)
	}
	for ; 0 <= i && i < len(blocks); i += step {
		sides[i] = s
		switch blocks[i].label {
		case page.Good, page.Bad:
			s = side{decided: blocks[i].label, at: i}
		case page.NearGood:
			s.nearGood = true
		}
	}
	return sides
}

// decideShort labels the short blocks by the nearest good or bad block on each side.
func (r *rules) decideShort(blocks []facts) {
	before, after := look(blocks, 1), look(blocks, -1)
	for i := range blocks {
		b := &blocks[i]
		if b.label != page.Short {
			continue
		}
		good, bad := before[i], after[i]
		if good.decided == page.Bad {
			good, bad = bad, good
		}
		switch {
		case bad.decided == page.Good:
			b.label, b.cause = page.Good, betweenGood
		case good.decided == page.Bad:
			b.label, b.cause = page.Bad, betweenBad
		case bad.nearGood:
			b.label, b.cause = page.Good, besideNearGood
		case r.GoodDistance > 0 && abs(good.at-i) <= r.GoodDistance:
			b.label, b.cause = page.Good, nearEnough
		default:
			b.label, b.cause = page.Bad, besideBad
		}
	}
}

// decideNearGood labels the near good blocks from first to last. Earlier blocks count with
// their new class.
func decideNearGood(blocks []facts) {
	after := look(blocks, -1)
	before := page.Bad
	for i := range blocks {
		b := &blocks[i]
		if b.label == page.NearGood {
			b.label, b.cause = page.Bad, betweenBad
			if before == page.Good || after[i].decided == page.Good {
				b.label, b.cause = page.Good, nearGoodBesideGood
			}
		}
		before = b.label
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
