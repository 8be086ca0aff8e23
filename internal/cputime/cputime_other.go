//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns the wall time since the start: the processor time is not available.
func Used() time.Duration { return time.Since(start) }
