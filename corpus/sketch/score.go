package sketch

import "math"

// LogDice returns the score of a collocate: 14 + log2(2 f(w1,R,w2) / (f(w1,R,*) + f(*,*,w2))).
// f is the number of instances of the headword with the collocate in the relation, head the number
// of instances of the headword in the relation with any collocate, and coll the number of instances
// of the collocate in any relation with any headword. The maximum is 14.
//
// Rychlý 2008, "A lexicographer-friendly association score".
func LogDice(f, head, coll int64) float64 {
	if f <= 0 {
		return 0
	}
	return 14 + math.Log2(2*float64(f)/float64(head+coll))
}

// aScore returns the association score AScore of a context, which the thesaurus uses:
// log2(f(w1,R,w2) f(*,*,*) / (f(w1,R,*) f(*,*,w2))) ln(f(w1,R,w2) + 1).
func aScore(f, head, coll, all float64) float64 {
	return math.Log2(f/head*(all/coll)) * math.Log1p(f)
}
