package metadata

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/runes"
	"chaffinch/lab/eval/stats"
)

// Field is a scored field of the metadata.
type Field struct {
	Name string
	Help string
	// of returns the values in the form that is compared.
	of func(v *Values) []string
}

// Fields lists the scored fields.
var Fields = []Field{
	{"title", "letters and digits are the same, case aside", func(v *Values) []string { return some(squeeze(v.Title)) }},
	{"author", "each name alone, letters the same, case aside", func(v *Values) []string {
		var out []string
		for _, a := range v.Authors {
			for _, n := range names(a) {
				out = append(out, some(squeeze(n))...)
			}
		}
		return out
	}},
	{"date", "the same day", func(v *Values) []string { return some(day(v.Date)) }},
	{"license", "licences of Creative Commons: kind and version, without the country", func(v *Values) []string { return some(licence(v.License)) }},
}

func some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// squeeze returns the letters, marks and digits of s in lower case.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if runes.IsWord(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// day returns the day of a date, such as 2006-01-02 or 20060102, in the first form.
func day(s string) string {
	if len(s) == 8 && strings.Trim(s, "0123456789") == "" {
		return s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	return s[:min(len(s), 10)]
}

var nameParts = lazyregexp.New(`\s*[,;&/|]\s*|\s+(?:and|und|et|y)\s+`)

// names splits a list of names.
func names(s string) (out []string) {
	for _, n := range nameParts().Split(s, -1) {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}

var port = lazyregexp.New(`(?i)[ -][a-z]{2}$`)

// licence returns the kind and version of a Creative Commons licence, or "" for others.
func licence(s string) string {
	if !strings.HasPrefix(s, "CC") {
		return ""
	}
	if m := port().FindString(s); m != "" && !strings.EqualFold(m[1:], "by") && !strings.EqualFold(m[1:], "nd") && !strings.EqualFold(m[1:], "sa") && !strings.EqualFold(m[1:], "nc") {
		s = s[:len(s)-len(m)]
	}
	return squeeze(s)
}

// Figures counts the values of a field: right, wrong or missing values of pages with gold, and
// extra values on pages without gold in a set with the field.
type Figures struct {
	Pages                        int // with gold
	Right, Wrong, Missing, Extra int
}

// PRF returns precision, recall and F for the pages with gold.
func (f Figures) PRF() (p, r, fm float64) {
	p = float64(f.Right) / float64(max(1, f.Right+f.Wrong))
	r = float64(f.Right) / float64(max(1, f.Right+f.Missing))
	return p, r, stats.Harmonic(p, r)
}

// Part selects pages of a set: a half and, unless Field is "", the pages with a value of a field of
// meta.jsonl.
type Part struct {
	Test         bool
	Field, Value string
}

func (p Part) holds(g *Gold) bool {
	return g.Test == p.Test && (p.Field == "" || text(g.Meta[p.Field]) == p.Value)
}

// Groups returns the values of a field of meta.jsonl.
func (s *Set) Groups(field string) []string {
	seen := map[string]bool{}
	for _, g := range s.Pages {
		if v := text(g.Meta[field]); v != "" {
			seen[v] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Score counts the values of the pages of a part. If miss is not nil, it is called for each page
// with a wrong or missing value.
func (s *Set) Score(f Field, out map[string]Values, part Part, miss func(g *Gold, v Values)) Figures {
	var n Figures
	for _, g := range s.Pages {
		if !part.holds(g) {
			continue
		}
		v := out[g.ID]
		want, got := f.of(&g.Values), f.of(&v)
		for _, t := range g.titles {
			if f.Name == "title" && squeeze(t) == squeeze(v.Title) {
				want = got
			}
		}
		if len(want) == 0 {
			n.Extra += min(len(got), 1)
			continue
		}
		n.Pages++
		right := 0
		left := map[string]int{}
		for _, w := range want {
			left[w]++
		}
		for _, x := range got {
			if left[x] > 0 {
				left[x]--
				right++
			}
		}
		n.Right += right
		n.Wrong += len(got) - right
		n.Missing += len(want) - right
		if miss != nil && (right < len(want) || right < len(got)) {
			miss(g, v)
		}
	}
	return n
}

// Read reads the output of a program: one JSON object per line with id and the fields of [Values].
func Read(r io.Reader) (map[string]Values, error) {
	out := map[string]Values{}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<26)
	for n := 1; sc.Scan(); n++ {
		var v struct {
			ID string `json:"id"`
			Values
		}
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("line %d: %w: wanted a JSON object with id, title, authors, date", n, err)
		}
		out[v.ID] = v.Values
	}
	return out, sc.Err()
}
