package lines

import (
	"fmt"
	"strings"

	"chaffinch/clean/lines"
)

// SystemOptions are the settings of systems.
type SystemOptions struct {
	// Model is the path of the model of the line labeller, "" for the embedded
	// one.
	Model string
	// Without names groups of columns that the line labeller is trained without.
	Without []string
}

// DefaultSystem is what the command runs if it is told nothing else.
const DefaultSystem = "logistic"

// Groups names the groups of columns of the line labeller.
func Groups() (names []string) {
	for _, g := range lines.ColumnGroups() {
		names = append(names, g.Name)
	}
	return names
}

// systems makes the built-in systems, by name.
var systems = []struct {
	name string
	make func(SystemOptions) (System, error)
}{
	{"logistic", func(SystemOptions) (System, error) { return DefaultLogistic, nil }},
	{"ncleaner", func(SystemOptions) (System, error) { return DefaultNCleaner, nil }},
	{"keep", func(SystemOptions) (System, error) { return Keep{}, nil }},
}

// SystemByName returns a built-in system.
func SystemByName(name string, o SystemOptions) (System, error) {
	var names []string
	for _, s := range systems {
		if s.name == name {
			return s.make(o)
		}
		names = append(names, s.name)
	}
	return nil, fmt.Errorf("%q is no system: take %s", name, strings.Join(names, ", "))
}
