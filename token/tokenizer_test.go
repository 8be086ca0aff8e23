package token_test

import (
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/token"
)

// checkText checks the contract of a tokenizer on text: tokens in order,
// without overlap, nothing lost, no white space inside; sentences made of whole
// tokens; Split the same as both; the text comes back from its lines.
func checkText(t *testing.T, tok *token.Tokenizer, text string) {
	t.Helper()
	words := tok.Words(text, nil)
	end := 0
	for _, w := range words {
		if w.Start < end || w.End <= w.Start || w.End > len(text) {
			t.Fatalf("%s: token %v after byte %d of %d in %.80q", tok.Lang(), w, end, len(text), text)
		}
		if lost := strings.TrimFunc(text[end:w.Start], token.IsSpace); lost != "" {
			t.Fatalf("%s: lost %q before byte %d", tok.Lang(), lost, w.Start)
		}
		if strings.IndexFunc(text[w.Start:w.End], token.IsSpace) >= 0 {
			t.Fatalf("%s: white space in token %q", tok.Lang(), text[w.Start:w.End])
		}
		end = w.End
	}
	if lost := strings.TrimFunc(text[end:], token.IsSpace); lost != "" {
		t.Fatalf("%s: lost %q at the end", tok.Lang(), lost)
	}
	sentences := tok.Sentences(text, nil)
	left := words
	for _, s := range sentences {
		if len(left) == 0 || left[0].Start != s.Start {
			t.Fatalf("%s: sentence %v begins with no token", tok.Lang(), s)
		}
		for len(left) > 0 && left[0].End < s.End {
			left = left[1:]
		}
		if len(left) == 0 || left[0].End != s.End {
			t.Fatalf("%s: sentence %v ends with no token: %q", tok.Lang(), s, text[s.Start:s.End])
		}
		left = left[1:]
	}
	if len(left) != 0 {
		t.Fatalf("%s: %d tokens in no sentence", tok.Lang(), len(left))
	}
	w, s := tok.Split(text, nil, nil)
	if !slices.Equal(w, words) || !slices.Equal(s, sentences) {
		t.Fatalf("%s: Split differs from Words and Sentences", tok.Lang())
	}
	var lines, back bytes.Buffer
	if err := tok.WriteLines(&lines, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := token.ReadLines(&back, &lines, "lines"); err != nil || back.String() != text {
		t.Fatalf("%s: %.80q came back as %.80q, %v", tok.Lang(), text, back.String(), err)
	}
}

var fuzzSeeds = []string{
	"a\u200db \u200d\xff\u200b\ufeff\x00\u0301 \r\n\u2028",
	"Mail a.b+c@example.org, see https://example.org/a_(b)?c=d#e. Or www.example.org! <b>no</b> &amp; &#160; #tag @name :-)",
	"It costs 1,000.50, 3.5%, 5km, B52, -3, 1e-5, 12:30, 2020-10-03, the 1980s and '90s; can't, cannot, it's, I'd've",
	"L'homme qu'il a vu viendra-t-il ? « Oui. » Dell'acqua. Disse-lhe. Je-li to tak? EU:n 3. lokakuuta, z. B. am 3. Oktober",
	"他说:“你好!”然后走了。カタカナとひらがな。สวัสดีครับ ភាសាខ្មែរ မြန်မာဘာသာ བོད་སྐད། हिन्दी है। 5月 👍🏽👨‍👩‍👧🇩🇪",
	"J.R.R. Tolkien, Ph.D., the U.S. Army... e.g. this?! etc.? \"No.\" 'tis ``x'' [12] C++ R&D km/h צה\"ל l·l",
	"a.b.C.d..e...f.-g-.h '' '' \" ( ) [1] . ? ! … : ; ,, -- --- ==> <- ~",
}

func FuzzWords(f *testing.F) {
	for _, c := range sentenceCases {
		f.Add(uint8(0), strings.ReplaceAll(c, "|", ""))
	}
	for i, s := range fuzzSeeds {
		f.Add(uint8(i), s)
	}
	langs := append(token.Languages(), "")
	f.Fuzz(func(t *testing.T, lang uint8, text string) {
		checkText(t, token.For(langs[int(lang)%len(langs)]), text)
	})
}

// TestEveryLanguageOnSeeds checks the contract for all rules.
func TestEveryLanguageOnSeeds(t *testing.T) {
	for _, lang := range append(token.Languages(), "") {
		for _, s := range fuzzSeeds {
			checkText(t, token.For(lang), s)
		}
		checkText(t, token.For(lang), strings.Join(fuzzSeeds, "\n\n"))
	}
}

// TestLongRuns would not end if the time went with the square of the length.
func TestLongRuns(t *testing.T) {
	units := []string{"a", "A", "1", "1.", "1,", "1-", "1:", "a.", "A.", "a.B", "a-", "a'", "'", "a@", "a@b.", "a+", ".", "?", "…", " ", "\n", ")", "(", "[1]", "\"", "“",
		"-", "<", "<a", "&", "&a", "#", "#a", ":", ":-", "://", "a://", "www.", "x.com/", "\u0301", "\u200d", "\u200b", "漢", "か", "カ", "ก", "เ", "က", "က်", "ក", "់", "བ", "་",
		"。", "\xff", "\xe2\x80", "😀", "😀\u200d", "🇩", "é", "é.", "l'", "’", "n't", ". a", ".) ", "a. \"", "Dr. ", "x·", "\u1361", "\u200e ", "'90", "a:b", "a&", "A&B", "צ\""}
	for _, u := range units {
		for _, lang := range []string{"en", "fr", "fi"} {
			text := strings.Repeat(u, (200<<10)/len(u))
			tok := token.For(lang)
			words, sentences := tok.Split(text, nil, nil)
			if len(words) == 0 && strings.TrimFunc(text, token.IsSpace) != "" || len(sentences) > len(words) {
				t.Errorf("%q: %d tokens, %d sentences", u, len(words), len(sentences))
			}
		}
	}
}

// TestRoundTrip checks the contract on text of all languages at hand.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"text/ntrex.tar.zst", "text/ml.tar.zst"} {
		langs := 0
		err := archive.Walk(testkit.Data(t, name), func(name string, r io.Reader) error {
			if path.Ext(name) != ".txt" {
				return nil
			}
			langs++
			b, err := io.ReadAll(io.LimitReader(r, 16<<10))
			if err == nil {
				checkText(t, token.For(strings.TrimSuffix(path.Base(name), ".txt")), string(b))
			}
			return err
		})
		if err != nil || langs < 100 {
			t.Errorf("%s: %d files, %v", name, langs, err)
		}
	}
}
