package lines

import (
	"context"
	"slices"
)

// Ablatable is a system that can be trained without groups of its columns.
type Ablatable interface {
	System
	// Groups returns the names of the groups.
	Groups() []string
	// Without returns the system without the given groups, with the given name.
	Without(groups []string, name string) System
}

// Variant is a system with some of its groups of columns.
type Variant struct {
	// Group is the removed group, or with Alone the only group; "" for all groups.
	Group  string
	Alone  bool
	Result *Result
	// Test compares it with the system with all groups.
	Test Comparison
}

// Ablate measures the system with all groups, without each group, and with each group alone, on the
// same folds.
func Ablate(ctx context.Context, s *Set, sys Ablatable, protocol string, cfg Config) ([]Variant, error) {
	variants := []Variant{{}}
	systems := []System{sys}
	for _, alone := range []bool{false, true} {
		for _, g := range sys.Groups() {
			without, name := []string{g}, sys.Name()+" without "+g
			if alone {
				without, name = slices.DeleteFunc(slices.Clone(sys.Groups()), func(o string) bool { return o == g }), sys.Name()+" with "+g+" alone"
			}
			variants = append(variants, Variant{Group: g, Alone: alone})
			systems = append(systems, sys.Without(without, name))
		}
	}
	runs, err := Evaluate(ctx, s, systems, []string{protocol}, cfg)
	if err != nil {
		return nil, err
	}
	for i, r := range Results(s, runs) {
		variants[i].Result = r
		variants[i].Test = Compare(r, variants[0].Result)
	}
	return variants, nil
}
