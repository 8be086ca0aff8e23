package method

import (
	"encoding/json"
	"fmt"
	"strings"
)

// compats lists the programs that a method can be bug-compatible with: the program's name,
// the method, and the field and value of its Config.
var compats = []struct{ Name, Method, Field, Value string }{
	{"pyplexity", "perplexity", "compat", "pyplexity"},
	{"justext-3.0", "justext", "preset", "justext-3.0"},
}

// CompatNames returns the names that [Compat] accepts.
func CompatNames() []string {
	names := make([]string, len(compats))
	for i, c := range compats {
		names[i] = c.Name
	}
	return names
}

// Compat returns the JSON settings of a method with the setting added that makes it
// bug-compatible with the named program. An empty config means no settings. It is an error
// if the name is unknown or belongs to another method.
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
