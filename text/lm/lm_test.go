package lm

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// small is a trigram model written by hand.
const small = `
\data\
ngram 1=5
ngram 2=4
ngram 3=2

\1-grams:
-2	<unk>
-99	<s>	-0.5
-1	</s>
-0.7	a	-0.3
-0.9	b	-0.2

\2-grams:
-0.4	<s> a	-0.1
-0.6	a b	-0.15
-0.8	b a
-0.3	b </s>

\3-grams:
-0.2	<s> a b
-0.1	a b </s>

\end\
`

func parse(t testing.TB, arpa string) *Model {
	t.Helper()
	return must.Get(ReadARPA("test", strings.NewReader(arpa), Words))(t)
}

func TestSentence(t *testing.T) {
	m := parse(t, small)
	for _, c := range []struct {
		text        string
		logProb     float64
		tokens, oov int
	}{
		{"", -0.5 - 1, 1, 0},                                    // backs off from <s>
		{"A b", -0.4 - 0.2 - 0.1, 3, 0},                         // all trigrams
		{"b a", (-0.5 - 0.9) + -0.8 + (-0.3 - 1), 3, 0},         // "b a" is no context of length 2
		{"a b b", -0.4 - 0.2 + (-0.15 - 0.2 - 0.9) - 0.3, 4, 0}, // two back-offs
		{"a x", -0.4 + (-0.1 - 0.3 - 2) - 1, 3, 1},              // unknown word
	} {
		s := m.Sentence(c.text)
		if math.Abs(s.LogProb-c.logProb) > 1e-6 || s.Tokens != c.tokens || s.OOV != c.oov {
			t.Errorf("%q: %+v, want %+v", c.text, s, c)
		}
		want := math.Exp2(-c.logProb / math.Log10(2) / float64(c.tokens))
		if got := s.Perplexity(); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("%q: perplexity %g, want %g", c.text, got, want)
		}
	}
}

func TestARPARoundTrip(t *testing.T) {
	m := parse(t, small)
	var one, two bytes.Buffer
	must.Succeed(t, m.WriteARPA(&one))
	must.Succeed(t, parse(t, one.String()).WriteARPA(&two))
	if one.String() != two.String() {
		t.Errorf("first\n%s\nthen\n%s", one.String(), two.String())
	}
	if want := "-0.6\ta b\t-0.15\n"; !strings.Contains(one.String(), want) {
		t.Errorf("no line %q in\n%s", want, one.String())
	}
}

func TestScoringAllocatesNothing(t *testing.T) {
	m := parse(t, small)
	text := strings.Repeat("a b x 日本, ", 100)
	if n := testing.AllocsPerRun(10, func() { m.Sentence(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
