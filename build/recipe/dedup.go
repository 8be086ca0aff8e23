package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/dedup"
	"chaffinch/dedup/decontaminate"
	"chaffinch/dedup/exact"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/internal/settings"
)

// DedupMethod describes a method that finds duplicates.
type DedupMethod struct {
	// Name is the name in commands and recipes.
	Name string
	// Help is a one-line description for help and docs.
	Help string
	// Units are the units that it compares, the default first.
	Units []string
	// Takes are the JSON names of its settings, without unit.
	Takes []string
	// New returns the method. config holds the fields that differ from the defaults.
	New func(config json.RawMessage) (dedup.Method, error)
}

// DedupMethods lists the methods, the default first.
var DedupMethods = []DedupMethod{
	{"onion", "n-grams of words over paragraphs: drops paragraphs that mostly occur in better ranked documents", []string{"paragraph", "document"},
		takes(onion.Config{}), newOnion},
	{"minhash", "near-duplicate documents: clusters by signatures of their n-grams, one document of each stays", []string{"document"},
		takes(minhash.Config{}), newMinhash},
	{"exact", "units whose text, or address, is exactly the same", exact.Units,
		takes(exact.Config{}), newExact},
	{"decontaminate", "what shares long n-grams with test sets, so that no model learns the answers", decontaminate.Units,
		takes(decontaminate.Config{}), newDecontaminate},
}

// takes returns the names of the settings of a Config, without unit.
func takes(config any) []string {
	return slices.DeleteFunc(settings.Names(config), func(name string) bool { return name == "unit" })
}

// DedupNames returns the names of all methods, the default first.
func DedupNames() []string {
	names := make([]string, len(DedupMethods))
	for i, m := range DedupMethods {
		names[i] = m.Name
	}
	return names
}

// DedupMethodOf returns the method with the given name.
func DedupMethodOf(name string) (DedupMethod, error) {
	for _, m := range DedupMethods {
		if m.Name == name {
			return m, nil
		}
	}
	return DedupMethod{}, fmt.Errorf("method %q is not known: take one of %s", name, strings.Join(DedupNames(), ", "))
}

// Dedup returns the method with the given name. config is a JSON object of the Config fields
// that differ from the defaults; nil selects all defaults.
func Dedup(name string, config json.RawMessage) (dedup.Method, error) {
	m, err := DedupMethodOf(name)
	if err != nil {
		return nil, err
	}
	made, err := m.New(config)
	if err != nil {
		return nil, fmt.Errorf("method %s: %w", name, err)
	}
	return made, nil
}

// peek parses the settings that select the defaults of the others.
func peek(config json.RawMessage, into any) error {
	if len(config) == 0 {
		return nil
	}
	if err := json.Unmarshal(config, into); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return nil
}

func newOnion(config json.RawMessage) (dedup.Method, error) {
	var base struct{ Compat bool }
	if err := peek(config, &base); err != nil {
		return nil, err
	}
	cfg := onion.Default
	if base.Compat {
		cfg = onion.Compat
	}
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return onion.New(cfg)
}

func newMinhash(config json.RawMessage) (dedup.Method, error) {
	var base struct{ Preset, Unit string }
	if err := peek(config, &base); err != nil {
		return nil, err
	}
	if base.Unit != "" {
		return nil, errors.New("it compares documents alone")
	}
	cfg := minhash.Default
	if base.Preset != "" {
		p, err := minhash.PresetByName(base.Preset)
		if err != nil {
			return nil, err
		}
		cfg = p.Config
	}
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return minhash.New(cfg)
}

func newExact(config json.RawMessage) (dedup.Method, error) {
	cfg := exact.Default
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return exact.New(cfg)
}

func newDecontaminate(config json.RawMessage) (dedup.Method, error) {
	cfg := decontaminate.Default
	cfg.Parquet = ReadParquet
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return decontaminate.New(cfg)
}
