package blocks

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// given returns the sheet of a page and a probability for each of its blocks:
// that of its text in p, else .5.
func given(t testing.TB, html string, p map[string]float32) *scratch {
	s := new(scratch)
	doc := cut(t, html)
	s.sheet.read(doc)
	for i := range doc.Blocks {
		v, ok := p[doc.Blocks[i].Text]
		if !ok {
			v = .5
		}
		s.keep = append(s.keep, v)
	}
	return s
}

func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name, html string
		wholes     int // blocks that share one value
	}{
		{"data table", `<table><tr><th>low<th>b<tr><td>c<td>high</table><p>e`, 4},
		{"table that places", `<table><tr><td><h2>low</h2><td>b<tr><td>c<td>high</table><p>e`, 0},
		{"list", `<ul><li>low<li>b<li>c<li>high</ul><p>e`, 4},
		{"list of several blocks", `<ul><li><p>low<p>b<p>c<li><p>high<p>d</ul>`, 0},
		{"list with headings", `<ul><li><h3>low</h3><li>b<li>high</ul>`, 0},
	} {
		s := given(t, c.html, map[string]float32{"low": .1, "high": .9})
		was := slices.Clone(s.keep)
		s.sheet.settle(s.keep, 1)
		shared := 0
		for i, v := range s.keep {
			if v == s.keep[0] && s.sheet.blocks[i].unit > 0 {
				shared++
			}
		}
		if shared != c.wholes {
			t.Errorf("%s: %d blocks share a value, want %d: %v", c.name, shared, c.wholes, s.keep)
		}
		if c.wholes == 0 && !slices.Equal(s.keep, was) {
			t.Errorf("%s: %v became %v", c.name, was, s.keep)
		}
	}
}

// TestSettleSeries: the first name of a thread is not lost where the others
// stay, and long blocks are no series.
func TestSettleSeries(t *testing.T) {
	thread := func(text string) *scratch {
		s := given(t, `<div class=who>Ann</div><p>`+text+`<div class=who>Bea</div><p>b<div class=who>Cid</div><p>c<div class=who>Dan</div><p>d`,
			map[string]float32{"Ann": .2, "Bea": .7, "Cid": .7, "Dan": .7})
		s.sheet.settleSeries(s.keep)
		return s
	}
	s := thread("a")
	if s.keep[0] < .4 || s.keep[2] < .4 {
		t.Errorf("names %v, want all at least .4", s.keep)
	}
	long := "one two three four five six seven eight nine ten eleven"
	s = given(t, `<p>`+long+` a<p>`+long+` b<p>`+long+` c`, map[string]float32{long + " a": .1})
	s.sheet.settleSeries(s.keep)
	if s.keep[0] != .1 {
		t.Errorf("long blocks became a series: %v", s.keep)
	}
}

func TestMendHeads(t *testing.T) {
	const html = `<div><h2>First</h2><p>one<h2>Second</h2><p>two<p>three</div>`
	for _, c := range []struct {
		name, html string
		p          map[string]float32
		kept       string
		why        string
	}{
		{"the heading comes back", html, map[string]float32{"First": .9, "one": .9, "Second": .3, "two": .7, "three": .2}, "First one Second two", whyHeading},
		{"the section goes", html, map[string]float32{"First": .9, "one": .9, "Second": .1, "two": .45, "three": .45}, "First one", whySection},
		{"no heading before", html, map[string]float32{"First": .1, "one": .9, "Second": .9, "two": .9, "three": .9}, "one Second two three", ""},
		{"nothing of it is kept", html, map[string]float32{"First": .9, "one": .9, "Second": .1, "two": .1, "three": .1}, "First one", ""},
		{"under one of a higher level", `<div><h1>First</h1><p>one<h2>Second</h2><p>two<p>three</div>`,
			map[string]float32{"First": .9, "one": .9, "Second": .1, "two": .45, "three": .45}, "First one two three", ""},
		{"of another box", `<h2>First</h2><p>one<div><h2>Second</h2><p>more</div><p>two`,
			map[string]float32{"First": .9, "one": .9, "Second": .1, "more": .1, "two": .45}, "First one two", ""},
		{"in a box with a date", `<h2>First</h2><p>one<header><h2>Second</h2><p>May</header><div><p>two</div>`,
			map[string]float32{"First": .9, "one": .9, "Second": .3, "May": .1, "two": .7}, "First one Second two", whyHeading},
		{"in a box, not sure", `<h2>First</h2><p>one<header><h2>Second</h2><p>May</header><div><p>two</div>`,
			map[string]float32{"First": .9, "one": .9, "Second": .3, "May": .1, "two": .45}, "First one two", ""},
		{"in a box of chaff", `<h2>First</h2><p>one<div><h2>Share</h2><p>Mail</div><p>two`,
			map[string]float32{"First": .9, "one": .9, "Share": .1, "Mail": .1, "two": .9}, "First one two", ""},
		{"hidden", `<div><h2>First</h2><p>one<h2 hidden>Second</h2><p>two<p>three</div>`,
			map[string]float32{"First": .9, "one": .9, "Second": .1, "two": .7, "three": .7}, "First one two three", ""},
	} {
		s := given(t, c.html, c.p)
		doc := cut(t, c.html)
		for _, p := range s.keep {
			s.kept = append(s.kept, p >= .4)
		}
		s.causes = make([]cause, len(s.keep))
		r := must.Get(newRule(Default))(t)
		r.mendHeads(s)
		kept, whys := "", []string{}
		for i := range doc.Blocks {
			if s.kept[i] {
				kept += " " + doc.Blocks[i].Text
			}
			if s.causes[i] != byItself {
				whys = append(whys, r.reason(s.keep[i], s.kept[i], s.causes[i]))
			}
		}
		if kept != " "+c.kept {
			t.Errorf("%s: kept%s, want %s", c.name, kept, c.kept)
		}
		if c.why == "" && len(whys) > 0 || c.why != "" && !slices.Contains(whys, c.why) {
			t.Errorf("%s: reasons %q, want %q", c.name, whys, c.why)
		}
	}
}

// TestDropBareHeads: a heading without kept text under it is dropped, except the title of the
// page and a heading with nothing under it.
func TestDropBareHeads(t *testing.T) {
	const text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one"
	for _, c := range []struct{ name, html, dropped, kept string }{
		{"its section is dropped", `<div><h2>First</h2><p>one<h2>Second</h2><p>two</div>`, "two", "First one"},
		{"up to the next of its level", `<div><h2>First</h2><p>one<h3>Second</h3><p>two</div>`, "one", "First Second two"},
		{"with sections of a lower level", `<div><h2>First</h2><p>one<h3>Second</h3><p>two</div>`, "one two", ""},
		{"nothing stands under it", `<div><h2>First</h2><h2>Second</h2><p>two</div>`, "", "First Second two"},
		{"of another box", `<div><p>` + text + `<h2>First</h2></div><p>two`, "two", text + " First"},
		{"in a box with a date", `<div><header><h2>First</h2><p>May</header><p>two</div>`, "May", "First two"},
		{"hidden", `<div><h2>First</h2><p hidden>one</div>`, "one", "First"},
		{"the name of the page", `<div><h1>Name</h1><p>one</div>`, "one", "Name"},
		{"what might be text", `<div><h2>First</h2><p>perhaps</div>`, "perhaps", "First"},
	} {
		doc := cut(t, c.html)
		s := given(t, c.html, nil)
		s.roles = make([]float32, len(doc.Blocks)*Roles)
		for i, b := range doc.Blocks {
			s.kept = append(s.kept, !slices.Contains(strings.Fields(c.dropped), b.Text))
			if b.Text != "perhaps" {
				s.keep[i] = 0
			}
			role := page.RoleHeading
			if b.Text == "Name" {
				role = page.RoleTitle
			}
			s.roles[i*Roles+int(role)-1] = 1
		}
		s.causes = make([]cause, len(doc.Blocks))
		rule{least: .25}.dropBareHeads(s)
		kept := ""
		for i, b := range doc.Blocks {
			if s.kept[i] {
				kept += " " + b.Text
			}
			if s.causes[i] == asBare && (s.kept[i] || b.Kind != page.Heading) {
				t.Errorf("%s: %q is called bare", c.name, b.Text)
			}
		}
		if strings.TrimSpace(kept) != c.kept {
			t.Errorf("%s: kept%s, want %s", c.name, kept, c.kept)
		}
	}
}

// TestMendedAreNotByScore: decisions for the sake of other blocks do not move the threshold.
func TestMendedAreNotByScore(t *testing.T) {
	l := &Labeller{rule: rule{sure: .6, least: .25}}
	v := page.Verdict{By: name, Label: page.Good, Score: .1, Reason: whyHeading}
	if l.ByScore(nil, 0, &v) {
		t.Error("a heading that came back is decided by its score")
	}
	if got := l.Threshold([]page.Verdict{v}).Value; got < .59 {
		t.Errorf("threshold %v, want that of the rule", got)
	}
}
