// Package lazyregexp defers the compilation of regular expressions to their first use with [New].
// Variables that are initialised before main slow down the start of every command.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles pattern at its first call and returns the same expression at
// later calls. The first call panics if pattern is invalid. New is not inlined: an inlined
// call takes about a kilobyte.
//
//go:noinline
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
