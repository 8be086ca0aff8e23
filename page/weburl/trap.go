package weburl

import (
	"slices"
	"strings"
)

// Trap is the reason why an address looks like one of endlessly many.
type Trap uint8

// The traps. The limits follow SpiderLing, Heritrix and Zeno.
const (
	NoTrap          Trap = iota
	LongPath             // path and query of more than 500 characters
	DeepPath             // more than 30 slashes
	RepeatedParts        // more than 4 repeated parts between slashes, ampersands and dots
	RepeatedSegment      // the same segment or parameter more than 3 times, or two segments 3 times
	HostInPath           // a host in the path: a link without its scheme
	RepeatedLabels       // more than 3 repeated labels in the host
	NoName               // host name that the domain name system does not allow
)

var traps = [...]string{"", "long-path", "deep-path", "repeated-parts", "repeated-segment", "host-in-path", "repeated-labels", "no-name"}

// String returns the name of t, such as "deep-path"; "" for NoTrap.
func (t Trap) String() string { return traps[t] }

const (
	maxPath        = 500
	maxSlashes     = 30
	maxParts       = 4  // parts minus distinct parts
	maxLabels      = 3  // labels minus distinct labels
	maxSame        = 3  // occurrences of one segment or parameter
	manySegments   = 10 // segments of a path in which two must not be repeated
	maxNameBytes   = 253
	maxLabelBytes  = 63
	shortestDomain = len("www.a.b")
)

// Trap returns the reason why the address looks like one of endlessly many that a server
// generates, NoTrap if it does not.
func (u URL) Trap() Trap {
	target, host := u.Target(), u.Host()
	switch {
	case len(target) > maxPath:
		return LongPath
	case strings.Count(target, "/") > maxSlashes:
		return DeepPath
	case !isName(host):
		return NoName
	case repeats(host, ".", maxLabels):
		return RepeatedLabels
	}
	if t := u.segments(); t != NoTrap {
		return t
	}
	if repeats(target, "/&.", maxParts) {
		return RepeatedParts
	}
	return NoTrap
}

// isName reports whether the domain name system allows host.
func isName(host string) bool {
	if host[0] == '[' {
		return true
	}
	if len(strings.TrimSuffix(host, ".")) > maxNameBytes {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(host, "."), ".") {
		if label == "" || len(label) > maxLabelBytes {
			return false
		}
	}
	return true
}

// repeats reports whether more than limit parts of s, separated by characters of cuts, occurred
// before in s.
func repeats(s, cuts string, limit int) bool {
	var seen [8 * maxSlashes]string // enough for most; further parts are compared, but not added
	n, again := 0, 0
	for s != "" {
		i := strings.IndexAny(s, cuts)
		part := s
		if i >= 0 {
			part, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if part == "" {
			continue
		}
		if slices.Contains(seen[:n], part) {
			if again++; again > limit {
				return true
			}
		} else if n < len(seen) {
			seen[n] = part
			n++
		}
	}
	return false
}

// segments checks the segments of the path and the parameters of the query.
func (u URL) segments() Trap {
	var seen [maxSlashes + 2]struct {
		s string
		n int
	}
	n, all, threefold := 0, 0, 0
	count := func(s string) (times int) {
		for i := range seen[:n] {
			if seen[i].s == s {
				seen[i].n++
				return seen[i].n
			}
		}
		if n < len(seen) {
			seen[n].s, seen[n].n = s, 1
			n++
		}
		return 1
	}
	for s := range strings.SplitSeq(u.Path(), "/") {
		if s == "" {
			continue
		}
		all++
		if isHost(s) || s == u.Host() {
			return HostInPath
		}
		switch count(s) {
		case maxSame:
			threefold++
		case maxSame + 1:
			return RepeatedSegment
		}
	}
	if all >= manySegments && threefold >= 2 {
		return RepeatedSegment
	}
	n = 0
	for p := range strings.SplitSeq(u.Query(), "&") {
		if p != "" && count(p) > maxSame {
			return RepeatedSegment
		}
	}
	return NoTrap
}

// isHost reports whether a segment of a path was meant as a host.
func isHost(s string) bool {
	return s == "http:" || s == "https:" || len(s) >= shortestDomain && strings.EqualFold(s[:4], "www.") && strings.IndexByte(s[4:], '.') >= 0
}
