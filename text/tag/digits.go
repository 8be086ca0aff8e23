package tag

import (
	"strings"
	"unicode"
)

// keepDigits returns a lemma with the digits of its form, and reports whether it can have them. Scripts
// come from forms with other digits: the script from 1,000 to 1000 results in 1000 for 5,000, and the
// script of 2ª is "segunda". A form that begins with a letter may have digits instead of letters, so
// its lemma may have none.
func keepDigits(form, lemma string) (string, bool) {
	first := strings.IndexFunc(form, unicode.IsDigit)
	if first < 0 {
		return lemma, true
	}
	digits, count := digitsOf(form), 0
	out := strings.Map(func(r rune) rune {
		if !unicode.IsDigit(r) {
			return r
		}
		if count++; count <= len(digits) {
			return digits[count-1]
		}
		return r
	}, lemma)
	if count == 0 && strings.ContainsFunc(form[:first], unicode.IsLetter) {
		return lemma, true
	}
	return out, count == len(digits)
}

// digitsOf returns the digits of a form.
func digitsOf(form string) (list []rune) {
	for _, r := range form {
		if unicode.IsDigit(r) {
			list = append(list, r)
		}
	}
	return list
}
