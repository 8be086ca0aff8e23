package justext

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
	"chaffinch/page"
)

// pageOf makes blocks of a notation with one letter per block: G good, N near
// good, S short, B bad, H a short heading, I a near good heading; a digit is
// added to the length of the block before it in hundreds of characters.
func pageOf(s string) []facts {
	var out []facts
	for _, c := range s {
		b := facts{length: 40}
		switch c {
		case 'G':
			b.free, b.length = page.Good, 300
		case 'N', 'I':
			b.free, b.length = page.NearGood, 100
		case 'S', 'H':
			b.free = page.Short
		case 'B':
			b.free = page.Bad
		default:
			out[len(out)-1].length += int(c-'0') * 100
			continue
		}
		b.heading = c == 'H' || c == 'I'
		b.label = b.free
		out = append(out, b)
	}
	return out
}

func labels(blocks []facts) string {
	var s strings.Builder
	for i := range blocks {
		s.WriteByte("?gnsb"[blocks[i].label])
	}
	return s.String()
}

// TestPasses has examples worked out by hand.
func TestPasses(t *testing.T) {
	for _, c := range []struct {
		name, page, want string
		set              func(*Config)
	}{
		// pass 2: short blocks
		{"good on both sides", "GSSG", "gggg", nil},
		{"bad on both sides", "BSSB", "bbbb", nil},
		{"the edge of the page is bad", "S", "b", nil},
		{"edge and good", "SG", "bg", nil},
		{"good and bad", "GSB", "gbb", nil},
		{"near good stands before the bad", "GSNB", "gggb", nil},
		{"near good on the side of the good does not help", "BSNG", "bbgg", nil},
		{"near good before the edge", "GSN", "ggg", nil},
		{"short and near good are looked over", "GSNSG", "ggggg", nil},
		{"all short blocks are decided at once", "GSSB", "gbbb", nil},
		// pass 3: near good blocks
		{"near good alone", "N", "b", nil},
		{"near good beside good", "GN", "gg", nil},
		{"near good before good", "NG", "gg", nil},
		{"near good between bad", "BNB", "bbb", nil},
		{"one near good after the other", "GNNNB", "ggggb", nil},
		{"near good do not help each other", "BNNB", "bbbb", nil},
		{"and not from behind", "BNNG", "bggg", nil},
		// pass 1: headings before good text
		{"heading, short, good", "HSG", "ggg", nil},
		{"a heading is near good for its neighbours", "GSHSG", "ggggg", nil},
		{"heading too far from good", "HS2G", "bbg", nil},
		{"heading at the last distance", "HS1G", "ggg", nil},
		{"heading before bad text", "HB", "bb", nil},
		{"heading over bad text, raised at the end", "HBG", "gbg", nil},
		{"heading over long bad text", "HB2G", "bbg", nil},
		{"without the first pass", "HSG", "gbg", func(c *Config) { c.NoFirstPass = true }},
		{"no heading distance", "HSG", "bbg", func(c *Config) { c.MaxHeadingDistance = 0 }},
		// pass 4: headings that became bad
		{"short heading after bad", "BHBG", "bgbg", nil},
		{"near good heading after bad", "BIBG", "bgbg", nil},
		{"heading that was bad stays", "BBG", "bbg", nil},
		// good distance
		{"within the good distance", "GSSB", "gggb", func(c *Config) { c.GoodDistance = 2 }},
		{"outside of it", "GSSB", "ggbb", func(c *Config) { c.GoodDistance = 1 }},
		{"not over bad blocks", "GBSB", "gbbb", func(c *Config) { c.GoodDistance = 5 }},
		{"empty page", "", "", nil},
	} {
		cfg := Default
		if c.set != nil {
			c.set(&cfg)
		}
		r := &rules{Config: cfg}
		blocks := pageOf(c.page)
		r.revise(blocks)
		if got := labels(blocks); got != c.want {
			t.Errorf("%s: %s becomes %s, want %s", c.name, c.page, got, c.want)
		}
	}
}

// plainRevise is the algorithm as one would say it, with a search for every
// block.
func plainRevise(c Config, blocks []facts) {
	n := len(blocks)
	at := func(i int) page.Label {
		if i < 0 || i >= n {
			return page.Bad
		}
		return blocks[i].label
	}
	nearest := func(i, step int, over ...page.Label) (page.Label, int) {
	search:
		for {
			i += step
			for _, l := range over {
				if at(i) == l {
					continue search
				}
			}
			return at(i), i
		}
	}
	goodFollows := func(i int) bool {
		for j, d := i+1, 0; j < n && d <= c.MaxHeadingDistance; j++ {
			if at(j) == page.Good {
				return true
			}
			d += blocks[j].length
		}
		return false
	}
	for i := range blocks {
		if b := &blocks[i]; !c.NoFirstPass && b.heading && b.label == page.Short && goodFollows(i) {
			b.label = page.NearGood
		}
	}
	decided := map[int]page.Label{}
	for i := range blocks {
		if at(i) != page.Short {
			continue
		}
		decided[i] = page.Bad
		prev, prevAt := nearest(i, -1, page.Short, page.NearGood)
		next, nextAt := nearest(i, 1, page.Short, page.NearGood)
		beforePrev, _ := nearest(i, -1, page.Short)
		beforeNext, _ := nearest(i, 1, page.Short)
		goods := 0
		distance := n + 1
		if prev == page.Good {
			goods++
			distance = i - prevAt
		}
		if next == page.Good {
			goods++
			distance = min(distance, nextAt-i)
		}
		if goods == 2 || goods == 1 && (prev == page.Bad && beforePrev == page.NearGood ||
			next == page.Bad && beforeNext == page.NearGood || distance <= c.GoodDistance) {
			decided[i] = page.Good
		}
	}
	for i, l := range decided {
		blocks[i].label = l
	}
	for i := range blocks {
		if at(i) != page.NearGood {
			continue
		}
		prev, _ := nearest(i, -1, page.Short, page.NearGood)
		next, _ := nearest(i, 1, page.Short, page.NearGood)
		blocks[i].label = page.Good
		if prev == page.Bad && next == page.Bad {
			blocks[i].label = page.Bad
		}
	}
	for i := range blocks {
		if b := &blocks[i]; b.heading && b.label == page.Bad && b.free != page.Bad && goodFollows(i) {
			b.label = page.Good
		}
	}
}

// TestPassesAgainstPlain compares the passes with the plain version.
func TestPassesAgainstPlain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`([GNSBHI][0-3]?){0,30}`).Draw(t, "page")
		cfg := Default
		cfg.NoFirstPass = rapid.Bool().Draw(t, "no first pass")
		cfg.GoodDistance = rapid.IntRange(0, 5).Draw(t, "good distance")
		got, want := pageOf(s), pageOf(s)
		(&rules{Config: cfg}).revise(got)
		plainRevise(cfg, want)
		if labels(got) != labels(want) {
			t.Fatalf("%s becomes %s, plainly %s", s, labels(got), labels(want))
		}
	})
}

// TestWhyNamesNeighbours checks the second half of the reasons.
func TestWhyNamesNeighbours(t *testing.T) {
	cfg := Default
	cfg.Stoplist = theList
	good, short, near := page.Block{Text: text(300, .5)}, page.Block{Text: "By Ann"}, page.Block{Text: text(100, .5)}
	v := label(t, cfg, good, short, good, near, page.Block{Text: "Title", Kind: page.Heading}, short, good, short,
		page.Block{Text: text(100, 0)}, page.Block{Text: "Title", Kind: page.Heading}, page.Block{Text: text(100, 0)}, good)
	for i, want := range []string{
		"", "between good and good", "", "beside a good block", "beside a good block", "between good and good", "", "between good and bad",
		"", "heading soon before good text", "", "",
	} {
		_, got, _ := strings.Cut(v[i].Reason, "; ")
		if got != want {
			t.Errorf("block %d: %q, want %q", i, v[i].Reason, want)
		}
	}
}
