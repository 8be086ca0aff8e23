package extract

import "strings"

// Utility classes (Tailwind, Bootstrap) show which inline boxes are separate: "ml-2", "block", or
// "gap-4" on the parent.

// sides is a set of edges of a box with a gap.
type sides uint8

const (
	sideBegin sides = 1 << iota
	sideEnd
	bothSides = sideBegin | sideEnd
)

// boxSides returns the edges at which the classes of a box leave a gap.
func boxSides(class string) (at sides) {
	if len(class) < 4 { // "ml-2"
		return 0
	}
	for c := range strings.FieldsSeq(class) {
		switch c = unprefixedClass(c); c {
		case "block", "flex", "grid", "d-block", "d-flex", "d-grid", "absolute", "position-absolute",
			"float-left", "float-right", "float-start", "float-end", "pull-left", "pull-right":
			return bothSides
		}
		name, size, ok := strings.Cut(c, "-")
		if !ok || !isSize(size) {
			continue
		}
		switch name {
		case "m", "mx", "p", "px":
			return bothSides
		case "ml", "ms", "pl", "ps":
			at |= sideBegin
		case "mr", "me", "pr", "pe":
			at |= sideEnd
		}
	}
	return at
}

// separatesChildren reports whether the classes of an element leave a gap between its children.
func separatesChildren(class string) bool {
	if len(class) < len("gap-1") {
		return false
	}
	for c := range strings.FieldsSeq(class) {
		switch c = unprefixedClass(c); c {
		case "justify-between", "justify-around", "justify-evenly",
			"justify-content-between", "justify-content-around", "justify-content-evenly":
			return true
		}
		for _, prefix := range [...]string{"gap-x-", "gap-", "space-x-", "column-gap-"} {
			if size, ok := strings.CutPrefix(c, prefix); ok && isSize(size) {
				return true
			}
		}
	}
	return false
}

// unprefixedClass returns a class without its screen or state: "ml-2" for "md:ml-2".
func unprefixedClass(c string) string { return c[strings.LastIndexByte(c, ':')+1:] }

// isSize reports whether s is a visible size: "2", "auto", "[6px]", "md-3" with the name of a
// screen, but neither "0" nor "px", the width of a line.
func isSize(s string) bool {
	for _, screen := range [...]string{"sm-", "md-", "lg-", "xl-", "xxl-"} {
		s = strings.TrimPrefix(s, screen)
	}
	switch {
	case s == "auto":
		return true
	case s == "" || s == "0" || s == "[0]" || s == "[0px]":
		return false
	}
	return s[0] == '[' || '0' <= s[0] && s[0] <= '9'
}
