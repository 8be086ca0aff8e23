// Package lazy makes what takes long when it is first asked for: what a program makes
// of its variables before main is paid by every command, also by those that never
// use it.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles pattern at its first call and returns the
// same expression at all later ones. It panics at the first call where pattern is wrong.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
