package corpus

import (
	"fmt"
	"strconv"
)

// derivation computes an attribute of structures from another one, value by value.
// The index stores it like the words in lower case: it costs bytes for each
// distinct value and none for a structure.
type derivation struct {
	name, from string
	append     func(dst, value []byte) []byte
}

// derivations are added if the structure has the attribute from and no attribute
// with the derived name.
var derivations = []derivation{
	{"year", "date", func(dst, v []byte) []byte { return appendDate(dst, v, 1) }},
	{"month", "date", func(dst, v []byte) []byte { return appendDate(dst, v, 2) }},
	{"day", "date", func(dst, v []byte) []byte { return appendDate(dst, v, 3) }},
	{"host", "url", func(dst, v []byte) []byte { return append(dst, hostOf(string(v))...) }},
}

// appendDate appends the first parts of a date, 1 to 3 of year, month and day,
// as 2020-05-31. It appends nothing if the date has fewer parts. It accepts 2020,
// 2020-05, 2020-5-31, 2020/05/31, 2020.05.31, 20200531 and 20200531120000. All
// except the last two may have a time after T or a space.
func appendDate(dst, value []byte, parts int) []byte {
	n := digits(value)
	if n == 8 || n == 14 {
		value, n = fmt.Appendf(nil, "%s-%s-%s", value[:4], value[4:6], value[6:8]), 4
	}
	if n != 4 {
		return dst
	}
	found, rest := 1, value[4:]
	numbers := [3]int{}
	for most := [3]int{0, 12, 31}; found < 3 && len(rest) > 1 && (rest[0] == '-' || rest[0] == '/' || rest[0] == '.'); found++ {
		n := digits(rest[1:])
		x, err := strconv.Atoi(string(rest[1 : 1+n]))
		if n > 2 || err != nil || x < 1 || x > most[found] {
			return dst
		}
		numbers[found], rest = x, rest[1+n:]
	}
	if len(rest) > 0 && rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' || found < parts {
		return dst
	}
	dst = append(dst, value[:4]...)
	for _, x := range numbers[1:parts] {
		dst = fmt.Appendf(dst, "-%02d", x)
	}
	return dst
}
