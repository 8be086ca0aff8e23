package dedup

import (
	"fmt"

	"chaffinch/lab/eval/floors"
)

// Name returns the name of the set in files of floors: half, number of base documents, seed.
func (c Config) Name() string { return fmt.Sprintf("%s-%d-%d", c.Half, c.Bases, c.Seed) }

// Fingerprint identifies the planted documents.
func (s *Set) Fingerprint() floors.Fingerprint {
	return floors.Fingerprint{SHA256: s.Digest(), Pages: len(s.Docs)}
}

// Floored returns the figures that have floors.
func (r *Result) Floored() floors.System {
	f := map[string]float64{"removed_p": r.Removed.P(), "removed_r": r.Removed.R(), "words_p": r.Paras.P(), "words_r": r.Paras.R()}
	if r.Clusters {
		f["pairs_p"], f["pairs_r"], f["b3"], f["copies_p"] = r.Pairs.P(), r.Pairs.R(), r.BCubed(), r.Copies.P()
	}
	return floors.System{Name: r.System, Figures: f}
}
