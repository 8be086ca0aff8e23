//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns the wall time, for want of better.
func Used() time.Duration { return time.Since(start) }
