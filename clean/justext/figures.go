package justext

import "chaffinch/page"

// Figures is what the method measures of a block before it decides.
type Figures struct {
	// Chars counts the characters of the text, Links those in links.
	Chars, Links int
	// Length is Chars as the thresholds count it (see Config.PlainLength).
	Length int
	// Words counts the words, Stops those that the stop list has.
	Words, Stops int
	// Heading tells that the passes over the headings look at the block.
	Heading bool
	// Sign tells that a copyright sign or a list of choices makes the block
	// bad.
	Sign bool
}

// Thresholds are the settings that hold on one page.
type Thresholds struct {
	// Config has the shares of stop words that are wanted of the stop list of
	// the page (docs/justext.md: lists that cover less want less), 0 where the
	// page has no list.
	Config
	// Doubt tells that stop words do not count if the text of the page has
	// less than MinFit of them.
	Doubt bool
}

// Measure returns what the labels of p follow from: the thresholds of the page,
// and the figures of its blocks. Label does the rest without looking at the
// text.
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
