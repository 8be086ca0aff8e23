package lines

import (
	"fmt"
	"strings"
)

// SystemOptions configures systems.
type SystemOptions struct {
	// Model is the path of the model of the line labeller. Default: the embedded model.
	Model string
	// Without lists groups of columns that the line labeller is trained without.
	Without []string
}

// DefaultSystem is the default system of the command.
const DefaultSystem = "lines"

// systems lists the built-in systems by name.
var systems = []struct {
	name string
	make func(SystemOptions) (System, error)
}{
	{"lines", func(o SystemOptions) (System, error) { return newLabeller(o), nil }},
	{"lines-fast", func(o SystemOptions) (System, error) { return newFast(o), nil }},
	{"logistic", func(SystemOptions) (System, error) { return defaultLogistic, nil }},
	{"ncleaner", func(SystemOptions) (System, error) { return defaultNCleaner, nil }},
	{"keep", func(SystemOptions) (System, error) { return KeepAll{}, nil }},
}

// SystemByName returns a built-in system.
func SystemByName(name string, o SystemOptions) (System, error) {
	for _, s := range systems {
		if s.name == name {
			return s.make(o)
		}
	}
	return nil, fmt.Errorf("%q is not a system: take %s", name, strings.Join(SystemNames(), ", "))
}

// SystemNames returns the names of the built-in systems.
func SystemNames() (names []string) {
	for _, s := range systems {
		names = append(names, s.name)
	}
	return names
}
