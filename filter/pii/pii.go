// Package pii finds personal data in text: e-mail and IP addresses, telephone numbers, bank
// accounts (IBAN), payment cards, national identification numbers, and names of
// persons. [Find] returns all matches but names, and a [Finder] the requested kinds. [Mask]
// replaces matches by their kind, and [Pseudonyms] by consistent pseudonyms.
//
// Digits may be of any script. Accounts, cards and most identification numbers are verified by
// their check digits. Other numbers are recognized by their form alone.
package pii

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is a kind of personal data.
type Kind string

// The kinds.
const (
	Email Kind = "email"
	IP    Kind = "ip"
	Phone Kind = "phone"
	IBAN  Kind = "iban"
	Card  Kind = "card"
	ID    Kind = "id"
	Name  Kind = "name"
)

// Kinds lists the kinds that [Find] finds: all but Name.
var Kinds = []Kind{Email, IP, Phone, IBAN, Card, ID}

// Match is one match: text[Start:End].
type Match struct {
	Kind Kind
	// Country is the country of an ID, as in [Number], "" for other kinds.
	Country    string
	Start, End int
}

// Find appends the matches in text, in order, to dst. Matches do not overlap.
func Find(text string, dst []Match) []Match {
	dst = emails(text, dst)
	for i := 0; i < len(text); {
		c := text[i]
		if letter(c) && (i > 0 && letter(text[i-1]) || i+1 < len(text) && text[i+1] >= 'g' && text[i+1] <= 'z') {
			i++ // in a word, or the first letter of a word
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		end := 0
		if starts(r) && !within(text, i) {
			end = number(text, i, &dst)
		}
		if end > i {
			i = end
			continue
		}
		i += n
	}
	return ordered(dst)
}

// letter reports whether c is a letter of ASCII.
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// ordered sorts matches and drops each match that overlaps an earlier one.
func ordered(dst []Match) []Match {
	slices.SortStableFunc(dst, func(a, b Match) int { return a.Start - b.Start })
	out := dst[:0]
	for _, m := range dst {
		if len(out) == 0 || m.Start >= out[len(out)-1].End {
			out = append(out, m)
		}
	}
	return out
}

// Mask appends text to dst with each match replaced by its kind, such as "<email>".
func Mask(dst []byte, text string, found []Match) []byte {
	at := 0
	for _, m := range found {
		dst = append(dst, text[at:m.Start]...)
		dst = append(append(append(dst, '<'), m.Kind...), '>')
		at = m.End
	}
	return append(dst, text[at:]...)
}

// starts reports whether a number of any kind may begin with r.
func starts(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'f' || r == '+' || r == '(' || r == ':'
	}
	return unicode.IsDigit(r) || r == '＋'
}

// within reports whether position i is inside a word or number.
func within(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return i > 0 && (spaced(r) || unicode.IsDigit(r) || r == '_') || after(text, i, ".:-/")
}

// after reports whether a digit and one of seps precede position i, so that the number
// continues there. A number that begins with + or ( does not continue another.
func after(text string, i int, seps string) bool {
	r, n := utf8.DecodeLastRuneInString(text[:i])
	if i == 0 || !strings.ContainsRune(seps, r) || strings.HasPrefix(text[i:], "+") || strings.HasPrefix(text[i:], "(") {
		return false
	}
	r, _ = utf8.DecodeLastRuneInString(text[:i-n])
	return unicode.IsDigit(r)
}

// number finds the number that begins at i and returns its end, 0 if there is none.
func number(text string, i int, dst *[]Match) (end int) {
	if end := iban(text, i); end > i && !continues(text, end) {
		*dst = append(*dst, Match{Kind: IBAN, Start: i, End: end})
		return end
	}
	if n, end := id(text, i); end > i {
		*dst = append(*dst, Match{Kind: ID, Country: numbers[n].Country, Start: i, End: end})
		return end
	}
	for _, k := range []struct {
		kind Kind
		find func(text string, i int) int
	}{{IP, ip}, {Card, card}, {Phone, phone}} {
		if end := k.find(text, i); end > i && !continues(text, end) {
			*dst = append(*dst, Match{Kind: k.kind, Start: i, End: end})
			return end
		}
	}
	return 0
}

// continues reports whether a word or number continues after end.
func continues(text string, end int) bool {
	r, _ := utf8.DecodeRuneInString(text[end:])
	return end < len(text) && (spaced(r) || unicode.IsDigit(r) || r == '_')
}

// spaced reports whether r is a letter of a script that writes spaces between words, or around
// numbers.
func spaced(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	return unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// digit returns the value of a decimal digit of any script, -1 for other characters. The ten
// digits of each script are consecutive, zero first.
func digit(r rune) int {
	if r < utf8.RuneSelf {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !unicode.IsDigit(r) {
		return -1
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	return -1
}

// maxDigits is the number of digits of the longest number.
const maxDigits = 19

// digits reads digits from position i on, separated by single characters of seps. end is the
// position after the last digit.
func digits(text string, i int, seps string, values *[maxDigits + 1]int8) (n, end int) {
	sep := true
	for i < len(text) && n <= maxDigits {
		r, size := utf8.DecodeRuneInString(text[i:])
		if v := digit(r); v >= 0 {
			values[n] = int8(v)
			n, sep, end = n+1, false, i+size
		} else if sep || !strings.ContainsRune(seps, r) {
			break
		} else {
			sep = true
		}
		i += size
	}
	return n, end
}

// card finds a payment card: 13 to 19 digits of a known issuer with a valid check digit.
func card(text string, i int) int {
	var v [maxDigits + 1]int8
	n, end := digits(text, i, "", &v)
	if n < 13 { // in groups; otherwise a number after the card is separate
		n, end = digits(text, i, " -\u00a0", &v)
	}
	if n < 13 || n > maxDigits || v[0] < 2 || v[0] > 6 {
		return 0
	}
	sum, same := 0, true
	for k := range n {
		d := int(v[n-1-k])
		same = same && v[k] == v[0]
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	if sum%10 != 0 || same {
		return 0
	}
	return end
}

// ibanLengths holds the lengths of accounts by country.
const ibanLengths = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"

// iban finds a bank account: a country code, check digits, and the number of characters that
// the country requires.
func iban(text string, i int) int {
	if i+15 > len(text) || text[i] < 'A' || text[i] > 'Z' || text[i+1] < 'A' || text[i+1] > 'Z' {
		return 0
	}
	k := strings.Index(ibanLengths, text[i:i+2])
	if k < 0 || k%5 != 0 {
		return 0
	}
	want := int(ibanLengths[k+2]-'0')*10 + int(ibanLengths[k+3]-'0')
	var all [34]int // values of digits or letters
	n, end, sep := 0, i, true
	for end < len(text) && n < want {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch v := digit(r); {
		case v >= 0:
			all[n] = v
		case r >= 'A' && r <= 'Z':
			all[n] = int(r-'A') + 10
		case (r == ' ' || r == '\u00a0') && !sep:
			sep = true
			end += size
			continue
		default:
			return 0
		}
		n, sep = n+1, false
		end += size
	}
	if n < want || all[2] > 9 || all[3] > 9 {
		return 0
	}
	if !check(all[:n]) {
		return 0
	}
	return end
}

// check reports whether the remainder of an account modulo 97, with letters as numbers, is 1.
func check(all []int) bool {
	rest := 0
	for k := range all {
		v := all[(k+4)%len(all)]
		if v > 9 {
			rest = (rest*100 + v) % 97
		} else {
			rest = (rest*10 + v) % 97
		}
	}
	return rest == 1
}

// ip finds an IPv4 or IPv6 address. Addresses of networks that cannot be reached from outside
// identify no person and are skipped.
func ip(text string, i int) int {
	var ascii [48]byte
	n, end, dots, colons := 0, i, 0, 0
	for end < len(text) && n < len(ascii) {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch v := digit(r); {
		case v >= 0:
			ascii[n] = byte('0' + v)
		case r == '.':
			ascii[n], dots = '.', dots+1
		case r == ':' && dots == 0: // after an IPv4 address, a port
			ascii[n], colons = ':', colons+1
		case r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F':
			ascii[n] = byte(r)
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		n++
		end += size
	}
	for n > 0 && (ascii[n-1] == '.' || ascii[n-1] == ':') { // end of a sentence
		n--
		end--
	}
	if dots < 3 && colons < 2 {
		return 0
	}
	a, err := netip.ParseAddr(string(ascii[:n]))
	if err != nil || a.IsPrivate() || a.IsLoopback() || a.IsUnspecified() || a.IsMulticast() || a.IsLinkLocalUnicast() {
		return 0
	}
	return end
}

// phone finds a telephone number in one of three forms. The first begins with + and has 8 to 15
// digits. The second begins with 0 and has 9 to 12 digits, in at least three parts or with its
// prefix in brackets. The third has three parts of 3, 3 and 4 digits.
func phone(text string, i int) int {
	if after(text, i, " \u00a0") {
		return 0
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	plus, bracket := r == '+' || r == '＋', r == '('
	at := i
	if plus || bracket {
		at += size
	}
	var v [maxDigits + 1]int8
	n, parts, end := phoneDigits(text, at, &v)
	if n < 8 {
		return 0
	}
	closed := !bracket || strings.ContainsRune(text[i:end], ')')
	switch {
	case !closed || n > 15:
		return 0
	case plus && v[0] != 0:
		return end
	case strings.HasPrefix(groups(text[at:end]), "224"): // a date
		return 0
	case n >= 9 && n <= 12 && v[0] == 0 && (parts >= 3 || bracket):
		return end
	case n == 10 && parts == 3 && v[0] >= 2 && groups(text[at:end]) == "334":
		return end
	}
	return 0
}

// phoneDigits reads digits and the separators of telephone numbers.
func phoneDigits(text string, i int, v *[maxDigits + 1]int8) (n, parts, end int) {
	seps := 2
	for i < len(text) && n < maxDigits {
		r, size := utf8.DecodeRuneInString(text[i:])
		if d := digit(r); d >= 0 {
			if seps > 0 {
				parts++
			}
			v[n] = int8(d)
			n, seps = n+1, 0
			i += size
			end = i
			continue
		}
		if !strings.ContainsRune(" \u00a0-./()‐‑–", r) || seps >= 2 && n > 0 || n == 0 {
			break
		}
		seps++
		i += size
	}
	return n, parts, end
}

// groups returns the number of digits in each part of a number, as a string of digits.
func groups(s string) string {
	var b []byte
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return digit(r) < 0 }) {
		b = append(b, byte('0'+min(9, utf8.RuneCountInString(part))))
	}
	return string(b)
}

// emails appends the e-mail addresses around each @.
func emails(text string, dst []Match) []Match {
	for at := 0; ; {
		k := strings.IndexByte(text[at:], '@')
		if k < 0 {
			return dst
		}
		at += k
		start := at
		for start > 0 {
			r, n := utf8.DecodeLastRuneInString(text[:start])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._%+-", r) {
				break
			}
			start -= n
		}
		for start < at && strings.IndexByte(".%+-", text[start]) >= 0 {
			start++
		}
		end, dot, label := at+1, 0, 0
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if r == '.' && label > 0 {
				dot, label = end, 0
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '-' && label > 0 {
				label++
			} else {
				break
			}
			end += n
		}
		if label == 0 && dot > 0 { // end of a sentence
			end = dot
			dot = strings.LastIndexByte(text[at:end], '.') + at
		}
		if dot > at && start < at && letters(text[dot+1:end]) {
			dst = append(dst, Match{Kind: Email, Start: start, End: end})
			at = end
		} else {
			at++
		}
	}
}

// letters reports whether a top-level domain has at least two letters.
func letters(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.HasPrefix(s, "xn--") {
			return false
		}
		n++
	}
	return n >= 2
}
