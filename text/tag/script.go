package tag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Script converts a form to its lemma. Case changes the case of the form first. Then Head runes at
// the beginning are replaced by Front, and Tail runes at the end by Back.
type Script struct {
	Case        Case
	Head, Tail  int
	Front, Back string
}

// Case is a change of case.
type Case uint8

// Changes of case.
const (
	Lower Case = iota // to lower case
	Keep              // none
	Title             // to lower case with an upper-case first letter
	Upper             // to upper case
)

// whole is the value of Tail of a script that replaces the form.
const whole = 255

// Script returns the script from a form to a lemma.
func (c *Config) Script(form, lemma string) Script {
	form = plain(form)
	s := Script{Case: Keep}
	switch low := c.lowerString(lemma); {
	case lemma == low:
		s.Case, form = Lower, c.lowerString(form)
	case lemma == c.title(low) && shapeOf(form)&7 != shapeUpper:
		s.Case, form = Title, c.title(c.lowerString(form))
	case strings.HasPrefix(form, firstRunes(lemma, 2)):
	case lemma == c.title(low):
		s.Case, form = Title, c.title(c.lowerString(form))
	case lemma == strings.Map(c.upper, lemma):
		s.Case, form = Upper, strings.Map(c.upper, form)
	}
	a, b := []rune(form), []rune(lemma)
	// The longest common substring stays.
	best, at, to := 0, 0, 0
	row := make([]int, len(b)+1)
	for i := range a {
		before := 0
		for j := range b {
			n := 0
			if a[i] == b[j] {
				n = before + 1
			}
			before = row[j+1]
			row[j+1] = n
			if n > best {
				best, at, to = n, i+1-n, j+1-n
			}
		}
	}
	if best == 0 || len(a)-best >= whole {
		return Script{Case: Keep, Tail: whole, Back: lemma}
	}
	s.Head, s.Front = at, string(b[:to])
	s.Tail, s.Back = len(a)-at-best, string(b[to+best:])
	return s
}

// firstRunes returns the first n runes of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Apply returns the lemma of a form, and reports whether the script fits the form.
func (c *Config) Apply(s *Script, form string) (lemma string, ok bool) {
	x := cased{c: c, form: form}
	return x.apply(s)
}

// cased is a form with its changes of case.
type cased struct {
	c       *Config
	form    string
	changed [Upper + 1]string // "" if unknown
}

// with returns the form with a change of case and plain apostrophes.
func (x *cased) with(change Case) string {
	if x.changed[change] == "" {
		form := ""
		switch change {
		case Keep:
			form = plain(x.form)
		case Lower:
			form = x.c.lowerString(x.with(Keep))
		case Title:
			form = x.c.title(x.with(Lower))
		case Upper:
			form = strings.Map(x.c.upper, x.with(Keep))
		}
		x.changed[change] = form
	}
	return x.changed[change]
}

// apply is [Config.Apply] for the form.
func (x *cased) apply(s *Script) (lemma string, ok bool) {
	if s.Tail == whole {
		return s.Back, true
	}
	form := x.with(s.Case)
	if s.Head == 0 && s.Tail == 0 && s.Front == "" && s.Back == "" {
		return form, true
	}
	from, to := 0, len(form)
	for range s.Head {
		_, n := utf8.DecodeRuneInString(form[from:])
		from += n
	}
	for range s.Tail {
		_, n := utf8.DecodeLastRuneInString(form[:to])
		to -= n
	}
	if from >= to {
		return "", false
	}
	return s.Front + form[from:to] + s.Back, true
}

// String returns the script as text: the case, numbers and replacements, separated by spaces.
func (s Script) String() string {
	return fmt.Sprintf("%d %d %d %s %s", s.Case, s.Head, s.Tail, strconv.Quote(s.Front), strconv.Quote(s.Back))
}

// parseScript parses the result of String.
func parseScript(text string) (s Script, err error) {
	if _, err := fmt.Sscanf(text, "%d %d %d %q %q", &s.Case, &s.Head, &s.Tail, &s.Front, &s.Back); err != nil {
		return s, fmt.Errorf("script %q: %w", text, err)
	}
	if s.Case > Upper || s.Head < 0 || s.Head > whole || s.Tail < 0 || s.Tail > whole {
		return s, fmt.Errorf("script %q: number out of range", text)
	}
	return s, nil
}
