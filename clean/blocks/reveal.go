package blocks

// Limits of a run of hidden blocks that belongs to the content: text that is hidden only until a
// script runs or a reader subscribes.
const (
	revealedShare = .5 // minimum ratio of its words to the words of the visible text
	revealedWords = 60 // minimum words in good blocks
	revealedSure  = .7 // minimum mean probability
)

// reveal sets s.revealed for hidden blocks that are a large part of the content: the rest of an
// article for subscribers, a description under a button. They are consecutive, apart from
// dropped blocks. A copy of visible text is not revealed.
func (s *scratch) reveal() {
	sh := &s.sheet
	s.revealed = grow(s.revealed, sh.n)
	clear(s.revealed)
	visible := 0.
	s.latest = grow(s.latest, len(sh.copies.list))
	clear(s.latest)
	hidden := false
	for i, kept := range s.kept {
		b := &sh.blocks[i]
		hidden = hidden || kept && b.hidden
		if kept && !b.hidden {
			s.latest[b.copy] = 1
			if b.good {
				visible += float64(b.words)
			}
		}
	}
	for from := 0; hidden && from < sh.n; {
		to, words, sure := from, 0., 0.
		for ; to < sh.n && !(s.kept[to] && !sh.blocks[to].hidden); to++ {
			if b := &sh.blocks[to]; s.kept[to] && b.good && s.latest[b.copy] == 0 {
				words += float64(b.words)
				sure += float64(float64(b.words) * float64(s.keep[to]))
			}
		}
		if words >= revealedWords && words >= revealedShare*visible && sure >= revealedSure*words {
			for i := from; i < to; i++ {
				s.revealed[i] = s.kept[i] && s.latest[sh.blocks[i].copy] == 0
			}
		}
		from = to + 1
	}
}
