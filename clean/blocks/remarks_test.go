package blocks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// scored returns a page whose blocks have probabilities of two roles; the rest is navigation.
func scored(t *testing.T, html string, of func(block int) (body, comment float32)) *scratch {
	s := &scratch{sheet: *sheetOf(t, html)}
	s.roles = make([]float32, s.sheet.n*Roles)
	for i := range s.sheet.n {
		p := s.rolesOf(i)
		p[page.RoleBody-1], p[page.RoleComment-1] = of(i)
		p[page.RoleNavigation-1] = 1 - p[page.RoleBody-1] - p[page.RoleComment-1]
	}
	return s
}

// TestRecordsAreAllComments takes five records of one kind, of which one looks like
// the others' opposite.
func TestRecordsAreAllComments(t *testing.T) {
	html := cards(5, ` class="c"`, false)
	odd := at(t, html, "text 2")
	for _, c := range []struct {
		name                         string
		body, comment, other, remark float32 // of the blocks, and of the one that differs
		want                         page.Role
	}{
		{"comments", .05, .9, .5, .4, page.RoleComment},
		{"sections", .9, .05, .4, .5, page.RoleBody},
	} {
		s := scored(t, html, func(i int) (float32, float32) {
			if i == odd {
				return c.other, c.remark
			}
			return c.body, c.comment
		})
		s.settleRemarks()
		for i := range s.sheet.n {
			if got := s.role(i, all); got != c.want {
				t.Errorf("%s: block %d is %v, wanted %v", c.name, i, got, c.want)
			}
			sum := 0.
			for _, p := range s.rolesOf(i) {
				sum += float64(p)
			}
			if math.Abs(sum-1) > 1e-4 {
				t.Errorf("%s: block %d: probabilities sum up to %v", c.name, i, sum)
			}
		}
	}
	// Blocks outside records keep their roles.
	s := scored(t, "<p>one<p>two", func(int) (float32, float32) { return .5, .4 })
	before := slices.Clone(s.roles)
	if s.settleRemarks(); !slices.Equal(s.roles, before) {
		t.Errorf("without records: %v, wanted %v", s.roles, before)
	}
}

// TestPagesWithoutRunningText holds that only pages with some running text, by the
// probabilities of their long blocks, are kept from being empty.
func TestPagesWithoutRunningText(t *testing.T) {
	html := "<p>" + strings.Repeat("word ", 100) // in one block
	for _, c := range []struct {
		body float32
		want bool
	}{{.2, true}, {.05, false}} {
		s := scored(t, html, func(int) (float32, float32) { return c.body, 0 })
		l := must.Get(New(Config{Keep: Article}))(t)
		l.choose(s, l.want, l.policy)
		if got := slices.Contains(s.kept, true); got != c.want {
			t.Errorf("a block of 100 words that is a body with probability %v: kept %v, wanted %v", c.body, got, c.want)
		}
	}
}
