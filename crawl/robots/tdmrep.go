package robots

import (
	"bytes"
	"encoding/json"
)

// ReservationsPath is the path of the file in which a site reserves text and data mining: TDM
// Reservation Protocol, W3C Community Group, 2024.
const ReservationsPath = "/.well-known/tdmrep.json"

const (
	// MaxReservationBytes is the most bytes of a tdmrep.json that are read.
	MaxReservationBytes = 64 << 10
	// maxReservations is the most rules of a tdmrep.json that are read.
	maxReservations = 1000
)

// Reservations holds the rules of a tdmrep.json in their order. The zero Reservations reserves nothing.
type Reservations struct {
	rules []reservationRule
}

type reservationRule struct {
	match    string // normalized pattern
	reserved bool
}

// ParseReservations parses a tdmrep.json: an array of rules. Invalid rules are skipped. Of a file that is
// cut off, malformed or over the limits, the rules before that place count.
func ParseReservations(b []byte) *Reservations {
	r := &Reservations{}
	b = toUTF8(b)
	in := json.NewDecoder(bytes.NewReader(b[:min(len(b), MaxReservationBytes)]))
	if t, err := in.Token(); err != nil || t != json.Delim('[') {
		return r
	}
	for len(r.rules) < maxReservations && in.More() {
		var rule struct {
			Location any `json:"location"`
			Reserved any `json:"tdm-reservation"`
		}
		if err := in.Decode(&rule); err != nil {
			if _, ok := err.(*json.UnmarshalTypeError); ok {
				continue // no object
			}
			return r
		}
		at, ok := rule.Location.(string)
		if ok && canMatchPath(at) {
			r.rules = append(r.rules, reservationRule{normalizePattern(at), rule.Reserved == 1. || rule.Reserved == "1" || rule.Reserved == true})
		}
	}
	return r
}

// Reserve reports whether the first rule that matches a path reserves text and data mining. The path may
// have a query. Patterns are as in robots.txt.
func (r *Reservations) Reserve(path string) bool {
	if len(r.rules) == 0 {
		return false
	}
	path = normalizePath(path)
	for _, rule := range r.rules {
		if matches(rule.match, path) {
			return rule.reserved
		}
	}
	return false
}
