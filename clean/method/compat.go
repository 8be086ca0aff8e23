package method

import (
	"encoding/json"
	"fmt"
	"strings"
)

// compats are the programs that a method can be bug-compatible with: the name, the method, and the setting of its Config that does it.
var compats = []struct{ Name, Method, Field, Value string }{
	{"pyplexity", "perplexity", "compat", "pyplexity"},
	{"justext-3.0", "justext", "preset", "justext-3.0"},
}

// CompatNames returns the names of all compats.
func CompatNames() []string {
	names := make([]string, len(compats))
	for i, c := range compats {
		names[i] = c.Name
	}
	return names
}

// Compat returns config, the JSON object of a method's settings or nothing,
// with the one added by which the method follows the program of that name.
func Compat(name, method string, config json.RawMessage) (json.RawMessage, error) {
	for _, c := range compats {
		if c.Name != name {
			continue
		}
		if c.Method != method {
			return nil, fmt.Errorf("compat %s: found method %s, wanted %s: choose the method %s", name, method, c.Method, c.Method)
		}
		settings := map[string]json.RawMessage{}
		if len(config) > 0 {
			if err := json.Unmarshal(config, &settings); err != nil {
				return nil, fmt.Errorf("config: %w", err)
			}
		}
		value, err := json.Marshal(c.Value)
		if err != nil {
			return nil, err
		}
		settings[c.Field] = value
		return json.Marshal(settings)
	}
	return nil, fmt.Errorf("compat %q is not known: take one of %s", name, strings.Join(CompatNames(), ", "))
}
