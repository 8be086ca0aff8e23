package blocks

// Limits of text that is hidden only until a script runs or a reader subscribes.
const (
	revealedShare = .5 // minimum ratio of its words to the words of the visible text
	revealedWords = 60 // minimum words in good blocks
	revealedSure  = .7 // minimum mean probability
)

// reveals reports whether hidden text of the page is a large part of its content: the rest of an
// article for subscribers, a description under a button.
func (s *scratch) reveals() bool {
	sh := &s.sheet
	var hidden, visible, sure float64
	s.latest = grow(s.latest, len(sh.copies.list))
	clear(s.latest)
	for i, kept := range s.kept {
		if b := &sh.blocks[i]; kept && !b.hidden {
			s.latest[b.copy] = 1
		}
	}
	for i, kept := range s.kept {
		b := &sh.blocks[i]
		switch {
		case !kept || !b.good:
		case !b.hidden:
			visible += float64(b.words)
		case s.latest[b.copy] == 0:
			hidden += float64(b.words)
			sure += float64(float64(b.words) * float64(s.keep[i]))
		}
	}
	return hidden >= revealedWords && hidden >= revealedShare*visible && sure >= revealedSure*hidden
}
