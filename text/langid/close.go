package langid

import (
	"slices"
	"sync"

	"chaffinch/model/data"
	"chaffinch/text/langid/close"
)

// closeGroups decodes the embedded groups once. There are none without their model.
var closeGroups = sync.OnceValues(func() ([]*close.Group, error) {
	if data.Close == nil {
		return nil, nil
	}
	return close.Parse("embedded close", data.Close)
})

// closeBytes is the number of bytes of a text that the second stage reads.
const closeBytes = 4 << 10

// surely is the probability of a language at which the second stage is skipped, if the first stage
// can name all members of the group.
const surely = 0.9999

// second is a group of close languages in a detector.
type second struct {
	g       *close.Group
	classes []int // by member: its class in the first stage, -1 for none
	allowed uint  // a bit for each member that the detector can return
	all     bool  // every allowed member has a class, and every member with a class is allowed
}

// addGroups adds the groups of the second stage. The members of a group are languages of the model
// or, if at least one member is, languages that only the second stage can name.
func (d *Detector) addGroups(groups []*close.Group) {
	d.groups = groups
	d.groupOf = make([]int16, len(d.m.Classes))
	d.varietyOf = make([]int16, len(d.m.Classes))
	for _, g := range groups {
		s := second{g: g, all: true}
		known := g.Variety != ""
		for m, tag := range g.Members {
			c := d.class(tag)
			s.classes = append(s.classes, c)
			known = known || c >= 0
			if d.wanted(tag) || g.Variety != "" && d.wanted(g.Variety) {
				s.allowed |= 1 << m
			}
			s.all = s.all && (c >= 0) == (s.allowed>>m&1 != 0)
		}
		if !known || s.allowed == 0 || g.Variety != "" && (!d.cfg.Varieties || d.class(g.Variety) < 0) {
			continue
		}
		d.seconds = append(d.seconds, s)
		n := int16(len(d.seconds))
		if g.Variety != "" {
			d.varietyOf[d.class(g.Variety)] = n
			d.allow(d.class(g.Variety))
			d.langs = append(d.langs, g.Members...)
			continue
		}
		for m, c := range s.classes {
			switch {
			case c >= 0:
				d.groupOf[c] = n
				d.allow(c)
			case s.allowed>>m&1 != 0:
				d.langs = append(d.langs, g.Members[m])
			}
		}
	}
}

// allow makes a class a candidate of the first stage, also if only other members of its group are
// wanted.
func (d *Detector) allow(c int) {
	list := &d.byScript[d.m.Classes[c].Script]
	if !slices.Contains(*list, uint16(c)) {
		*list = append(*list, uint16(c))
	}
}

// class returns the class of a language in the first stage, or -1.
func (d *Detector) class(tag string) int {
	for i, c := range d.m.Classes {
		if c.Lang == tag {
			return i
		}
	}
	return -1
}

// secondOf returns the group of close languages that includes a language, nil for none.
func (d *Detector) secondOf(lang string) *second {
	for i := range d.seconds {
		if s := &d.seconds[i]; s.g.Variety == "" && slices.Contains(s.g.Members, lang) {
			return s
		}
	}
	return nil
}

// Similar reports whether two languages are in one group of close languages.
func (d *Detector) Similar(a, b string) bool {
	s := d.secondOf(a)
	return s != nil && slices.Contains(s.g.Members, b)
}

// wanted reports whether the detector may return a language.
func (d *Detector) wanted(tag string) bool {
	return len(d.cfg.Langs) == 0 || slices.Contains(d.cfg.Langs, tag)
}

// decide runs the second stage for the group of the best language. It redistributes the probability
// of the group among its members: in b.p for members with a class, and in b.members for all.
func (d *Detector) decide(text string, classes []uint16, b *scratch) {
	p := &b.p
	first := p.Best(classes)
	b.group = nil
	if first < 0 || d.cfg.OneStage || d.groupOf[first] == 0 {
		return
	}
	s := &d.seconds[d.groupOf[first]-1]
	if s.all && p[first] > surely {
		return
	}
	b.group = s
	b.mass = 0
	for _, c := range s.classes {
		if c >= 0 && p[c] > 0 && slices.Contains(classes, uint16(c)) {
			b.mass += p[c]
		}
	}
	s.read(text, b)
	b.shares = b.members
	for m, c := range s.classes {
		if c >= 0 {
			p[c] = b.mass * b.members[m]
		}
	}
}

// read sets b.members to the probabilities of the members within the group.
func (s *second) read(text string, b *scratch) {
	b.scores = close.Scores{}
	s.g.Read(text[:min(len(text), closeBytes)], &b.scores)
	s.g.Probabilities(&b.scores, s.allowed, &b.members)
}

// other returns the most probable member that the first stage does not know, or -1.
func (s *second) other(b *scratch) int {
	best := -1
	for m, c := range s.classes {
		if c < 0 && s.allowed>>m&1 != 0 && b.members[m] >= 0 && (best < 0 || b.members[m] > b.members[best]) {
			best = m
		}
	}
	return best
}

// settle replaces a guess of a member by the part of its group, such as "sh", if the text does not
// show the member, and by a variety if it does.
func (d *Detector) settle(g Guess, text string, b *scratch) Guess {
	if s := b.group; s != nil && d.cfg.MinClose > 0 {
		if i := slices.Index(s.g.Members, g.Lang); i >= 0 {
			for _, part := range s.g.Parts {
				if !slices.Contains(part.Of, g.Lang) || !d.wanted(part.Tag) {
					continue
				}
				sum := 0.0
				for m, tag := range s.g.Members {
					if slices.Contains(part.Of, tag) {
						sum += max(b.shares[m], 0)
					}
				}
				if sum > 0 && b.shares[i]/sum < d.cfg.MinClose {
					return Guess{part.Tag, min(1, g.Confidence*sum/b.shares[i])}
				}
			}
		}
	}
	if !d.cfg.Varieties {
		return g
	}
	if c := d.class(g.Lang); c >= 0 && d.varietyOf[c] > 0 {
		s := &d.seconds[d.varietyOf[c]-1]
		s.read(text, b)
		best := 0
		for m := range s.g.Members {
			if b.members[m] > b.members[best] {
				best = m
			}
		}
		if b.members[best] >= d.cfg.MinClose {
			return Guess{s.g.Members[best], g.Confidence * b.members[best]}
		}
	}
	return g
}

// hasVariety reports whether the second stage can name a variety, such as "pt-BR".
func (d *Detector) hasVariety(tag string) bool {
	return slices.ContainsFunc(d.groups, func(g *close.Group) bool { return g.Variety != "" && slices.Contains(g.Members, tag) })
}
