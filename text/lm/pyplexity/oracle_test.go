package pyplexity_test

import "regexp"

// The regular expressions of PyPlexity's tokeniser, in Go's syntax.
var (
	fullStops = regexp.MustCompile(`\. [\pL\pN_]*`)
	lastStop  = regexp.MustCompile(`\.(\n?)\z`)
	quotes    = regexp.MustCompile(` *" *`)
	whites    = regexp.MustCompile(`[\s\v\x1c-\x1f\x{85}\p{Z}]+`)
)
