package annotate

import "slices"

// Nominal holds the agreement of people on units with one of any number of labels each.
type Nominal struct {
	// Units is the number of units with labels of several people, Same the number of these with a
	// single label.
	Units, Same int
	// Kappa is Cohen's kappa (1960) of two people, Alpha Krippendorff's alpha for nominal labels
	// (2004, section 11.3). KappaOK and AlphaOK report whether they are defined. Neither is if all
	// labels are the same, and Kappa only for two people.
	Kappa, Alpha     float64
	KappaOK, AlphaOK bool
}

// Nominally computes the agreement. units holds for each unit the label of each person in the same
// order, "" for none.
func Nominally(units [][]string) (n Nominal) {
	coincide := map[[2]string]float64{} // pairs of labels of a unit; each unit counts as often as it has labels
	of := map[string]float64{}
	var pairs [][2]string // of two people
	twoOnly := true
	for _, u := range units {
		labels := slices.DeleteFunc(slices.Clone(u), func(l string) bool { return l == "" })
		twoOnly = twoOnly && len(u) == 2
		if len(labels) < 2 {
			continue
		}
		n.Units++
		if !slices.ContainsFunc(labels, func(l string) bool { return l != labels[0] }) {
			n.Same++
		}
		if len(u) == 2 {
			pairs = append(pairs, [2]string{u[0], u[1]})
		}
		for i, a := range labels {
			of[a]++
			for k, b := range labels {
				if i != k {
					coincide[[2]string{a, b}] += 1 / float64(len(labels)-1)
				}
			}
		}
	}
	if n.Units == 0 {
		return n
	}
	all, differ, chance := 0., 0., 0.
	for _, a := range of {
		all += a
	}
	for p, c := range coincide {
		if p[0] != p[1] {
			differ += c
		}
	}
	for l, a := range of {
		for m, b := range of {
			if l != m {
				chance += float64(a * b)
			}
		}
	}
	if n.AlphaOK = chance > 0; n.AlphaOK {
		n.Alpha = 1 - (all-1)*differ/chance
	}
	if twoOnly {
		n.Kappa, n.KappaOK = kappa(pairs)
	}
	return n
}

// kappa returns Cohen's kappa.
func kappa(pairs [][2]string) (k float64, ok bool) {
	var of [2]map[string]float64
	of[0], of[1] = map[string]float64{}, map[string]float64{}
	same, n := 0., float64(len(pairs))
	for _, p := range pairs {
		of[0][p[0]]++
		of[1][p[1]]++
		if p[0] == p[1] {
			same++
		}
	}
	chance := 0.
	for l, a := range of[0] {
		chance += a / n * of[1][l] / n
	}
	if chance >= 1 {
		return 0, false
	}
	return (same/n - chance) / (1 - chance), true
}
