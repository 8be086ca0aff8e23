package justext

import "chaffinch/page"

// Figures holds the measurements of a block.
type Figures struct {
	// Chars is the number of characters of the text, Links the number of characters in
	// links.
	Chars, Links int
	// Length is the number of characters as the thresholds count them (see
	// Config.PlainLength).
	Length int
	// Words is the number of words, Stops the number of stop words.
	Words, Stops int
	// Heading reports whether the block is a heading in the heading passes.
	Heading bool
	// Sign reports whether a copyright sign or a list of choices makes the block bad.
	Sign bool
}

// Thresholds holds the settings for one page.
type Thresholds struct {
	// Config holds the thresholds. Its shares of stop words are adapted to the stop list of
	// the page: lists that cover less have lower thresholds (docs/explanation/justext.md). They are 0 if
	// the page has no list.
	Config
	// Doubt reports whether stop words are ignored if their share of the text is below
	// MinFit.
	Doubt bool
}

// Measure returns the thresholds of the page and the measurements of its blocks. The labels
// depend only on these.
func (l *Labeller) Measure(p *page.Page) (Thresholds, []Figures, error) {
	r, err := l.rulesFor(p)
	if err != nil {
		return Thresholds{}, nil, err
	}
	t := Thresholds{Config: r.Config, Doubt: r.doubt && r.list != nil}
	if r.list != nil && !r.SpaceTokens {
		t.MinFit *= r.list.fullness()
	}
	out := make([]Figures, len(p.Blocks))
	var m measurer
	for i := range p.Blocks {
		var b facts
		m.measure(&b, &p.Blocks[i], r)
		out[i] = Figures{b.chars, b.links, b.length, b.words, b.stops, b.heading, b.rule == ruleCopyright || b.rule == ruleSelect}
	}
	return t, out, nil
}
