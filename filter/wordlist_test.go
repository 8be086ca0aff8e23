package filter

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func listSet(t *testing.T, list string) (*Set, error) {
	t.Helper()
	name := must.File(t, "bad.txt", list)
	cfg := Default
	cfg.Use, cfg.WordList.Files = []string{"wordlist"}, []string{name}
	return New(cfg)
}

func TestWordList(t *testing.T) {
	set := must.Get(listSet(t, "\ufeff# bad words\nCasino\n\nfree spins\nfree\nстрах\nÉtat-major\r\n"))(t)
	s := set.Scorer()
	for text, want := range map[string][3]float64{
		"":                                    {0, 0, -1},
		"The ferry goes at nine.":             {0, 0, 0},
		"A casino, the CASINO: casinos.":      {2, 1, 2. / 5},
		"Free spins! Freedom is free.\nSpins": {2, 1, 4. / 6},
		"Страх и état major":                  {2, 2, 3. / 4},
	} {
		got := s.Score(Text{Whole: text, Paras: parasOf(text)}).Scores
		if got[0] != want[0] || got[1] != want[1] || got[2] != want[2] && want[2] >= 0 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	_, d, drop := s.Judge(Text{Whole: "free spins in a casino"})
	if d.Explanation = s.Explain(d); !drop || d.String() != `wordlist.share 0.6 > 0.045 ("casino", "free spins")` {
		t.Errorf("%v %v", drop, d)
	}
	for list, want := range map[string]string{
		"# none\n":                           "no words in ",
		"good\n!!!\n":                        "bad.txt: line 2: \"!!!\" has no letter or digit",
		"a\n\xff\xfe b":                      "bad.txt: line 2: not UTF-8",
		strings.Repeat("word ", maxPhrase+1): "bad.txt: line 1: 17 words, wanted a phrase of at most 16",
	} {
		must.Fail(t, must.Err(listSet(t, list)), want)
	}
	cfg := Default
	cfg.Use = []string{"wordlist"}
	must.Fail(t, must.Err(New(cfg)), "no list")
}
