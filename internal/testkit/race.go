//go:build race

package testkit

// Race reports whether the race detector is part of the test.
const Race = true
