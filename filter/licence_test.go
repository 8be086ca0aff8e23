package filter

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestLicence(t *testing.T) {
	cfg := Default
	cfg.Use = []string{"licence"}
	set := must.Get(New(cfg))(t)
	terms := Default
	must.Succeed(t, terms.AddLicence([]string{"commercial"}))
	if free, err := New(terms); err != nil {
		t.Error(err)
	} else if d, drop := free.Decide("", []float64{1, 0, 1}); !drop || d.String() != "licence.commercial 0 < 1" {
		t.Errorf("a licence without commercial use: %v %v", d, drop)
	}
	must.Fail(t, terms.AddLicence([]string{"comercial"}), "did you mean commercial?")
	s := set.Scorer()
	for stated, want := range map[string][3]float64{
		"CC BY-SA 4.0": {1, 1, 1}, "CC BY-NC-ND 2.0 DE": {1, 0, 0}, "cc-by-nd-4.0": {1, 1, 0}, "CC0 1.0": {1, 1, 1}, "CC PDM 1.0": {1, 1, 1}, "Public Domain Mark": {1, 1, 1},
		"https://creativecommons.org/licenses/by-nc/4.0/": {1, 0, 1}, "http://creativecommons.org/publicdomain/zero/1.0/": {1, 1, 1},
		"https://creativecommons.org/licenses/nc-sa/1.0/": {1, 0, 1}, "CC ND-NC 1.0": {1, 0, 0}, "cc-sa-1.0": {1, 1, 1},
		"": {}, "© 2024 Harbour News": {}, "MIT": {}, "cc all of us": {}, "https://creativecommons.org/about": {},
	} {
		got := s.Score(Text{License: stated}).Scores
		if [3]float64(got) != want {
			t.Errorf("%q: %v, want %v", stated, got, want)
		}
		if _, drop := set.Decide("", got); drop != (want[0] == 0) {
			t.Errorf("%q: drop %v", stated, drop)
		}
	}
}
