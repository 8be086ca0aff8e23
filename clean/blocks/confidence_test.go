package blocks

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestClues wants the sums over the parts to equal the result for the whole page.
func TestClues(t *testing.T) {
	p := cut(t, strings.Repeat("<p>One two three four five six.</p><p>Seven</p>", 4))
	s := new(scratch)
	s.sheet.read(p)
	s.sheet.fill(colPolicy, 1)
	for c := colPageArticle; c < colAttr; c++ {
		s.sheet.fill(c, .5)
	}
	s.roles = make([]float32, s.sheet.n*Roles)
	s.keep, s.kept = make([]float32, s.sheet.n), make([]bool, s.sheet.n)
	s.causes = make([]cause, s.sheet.n)
	for i := range s.keep {
		s.keep[i] = .75
		s.kept[i] = i%2 == 0
	}
	var a account
	a.add(s)
	c := a.clues(generals[Main] | page.RolesOf(page.RoleTitle))
	for _, w := range []struct {
		clue clue
		want float64
	}{
		{clueF, 2 * 18. / (24 + 21 + 1)}, {cluePrecision, 18. / 25}, {clueRecall, 18. / 22}, {clueRegions, 4}, {clueGaps, 3. / 25},
		{clueRegion, 6. / 25}, {clueUnsure, 28. / 25}, {clueMissed, 4. / 25}, {clueWeak, 0}, {cluePolicy, mainContent}, {clueTitle, 1}, {clueByline, 0}, {cluePage, .5},
	} {
		if got := float64(c[w.clue]); got < w.want-1e-6 || got > w.want+1e-6 {
			t.Errorf("clue %s: %v, want %v", clueNames[w.clue], got, w.want)
		}
	}
	for k, name := range clueNames {
		if name == "" {
			t.Errorf("clue %d has no name", k)
		}
	}
}

// TestBrokenConfidence reads damaged sections.
func TestBrokenConfidence(t *testing.T) {
	good := must.Get(trained(t).confidence.append(nil))(t)
	must.Succeed(t, must.Err(readConfidence(good)))
	other := bytes.Clone(good)
	other[2] ^= 1
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "wanted the cuts of"}, {good[:1], "ends in clue 0"}, {other, "this version computes"},
		{good[:20], "clue"}, {good[:len(good)-1], ""},
	} {
		must.Fail(t, must.Err(readConfidence(c.b)), c.want)
	}
	if c, err := readConfidence([]byte{byte(clues) - 2, 0}); c != nil || err != nil {
		t.Errorf("confidence of an earlier version: %v, %v, wanted none", c, err)
	}
	for n := range good {
		if _, err := readConfidence(good[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(good))
		}
	}
}
