package token

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// The oracle cuts words by regular expressions in the order of docs/explanation/token.md:
// at each place the first that matches gives the token. What the lists decide
// on full stops and clitics it asks from the scanner.

// pattern returns a character class of the characters of some classes.
func pattern(cs ...class) string {
	var b strings.Builder
	in := func(r rune) bool {
		for _, c := range cs {
			if r <= utf8.MaxRune && (r < 0xd800 || r > 0xdfff) && runeClass(r) == c {
				return true
			}
		}
		return false
	}
	for r := rune(0); r < 0x30000; r++ {
		if !in(r) {
			continue
		}
		lo := r
		for in(r + 1) {
			r++
		}
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, lo, r)
	}
	return b.String()
}

// oracleRule is a rule: what it matches, and whether it wants white space (or
// nothing at all) before it.
type oracleRule struct {
	name string
	re   *regexp.Regexp
	free bool
}

type oracle struct {
	space *regexp.Regexp
	rules []oracleRule
}

func newOracle() *oracle {
	letter, w := pattern(lowerLetter, upperLetter, plainLetter), pattern(lowerLetter, upperLetter, plainLetter, mark, digit, numeral)
	v, m, d := pattern(lowerLetter, upperLetter, plainLetter, digit, numeral), pattern(mark), pattern(digit)
	inner := `['\-’‐‑·֊״׳־]`
	word := `[` + letter + `][` + w + `]*(?:` + inner + `[` + v + `][` + w + `]*)*`
	url := `[A-Za-z0-9\-._~:/?#@!$&'*+,;=%|{}^\\\[\]` + w + `]`
	o := &oracle{space: regexp.MustCompile(`^[` + pattern(blank, newline) + `]+`)}
	add := func(name, re string, free bool) {
		o.rules = append(o.rules, oracleRule{name, regexp.MustCompile(`^(?:` + re + `)`), free})
	}
	add("url", `[A-Za-z][A-Za-z0-9]{0,11}://(?:`+url+`|\(`+url+`*\))+`, false)
	add("email", `[A-Za-z0-9._%+\-]{1,64}@[A-Za-z0-9.\-]*\.[A-Za-z]{2,}`, false)
	add("chain", word+`(?:\.[`+v+`][`+w+`]*(?:-[`+v+`][`+w+`]*)*)+`, false)
	add("stop", word+`\.`, false)
	add("word", word, false)
	add("number", `[`+d+`]`, false)
	add("numeral", `[`+pattern(numeral)+`][`+w+`]*`, false)
	add("tag", `</?[A-Za-z][A-Za-z0-9]{0,31}/?>`, false)
	add("entity", `&#?[A-Za-z0-9]{1,32};`, false)
	add("hashtag", `[#@][`+w+`]*[`+letter+`][`+w+`]*`, false)
	add("emoticon", `[:;=][\-'^o]?[)(\]\[DPpO/\\|*3]{1,4}(?:$|[`+pattern(blank, newline)+`])`, true)
	add("degree", `°[CFKR]`, false)
	add("han", `[`+pattern(han)+`][`+m+`]*`, false)
	add("hiragana", `[`+pattern(hiragana)+`][`+pattern(hiragana, mark)+`]*`, false)
	add("katakana", `[`+pattern(katakana)+`][`+pattern(katakana, mark)+`]*`, false)
	add("dotted", `\.[`+w+`]{1,8}`, true)
	add("terminator", `[`+pattern(fullStop, strong, dots)+`][`+pattern(fullStop, strong, dots, mark)+`]*`, false)
	add("wide", `[`+pattern(wideStop)+`][`+pattern(wideStop, mark)+`]*`, false)
	add("two quotes", "''|``", false)
	add("smile", `\({3,}|\){3,}`, false)
	add("single", `[`+pattern(opening, closing, quote, picture)+`][`+m+`]*`, false)
	add("flag", `[`+pattern(regional)+`]{1,2}`, false)
	return o
}

// words cuts text by r. It skips what it has no rule for, and then follows the
// scanner, whose tokens are given.
func (o *oracle) words(r *ruleSet, text string) (out []Span, named []string) {
	var ref []Span
	s := scanner{rules: r, text: text}
	var p piece
	for s.next(&p) {
		ref = append(ref, Span{p.start, p.end})
	}
	byStart := map[int]int{}
	for _, w := range ref {
		byStart[w.Start] = w.End
	}
	for i := 0; i < len(text); {
		if n := len(o.space.FindString(text[i:])); n > 0 {
			i += n
			continue
		}
		free := i == 0
		if i > 0 {
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			free = IsSpace(before)
		}
		end, name := o.at(r, text, i, free)
		if end == 0 { // no rule of the oracle's
			if end = byStart[i]; end == 0 {
				return append(out, Span{i, i}), append(named, "lost")
			}
			name = "followed"
		}
		out, named = append(out, Span{i, end}), append(named, name)
		i = end
	}
	return out, named
}

// at returns the end of the token at i and the name of its rule.
func (o *oracle) at(r *ruleSet, text string, i int, free bool) (int, string) {
	for _, rule := range o.rules {
		if rule.free && !free {
			continue
		}
		n := len(rule.re.FindString(text[i:]))
		if n == 0 {
			continue
		}
		s := scanner{rules: r, text: text}
		switch rule.name {
		case "chain", "number", "emoticon", "terminator", "dotted", "hashtag", "single", "two quotes":
			// the lists and what stands around decide: only that the scanner
			// begins a token here is compared
			if rule.name == "single" || rule.name == "two quotes" {
				if c, _ := classAt(text, i); c != quote && c != picture {
					return i + n, rule.name
				}
			}
			return 0, rule.name
		case "stop":
			e := i + n - 1
			if strings.HasPrefix(text[e:], "..") {
				return i + n - 1, rule.name
			}
			return 0, rule.name
		case "word":
			e := i + n
			if r.meaning(text[i:e])&wholeWord == 0 && (strings.ContainsAny(text[i:e], "'-’‐‑") || r.splitBits[text[i]] != 0) {
				return 0, rule.name // clitics
			}
			if e < len(text) && strings.IndexByte("&:+#/\"°", text[e]) >= 0 || s.literal(i, s.run(i)) > 0 {
				return 0, rule.name // lists
			}
			return e, rule.name
		case "url":
			return i + len(strings.TrimRight(text[i:i+n], ".,;:!?'([{|*^\\]")), rule.name
		}
		return i + n, rule.name
	}
	// A run of one character.
	r0, n := utf8.DecodeRuneInString(text[i:])
	if c := runeClass(r0); c != dash && c != mixed && c != pause || r0 == '+' || r0 == '\u1361' || c == dash {
		return 0, ""
	}
	end := i + n
	for strings.HasPrefix(text[end:], text[i:i+n]) {
		end += n
	}
	return end + len(regexpMarks.FindString(text[end:])), "run"
}

var regexpMarks = regexp.MustCompile(`^(?:[` + pattern(mark) + `])*`)

// TestOracle compares the scanner with the oracle on news in all languages.
func TestOracle(t *testing.T) {
	o := newOracle()
	compared, own := 0, 0
	check := func(lang, text string) {
		tok := must.Get(New(Config{Lang: lang, NoWords: true}))(t)
		got := tok.Words(text, nil)
		want, named := o.words(tok.rules, text)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("%s: %q, the oracle has %q by %s, in %.60q", lang, text[got[i].Start:got[i].End], text[want[i].Start:want[i].End], named[i], text[max(0, got[i].Start-10):])
				return
			}
			compared++
			if named[i] != "followed" {
				own++
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d tokens, the oracle has %d", lang, len(got), len(want))
		}
	}
	for _, text := range []string{
		"See https://example.org/a_(b)?c=d, e-mail a.b+c@example.org (now) or <b>x</b> &amp; #tag @me.",
		"An o'clock -- well-known == test... 5km and 日本語カタカナひらがな 🇩🇪 «x» “y” „z“ [a] {b} 100 % 20 °C.",
	} {
		check("", text)
		check("en", text)
	}
	must.Succeed(t, archive.Walk(testkit.Data(t, "text/ntrex.tar.zst"), func(name string, r io.Reader) error {
		if path.Ext(name) != ".txt" {
			return nil
		}
		b, err := io.ReadAll(io.LimitReader(r, 3<<10))
		if err == nil {
			check(strings.TrimSuffix(path.Base(name), ".txt"), strings.ToValidUTF8(string(b), ""))
		}
		return err
	}))
	t.Logf("%d tokens, %d of them by the oracle's own rules", compared, own)
	if own*2 < compared {
		t.Errorf("the oracle decides on %d of %d tokens only", own, compared)
	}
}
