package token_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"chaffinch/text/token"
)

// sentenceCases hold one text each, its sentences separated by "|".
var sentenceCases = []string{
	"",
	"One sentence",
	"First one.| Second one!| Third?",
	"Vive en EE. UU. Juan vio a CC. OO. ayer.| AA. VV. Madrid.| Lee EE. UU.| La ley.| Sala BB.| Piso CC.",
	"Dr. Brown met Mr. and Mrs. Pine at St. James.| They talked.",
	"It costs 5.50 at J. R. Miller Inc. in town.| Buy it.",
	"He moved to the U.S. in May.| She stayed.",
	"He moved to the U.S.| The flat was sold.",
	"The U.S. Senate met at 9 a.m. Monday.| It rained.",
	"See No. 5 and Fig. 3, p. 12.| No.| Never.",
	"We like this one, e.g. Monday.| Then we go.",
	"1. Open the box.| 2. Take it out.",
	"Wait...| What?",
	"\"Stop!\"| she said.",
	"He asked (again.)| Nobody came.",
	"Das ist z.B. Herrn Dr. Krause bekannt.| Er kam am 3. Oktober an.",
	"M. Dupont est venu.| Mme. Petit aussi.",
	"El Sr. Pardo llegó.| ¿Qué quiere?| Nada.",
	"Он жил на ул. Лесная.| Потом уехал.",
	"今日は晴れです。|明日は雨でしょう。",
	"ឆ្មានៅទីនេះ។|ឆ្កែនៅទីនោះ៕",
	"line one\n|line two",
	"No end here Mr.\n|New line",
	"  white space  around.|  \t ",
	"Plan B.| The third way.",
	"It is 40 °C today.| Not bad.",
}

func TestSentences(t *testing.T) {
	for _, c := range sentenceCases {
		var want []string
		for s := range strings.SplitSeq(c, "|") {
			if s = strings.TrimSpace(s); s != "" {
				want = append(want, s)
			}
		}
		text := strings.ReplaceAll(c, "|", "")
		var got []string
		for _, s := range token.Sentences(text, nil) {
			got = append(got, text[s.Start:s.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"Don't stop, at 3.5% (now)!":   "Don't stop at 3.5 now",
		"e-mail: a_b@example.org":      "e mail a_b example.org",
		"naïve café – Ünlü":            "naïve café Ünlü",
		"日本 语":                         "日 本 语",
		"привет, мир":                  "привет мир",
		"😀 fun © 2020 …":               "fun 2020",
		"‘quoted’ “words” it’s":        "quoted words it’s",
		"tab\tand\nline\u00a0no-break": "tab and line no break",
		"a._b it's. 3,5; x:y 4'":       "a it's 3,5 x:y 4",
		"e\u0301a. \u0301b c.\u0301d":  "e\u0301a b c.\u0301d",
	} {
		var got []string
		for _, s := range token.Words(text, nil) {
			got = append(got, text[s.Start:s.End])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestSentencesLongRuns would run for hours without the limit on letterless
// stretches.
func TestSentencesLongRuns(t *testing.T) {
	for _, unit := range []string{")", "”", " ", "1 ", "\xff", "\xbf", ". "} {
		text := "End." + strings.Repeat(unit, 2<<20/len(unit))
		checkSentences(t, text)
	}
}

// checkSentences checks what holds for any text: the spans are in order and
// only white space lies between them.
func checkSentences(t *testing.T, text string) {
	t.Helper()
	end := 0
	for _, s := range token.Sentences(text, nil) {
		if s.Start < end || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("span %v after byte %d of %d", s, end, len(text))
		}
		if strings.TrimFunc(text[end:s.Start], unicode.IsSpace) != "" && !strings.ContainsAny(text[end:s.Start], "\u200b\ufeff") {
			t.Fatalf("lost %q before byte %d", text[end:s.Start], s.Start)
		}
		if strings.TrimSpace(text[s.Start:s.End]) != text[s.Start:s.End] {
			t.Fatalf("white space at the ends of %q", text[s.Start:s.End])
		}
		end = s.End
	}
	if rest := strings.Trim(strings.TrimSpace(text[end:]), "\u200b\ufeff"); strings.TrimFunc(rest, unicode.IsSpace) != "" && !strings.ContainsAny(rest, "\u200b\ufeff") {
		t.Fatalf("lost %q at the end", rest)
	}
}

func FuzzSentences(f *testing.F) {
	for _, c := range sentenceCases {
		f.Add(strings.ReplaceAll(c, "|", ""))
	}
	f.Add("a.\xff\xfe b. \xe2\x80")
	f.Fuzz(func(t *testing.T, text string) {
		checkSentences(t, text)
		last := 0
		for _, w := range token.Words(text, nil) {
			if w.Start < last || w.End <= w.Start || w.End > len(text) {
				t.Fatalf("word %v after byte %d", w, last)
			}
			last = w.End
		}
	})
}

const benchText = "Dr. Brown moved to the U.S. in 1985 and sold the house. He had lived there for ten years, " +
	"with Mr. Pine, his friend. \"Nothing lasts,\" he wrote. What did he mean? No. 5 was empty for a long while. "

func BenchmarkSentences(b *testing.B) {
	text := strings.Repeat(benchText, 500)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var dst []token.Span
	for b.Loop() {
		dst = token.Sentences(text, dst[:0])
	}
}

func BenchmarkWords(b *testing.B) {
	text := strings.Repeat(benchText, 500)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var dst []token.Span
	for b.Loop() {
		dst = token.Words(text, dst[:0])
	}
}
