// Package lazyregexp compiles regular expressions when they are first used: every command
// would pay for variables that a program initializes before main, also those that never
// use them.
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
