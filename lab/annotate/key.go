package annotate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Key is a key: the character that it types, or one of the names below. "" is a
// key that is not known.
type Key string

// Keys that type no character.
const (
	Up        Key = "up"
	Down      Key = "down"
	Left      Key = "left"
	Right     Key = "right"
	PageUp    Key = "pgup"
	PageDown  Key = "pgdn"
	Home      Key = "home"
	End       Key = "end"
	Enter     Key = "enter"
	Esc       Key = "esc"
	Tab       Key = "tab"
	Space     Key = "space"
	Backspace Key = "backspace"
	CtrlC     Key = "ctrl-c"
)

// keyNames are the keys that a script can name.
var keyNames = []Key{Up, Down, Left, Right, PageUp, PageDown, Home, End, Enter, Esc, Tab, Space, Backspace, CtrlC}

// controls are keys that are one byte.
var controls = map[byte]Key{
	'\r': Enter, '\n': Enter, '\t': Tab, ' ': Space, 0x7f: Backspace, 0x08: Backspace,
	0x03: CtrlC, 0x02: PageUp, 0x06: PageDown,
}

// finals are keys by the last byte of their sequence, numbered by the number
// before "~" (ECMA-48 and the function keys of the VT220).
var (
	finals   = map[byte]Key{'A': Up, 'B': Down, 'C': Right, 'D': Left, 'H': Home, 'F': End}
	numbered = map[string]Key{"1": Home, "7": Home, "4": End, "8": End, "5": PageUp, "6": PageDown}
)

// Decoder makes keys of the bytes of a terminal.
type Decoder struct{ rest []byte }

// Keys returns the keys of what was read at once. A sequence that is not whole
// waits for the next bytes; an escape byte that ends the bytes is the key of
// that name.
func (d *Decoder) Keys(b []byte) (keys []Key) {
	b = append(d.rest, b...)
	for len(b) > 0 {
		k, n := decode(b)
		if n == 0 {
			break
		}
		if k != "" {
			keys = append(keys, k)
		}
		b = b[n:]
	}
	d.rest = bytes.Clone(b)
	return keys
}

// decode returns the first key of b and its length, 0 if it is not whole.
func decode(b []byte) (Key, int) {
	if k, ok := controls[b[0]]; ok {
		return k, 1
	}
	if b[0] == 0x1b {
		if len(b) == 1 || b[1] != '[' && b[1] != 'O' {
			return Esc, 1
		}
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				if b[i] == '~' {
					num, _, _ := strings.Cut(string(b[2:i]), ";")
					return numbered[num], i + 1
				}
				return finals[b[i]], i + 1
			}
			if b[i] < 0x20 || b[i] > 0x7e || i > 32 { // no sequence
				return "", i
			}
		}
		return "", 0
	}
	if !utf8.FullRune(b) {
		return "", 0
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
		return "", n
	}
	return Key(r), n
}

// ParseKeys reads the keys of a line of a script, with spaces between: a
// character, a name such as "down" or "enter", labels together ("ttb"), each
// with a number before that repeats it ("12b", "3down"). A line that begins with
// "/" is a search.
func ParseKeys(line string) (keys []Key, err error) {
	if q, ok := strings.CutPrefix(line, "/"); ok {
		keys = append(keys, "/")
		for _, r := range q {
			if r == ' ' {
				keys = append(keys, Space)
			} else {
				keys = append(keys, Key(r))
			}
		}
		return append(keys, Enter), nil
	}
	for _, word := range strings.Fields(line) {
		name := strings.TrimLeft(word, "0123456789")
		n := 1
		if digits := word[:len(word)-len(name)]; digits != "" {
			if n, err = strconv.Atoi(digits); err != nil || n > 100_000 {
				return nil, fmt.Errorf("key %q: wanted a number up to 100000 before a key", word)
			}
		}
		var one []Key
		switch {
		case utf8.RuneCountInString(name) == 1:
			one = []Key{Key(name)}
		case known(name):
			one = []Key{Key(name)}
		case name != "" && strings.Trim(name, "tb") == "":
			for _, r := range name {
				one = append(one, Key(r))
			}
		default:
			return nil, fmt.Errorf("key %q: wanted a character or one of %s", word, names())
		}
		for range n {
			keys = append(keys, one...)
		}
	}
	return keys, nil
}

func known(name string) bool {
	for _, k := range keyNames {
		if string(k) == name {
			return true
		}
	}
	return false
}

func names() string {
	var out []string
	for _, k := range keyNames {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}
