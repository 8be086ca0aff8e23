package metadata

import (
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// Range of years in dates of pages.
const (
	minYear = 1990
	maxYear = 2100
)

// findDate returns the first full date in a text, "" if there is none, and the byte after it.
// Forms: 2024-03-09, 2024/3/9, 2024.3.9, 2024年3月9日, 2024년 3월 9일, 9.3.2024, 9 March 2024, March 9th,
// 2024, 9 de marzo de 2024. If both numbers could be the month (3/9/2024), monthFirst decides.
func findDate(s string, monthFirst bool) (date string, end int) {
	if digits(s) < dateDigits {
		return "", 0
	}
	var w window
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case '0' <= r && r <= '9':
			j := i
			for j < len(s) && '0' <= s[j] && s[j] <= '9' {
				j++
			}
			w.push(part{text: s[i:j], number: true, end: j})
			i = j
		case unicode.IsLetter(r) && !cjkMark(r):
			j := i
			for j < len(s) {
				r, n := utf8.DecodeRuneInString(s[j:])
				if !unicode.IsLetter(r) || cjkMark(r) {
					break
				}
				j += n
			}
			w.push(part{text: s[i:j], end: j})
			i = j
		default:
			w.addSeparator(s[i : i+n])
			i += n
			continue
		}
		if d, end := w.date(monthFirst); d != "" && !digitAt(s, end) {
			return d, end
		}
	}
	return "", 0
}

// dateDigits is the minimum number of digits of a full date: of day and year.
const dateDigits = 5

// digits returns the number of digits in s.
func digits(s string) (n int) {
	for ; len(s) >= 8; s = s[8:] {
		n += bits.OnesCount64(swar.Within(swar.Load(s), '0', '9'))
	}
	for i := range len(s) {
		if digitAt(s, i) {
			n++
		}
	}
	return n
}

func digitAt(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

// cjkMark reports whether r follows the numbers of a date.
func cjkMark(r rune) bool { return strings.ContainsRune("年月日号號년월일", r) }

// part is a word or a number, with the separator before it.
type part struct {
	text   string
	number bool
	sep    string // text between the previous part and this one
	end    int
}

// window holds the last parts of a text.
type window struct {
	parts [6]part // the newest is last
	sep   string
}

func (w *window) addSeparator(s string) {
	if len(w.sep) < 8 {
		w.sep += s
	}
}

func (w *window) push(p part) {
	p.sep = w.sep
	w.sep = ""
	// Words inside dates in some languages, and endings of ordinals.
	if !p.number {
		switch strings.ToLower(p.text) {
		case "de", "del", "of", "th", "st", "nd", "rd", "of the", "г", "ta":
			last := &w.parts[len(w.parts)-1]
			if last.text != "" {
				w.sep = " "
				return
			}
		}
	}
	copy(w.parts[:], w.parts[1:])
	w.parts[len(w.parts)-1] = p
}

// date returns the date in the last three parts, and the byte after it.
func (w *window) date(monthFirst bool) (string, int) {
	a, b, c := &w.parts[3], &w.parts[4], &w.parts[5]
	if !c.number || a.text == "" {
		return "", 0
	}
	before := &w.parts[2]
	short := func(sep string) bool { return len(strings.TrimSpace(sep)) <= 3 && len(sep) <= 5 }
	if !short(b.sep) || !short(c.sep) {
		return "", 0
	}
	switch {
	case a.number && b.number:
		sep := strings.TrimSpace(b.sep)
		if sep == "" || sep != strings.TrimSpace(c.sep) && !strings.ContainsAny(b.sep, "年년") {
			return "", 0
		}
		if len(a.text) == 4 && strings.ContainsAny(sep, "-/.年년") { // year first
			return ymd(a.text, b.text, c.text), c.end
		}
		if !strings.ContainsAny(sep, "-/.") || len(sep) > 1 || len(a.text) > 2 || len(b.text) > 2 {
			return "", 0
		}
		if before.number && a.sep == sep { // 1.2.3.2004 is not a date
			return "", 0
		}
		year := c.text
		if len(year) == 2 && sep != "-" && len(a.text) == 2 && len(b.text) == 2 {
			century := "20"
			if year >= "69" { // as in POSIX
				century = "19"
			}
			year = century + year
		}
		if len(year) != 4 {
			return "", 0
		}
		day, month := a.text, b.text
		if n, _ := strconv.Atoi(b.text); n > 12 || sep == "/" && monthFirst {
			if m, _ := strconv.Atoi(a.text); m <= 12 {
				day, month = b.text, a.text
			}
		}
		return ymd(year, month, day), c.end
	case a.number && !b.number && len(c.text) == 4: // 9 March 2024
		if m := months[strings.ToLower(b.text)]; m > 0 && len(a.text) <= 2 {
			return ymd(c.text, strconv.Itoa(m), a.text), c.end
		}
	case !a.number && b.number && len(c.text) == 4: // March 9, 2024
		if m := months[strings.ToLower(a.text)]; m > 0 && len(b.text) <= 2 {
			return ymd(c.text, strconv.Itoa(m), b.text), c.end
		}
	case a.number && !b.number && len(a.text) == 4: // 2024 March 9
		if m := months[strings.ToLower(b.text)]; m > 0 && len(c.text) <= 2 {
			return ymd(a.text, strconv.Itoa(m), c.text), c.end
		}
	}
	return "", 0
}

// ymd returns a date in RFC 3339; "" if there is no such day or the year is out of range.
func ymd(year, month, day string) string {
	y, e1 := strconv.Atoi(year)
	m, e2 := strconv.Atoi(month)
	d, e3 := strconv.Atoi(day)
	if e1 != nil || e2 != nil || e3 != nil || y < minYear || y > maxYear || m < 1 || m > 12 || d < 1 {
		return ""
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d {
		return ""
	}
	return t.Format(time.DateOnly)
}

// urlDate returns the date in an address: /2024/03/09/, /2024-03-09-, /20240309; "" if there is
// none.
func urlDate(url string) string {
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+3:]
	}
	i := strings.IndexByte(url, '/')
	if i < 0 {
		return ""
	}
	path := url[i:]
	for i := 0; i+8 <= len(path); i++ {
		if !digitAt(path, i) || i > 0 && digitAt(path, i-1) {
			continue
		}
		j := i
		for digitAt(path, j) {
			j++
		}
		switch j - i {
		case 8:
			if d := ymd(path[i:i+4], path[i+4:i+6], path[i+6:j]); d != "" && !strings.Contains(path[:i], "=") {
				return d
			}
		case 4:
			if d := urlParts(path[i:], path[j:]); d != "" {
				return d
			}
		}
		i = j - 1
	}
	return ""
}

// urlParts returns the date from the year at the start of year, and the month and day in rest.
func urlParts(year, rest string) string {
	if rest == "" || strings.IndexByte("/-_.", rest[0]) < 0 {
		return ""
	}
	sep := rest[:1]
	f := strings.SplitN(rest[1:], sep, 3)
	if len(f) < 2 || f[0] == "" {
		return ""
	}
	n := 0
	for digitAt(f[1], n) {
		n++
	}
	if n == 0 || n > 2 || len(f[0]) > 9 {
		return ""
	}
	month := f[0]
	if m := months[strings.ToLower(month)]; m > 0 {
		month = strconv.Itoa(m)
	}
	return ymd(year[:4], month, f[1][:n])
}
