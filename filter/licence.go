package filter

import (
	"slices"
	"strings"
)

// AddLicence adds the rule that the licence of a document has all of the given terms, which are
// scores of the group licence. An empty list adds no rule.
func (c *Config) AddLicence(terms []string) error {
	if len(terms) == 0 {
		return nil
	}
	group, err := groupOf("licence", Names())
	if err != nil {
		return err
	}
	var names []string
	for i := range group.Scores {
		names = append(names, group.Scores[i].Name)
	}
	limits := map[string]Limit{}
	for _, term := range terms {
		if !slices.Contains(names, term) {
			return unknown("terms", term, names)
		}
		limits["licence."+term] = atLeast(1)
	}
	if c.Limits = merged(c.Limits, limits); !slices.Contains(c.Use, group.Name) {
		c.Use = append(slices.Clip(c.Use), group.Name)
	}
	return nil
}

// licence computes the scores of the group licence.
func licence(s *Scorer, _ *doc, out []float64) {
	clear(out)
	terms, ok := creativeCommons(s.in.License)
	if !ok {
		return
	}
	out[0] = 1
	if !slices.Contains(terms, "nc") {
		out[1] = 1
	}
	if !slices.Contains(terms, "nd") {
		out[2] = 1
	}
}

// creativeCommons returns the terms of a Creative Commons licence ("by", "nc"), written as "CC
// BY-NC 4.0", "cc-by-nc-4.0", "CC0" or an address. It reports whether the licence is one.
func creativeCommons(stated string) (terms []string, ok bool) {
	stated = strings.ToLower(strings.TrimSpace(stated))
	if _, path, address := strings.Cut(stated, "creativecommons.org/"); address {
		stated = "cc " + strings.TrimPrefix(path, "licenses/")
	}
	terms = strings.FieldsFunc(stated, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '/' })
	switch {
	case stated == "public domain mark":
		return terms, true
	case len(terms) == 0:
		return nil, false
	case terms[0] == "cc0":
		return terms, true
	case len(terms) < 2 || terms[0] != "cc":
		return nil, false
	}
	return terms, slices.Contains([]string{"by", "nc", "nd", "sa", "0", "zero", "pdm", "publicdomain"}, terms[1])
}
