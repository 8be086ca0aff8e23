// Package lazyregexp defers the compilation of regular expressions to their first use, since
// every command pays for variables that are initialized before main.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles pattern at its first call and returns the
// same expression at all later ones. It panics at the first call where pattern is wrong.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
