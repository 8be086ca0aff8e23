package pdf_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/format/pdf/internal/write"
	"chaffinch/internal/testkit"
)

// vocabularies are words of the generated documents. Letters outside ASCII get codes of their own,
// with a Unicode map.
var vocabularies = map[string]string{
	"en": "ship harbour winter cargo grain the of and with captain northern island merchant between weather sailed before returned every",
	"de": "Schiff Hafen Winter Ladung der die und zwischen Kaufmannschaft Überfahrt größere Handelsgesellschaft nördlichen Inseln während Segelschifffahrt",
	"fr": "navire hiver cargaison le la et l'île capitaine marchands équipage traversée où déjà forêt naufrage façade entre vers",
	"ru": "корабль гавань зима груз капитан северный остров и между погода купцы вернулся раньше каждый который",
	"el": "πλοίο λιμάνι χειμώνας φορτίο και καπετάνιος νησί έμποροι καιρός πριν κάθε μεταξύ βόρειο",
	"he": "אנייה נמל חורף מטען קברניט אי של עם סוחרים בין מזג אוויר לפני צפון חזר",
}

// author draws generated text and notes it.
type author struct {
	doc   *write.Document
	words []string
	codes map[rune]rune
	rtl   bool
	state uint32
	want  []string // blocks of the document
}

func newAuthor(lang string) *author {
	a := &author{doc: &write.Document{Lang: lang}, words: strings.Fields(vocabularies[lang]), codes: map[rune]rune{}, rtl: lang == "he", state: 7}
	letters := map[rune]rune{}
	for _, r := range vocabularies[lang] {
		for _, r := range []rune{r, unicode.ToUpper(r)} {
			if r >= 0x80 && a.codes[r] == 0 {
				code := rune(0xA1 + len(a.codes))
				a.codes[r], letters[code] = code, r
			}
		}
	}
	a.doc.Unicode = func(code byte) rune {
		if r := letters[rune(code)]; r != 0 {
			return r
		}
		if code == 0x95 {
			return '•'
		}
		return rune(code)
	}
	return a
}

func (a *author) random(n int) int {
	a.state = a.state*1664525 + 1013904223
	return int(a.state>>16) % n
}

// phrase returns generated words.
func (a *author) phrase(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = a.words[a.random(len(a.words))]
	}
	text := strings.Join(words, " ")
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

func (a *author) paragraph() string {
	var sentences []string
	for range 2 + a.random(3) {
		sentences = append(sentences, a.phrase(6+a.random(9))+".")
	}
	return strings.Join(sentences, " ")
}

// line draws text in a font with fixed width, in a column of n characters from x.
func (a *author) line(p *write.Page, x, y, size float64, n int, font, text string) {
	runes := []rune(text)
	for i, r := range runes {
		if code := a.codes[r]; code != 0 {
			runes[i] = code
		}
	}
	if a.rtl {
		if !unicode.IsDigit(runes[0]) {
			slices.Reverse(runes)
		}
		x += .6 * size * float64(n-len(runes))
	}
	p.Text(x, y, size, font, string(runes))
}

// flow draws a paragraph in a column of n characters, with divided words, and returns the position
// below.
func (a *author) flow(p *write.Page, x, y float64, n int, text string) float64 {
	a.want = append(a.want, text)
	words := strings.Fields(text)
	for len(words) > 0 {
		var line []rune
		for len(words) > 0 {
			word := []rune(words[0])
			if len(line)+1+len(word) <= n {
				words = words[1:]
			} else if left := n - len(line) - 2; left >= 4 && len(word)-left >= 5 && !a.rtl && !strings.ContainsAny(words[0], "'.") {
				words[0] = string(word[left:])
				word = append(slices.Clone(word[:left]), '-')
			} else {
				break
			}
			if len(line) > 0 {
				line = append(line, ' ')
			}
			if line = append(line, word...); line[len(line)-1] == '-' {
				break
			}
		}
		a.line(p, x, y, 10, n, "Courier", string(line))
		y += 12
	}
	return y + 7
}

func (a *author) heading(p *write.Page, y float64) float64 {
	text := a.phrase(3)
	a.want = append(a.want, text)
	a.line(p, 60, y+10, 14, 56, "Courier-Bold", text)
	return y + 32
}

// kinds are the kinds of documents.
var kinds = map[string]func(a *author){
	"columns": func(a *author) {
		for range 2 {
			p := a.doc.Page(595, 842)
			for _, x := range []float64{60, 320} {
				if a.rtl {
					x = 380 - x
				}
				for y := 90.0; y < 640; {
					y = a.flow(p, x, y, 36, a.paragraph())
				}
			}
		}
	},
	"book": func(a *author) {
		head := a.phrase(4)
		for i := range 5 {
			p := a.doc.Page(595, 842)
			a.line(p, 60, 40, 8, 60, "Courier", head)
			p.Text(290, 805, 8, "Courier", fmt.Sprint(31+i))
			y := 80.0
			if i%2 == 0 {
				y = a.heading(p, y)
			}
			for y < 660 {
				y = a.flow(p, 60, y, 74, a.paragraph())
			}
		}
		a.want = append(a.want, "\x00"+head)
	},
	"report": func(a *author) {
		p := a.doc.Page(595, 842)
		y := a.flow(p, 60, a.heading(p, 70), 74, a.paragraph())
		for range 4 {
			text := a.phrase(4)
			a.want = append(a.want, text)
			a.line(p, 60, y, 10, 74, "Courier", "• "+text)
			y += 14
		}
		y = a.flow(p, 60, y+10, 74, a.paragraph())
		for range 6 {
			for c := range 3 {
				cell := a.words[a.random(len(a.words))]
				if c > 0 {
					cell = fmt.Sprint(10 + a.random(900))
				}
				a.want = append(a.want, cell)
				x := 60 + 150*float64(c)
				if a.rtl {
					x = 420 - x
				}
				a.line(p, x, y, 10, 20, "Courier", cell)
			}
			y += 16
		}
		a.flow(p, 60, y+14, 74, a.paragraph())
	},
}

var blockText = regexp.MustCompile(`(?s)<(p|h[1-6]|li|td|th|aside)\b([^>]*)>(.*?)</(?:p|h[1-6]|li|td|th|aside)>`)

// common returns the length of the longest common subsequence as a share of both lengths.
func common[T comparable](a, b []T) float64 {
	row := make([]int, len(b)+1)
	for _, x := range a {
		last := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = last + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			last = above
		}
	}
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(row[len(b)]) / float64(len(a)+len(b))
}

// TestQuality compares the text of generated documents with what they were generated from. The
// floors are characters, words and whole blocks in percent.
func TestQuality(t *testing.T) {
	testkit.Slow(t)
	floors := map[string][3]float64{
		"columns": {99.9, 99.5, 98}, "book": {99.9, 99.5, 98}, "report": {99.9, 99.5, 98},
	}
	for kind, write := range kinds {
		for lang := range vocabularies {
			a := newAuthor(lang)
			write(a)
			head := ""
			if last := a.want[len(a.want)-1]; last[0] == 0 {
				head, a.want = last[1:], a.want[:len(a.want)-1]
			}
			var got []string
			for _, m := range blockText.FindAllStringSubmatch(body(read(t, a.doc.Bytes())), -1) {
				if !strings.Contains(m[2], "doc-page") {
					got = append(got, html.UnescapeString(regexp.MustCompile("<[^>]*>").ReplaceAllString(m[3], "")))
				}
			}
			if head != "" && slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, head) }) {
				t.Errorf("%s %s: the running head is in the text", kind, lang)
			}
			squeeze := func(blocks []string) []rune { return []rune(strings.ReplaceAll(strings.Join(blocks, ""), " ", "")) }
			words := func(blocks []string) []string { return strings.Fields(strings.Join(blocks, " ")) }
			figures := [3]float64{100 * common(squeeze(a.want), squeeze(got)), 100 * common(words(a.want), words(got)), 100 * common(a.want, got)}
			for i, name := range []string{"characters", "words", "blocks"} {
				if figures[i] < floors[kind][i] {
					t.Errorf("%s %s: %.1f %% of %s, want at least %.1f\n%s", kind, lang, figures[i], name, floors[kind][i], strings.Join(got, "\n"))
				}
			}
			t.Logf("%s %s: %.1f", kind, lang, figures)
		}
	}
}
