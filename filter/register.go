package filter

import (
	"slices"
	"strings"

	"chaffinch/text/label/registers"
)

// registerScores returns a score for each main register.
func registerScores() (list []Score) {
	for i, name := range registers.Main {
		list = append(list, Score{strings.ToLower(name), "probability of the register " + registers.Names[i], Limit{}})
	}
	return list
}

// readRegisters reads the embedded model of registers.
func (s *Set) readRegisters() (sums []uint64, err error) {
	if s.registers, err = registers.Embedded(); err != nil {
		return nil, err
	}
	return []uint64{s.registers.Sum()}, nil
}

// registerProbabilities computes the scores of the group register. A document with too few words
// has none.
func registerProbabilities(s *Scorer, d *doc, out []float64) {
	p, ok := s.labelled(s.set.registers, d)
	if !ok {
		return
	}
	for c, class := range s.set.registers.Classes() {
		if i := slices.Index(registers.Main, class.Name); i >= 0 {
			out[i] = p[c]
		}
	}
}
