//go:build !unix

package langid

import "time"

var start = time.Now()

// processorTime returns the wall time, for want of better.
func processorTime() time.Duration { return time.Since(start) }
