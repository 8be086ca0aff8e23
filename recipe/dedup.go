package recipe

import (
	"encoding/json"
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

// DedupOptions are what methods that find duplicates can be told. What is left
// out (nil, zero) keeps the method's default; what a method does not know is an
// error.
type DedupOptions struct {
	// Unit is what is compared.
	Unit string `json:"unit,omitempty"`
	// Ngram is the length of n-grams in words.
	Ngram int `json:"ngram,omitempty"`
	// Percent of a unit that must have been seen for it to go.
	Percent *float64 `json:"percent,omitempty"`
	// Stub is the number of words of a rest between copies that goes with them.
	Stub *int `json:"stub,omitempty"`
	// Template is the number of pages of a host that make shared text a template,
	// OnTemplate what is done with it.
	Template   *int   `json:"template,omitempty"`
	OnTemplate string `json:"on_template,omitempty"`
	// Preset names published settings.
	Preset string `json:"preset,omitempty"`
	// Bands and Rows of a signature, and the Bits of a key.
	Bands int `json:"bands,omitempty"`
	Rows  int `json:"rows,omitempty"`
	Bits  int `json:"bits,omitempty"`
	// Threshold is the minimum similarity as signatures estimate it, Verify the
	// minimum true Jaccard similarity.
	Threshold *float64 `json:"threshold,omitempty"`
	Verify    *float64 `json:"verify,omitempty"`
	// Fold lists what makes no difference.
	Fold []string `json:"fold,omitempty"`
	// MinUnitWords is the minimum number of words of a unit that is compared.
	MinUnitWords int `json:"min_unit_words,omitempty"`
	// WWW takes www.example.org and example.org for one host.
	WWW bool `json:"www,omitempty"`
	// Against are files and folders of test sets, AgainstFields the fields of
	// their JSON lines that hold text.
	Against       []string `json:"against,omitempty"`
	AgainstFields []string `json:"against_fields,omitempty"`
	// Compat names a program that is followed to the letter.
	Compat string `json:"compat,omitempty"`
	// Config is the method's own Config as JSON object.
	Config json.RawMessage `json:"config,omitempty"`
}

// DedupMethod is a way to find duplicates.
type DedupMethod struct {
	// Name is what --method takes.
	Name string
	// Help is one line for --help and the docs.
	Help string
	// Units are what it compares, the default first.
	Units []string
	// Takes are the names of the options that it knows, beside unit and config.
	Takes []string
	// New makes the method.
	New func(DedupOptions) (dedup.Method, error)
}

// DedupMethods is the table of methods, the default first.
var DedupMethods = []DedupMethod{
	{"onion", "n-grams of words over paragraphs: what was mostly seen in better ranked documents goes", []string{"paragraph", "document"},
		[]string{"ngram", "percent", "stub", "template", "on_template", "compat"}, newOnion},
	{"minhash", "near-duplicate documents: clusters by signatures of their n-grams, one document of each stays", []string{"document"},
		[]string{"ngram", "preset", "bands", "rows", "bits", "threshold", "verify"}, newMinhash},
	{"exact", "units whose text, or address, is exactly the same", exact.Units,
		[]string{"percent", "fold", "min_unit_words", "www"}, newExact},
	{"decontaminate", "what shares long n-grams with test sets, so that no model learns the answers", decontaminate.Units,
		[]string{"ngram", "percent", "min_unit_words", "against", "against_fields"}, newDecontaminate},
}

// DedupNames returns the names of all methods, the default first.
func DedupNames() []string {
	names := make([]string, len(DedupMethods))
	for i, m := range DedupMethods {
		names[i] = m.Name
	}
	return names
}

// Dedup makes the method of that name.
func Dedup(name string, o DedupOptions) (dedup.Method, error) {
	for _, m := range DedupMethods {
		if m.Name != name {
			continue
		}
		if o.Unit != "" && !slices.Contains(m.Units, o.Unit) {
			return nil, fmt.Errorf("method %s compares no unit %q: take one of %s", name, o.Unit, strings.Join(m.Units, ", "))
		}
		for _, set := range o.set() {
			if !slices.Contains(m.Takes, set) {
				return nil, fmt.Errorf("method %s does not know %s: it takes %s", name, optionFlag(set), flagList(m.Takes))
			}
		}
		made, err := m.New(o)
		if err != nil {
			return nil, fmt.Errorf("method %s: %w", name, err)
		}
		return made, nil
	}
	return nil, fmt.Errorf("method %q is not known: take one of %s", name, strings.Join(DedupNames(), ", "))
}

// set returns the names of the options that are set, but unit and config.
func (o DedupOptions) set() []string {
	o.Unit, o.Config = "", nil
	b, err := json.Marshal(o)
	if err != nil {
		return nil // plain values always marshal
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) != nil {
		return nil
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func optionFlag(name string) string { return "--" + strings.ReplaceAll(name, "_", "-") }

func flagList(names []string) string {
	flags := make([]string, len(names))
	for i, n := range names {
		flags[i] = optionFlag(n)
	}
	return strings.Join(flags, ", ")
}

// lay puts a value that is set over a default.
func lay[T any](dst *T, set *T) {
	if set != nil {
		*dst = *set
	}
}

// layNonZero puts a value that is not zero over a default.
func layNonZero[T comparable](dst *T, set T) {
	var zero T
	if set != zero {
		*dst = set
	}
}

func newOnion(o DedupOptions) (dedup.Method, error) {
	cfg := onion.Default
	switch o.Compat {
	case "":
	case "onion":
		cfg = onion.Compat
	default:
		return nil, fmt.Errorf("compat %q is not known: take onion", o.Compat)
	}
	layNonZero(&cfg.Unit, onion.Unit(o.Unit))
	layNonZero(&cfg.N, o.Ngram)
	lay(&cfg.Percent, o.Percent)
	lay(&cfg.Stub, o.Stub)
	lay(&cfg.Template, o.Template)
	layNonZero(&cfg.OnTemplate, onion.Rule(o.OnTemplate))
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	return onion.New(cfg)
}

func newMinhash(o DedupOptions) (dedup.Method, error) {
	cfg := minhash.Default
	if o.Preset != "" {
		i := slices.IndexFunc(minhash.Presets, func(p minhash.Preset) bool { return p.Config.Preset == o.Preset })
		if i < 0 {
			return nil, fmt.Errorf("preset %q is not known: take one of %s", o.Preset, strings.Join(minhash.PresetNames(), ", "))
		}
		cfg = minhash.Presets[i].Config
	}
	layNonZero(&cfg.Ngram, o.Ngram)
	layNonZero(&cfg.Bands, o.Bands)
	layNonZero(&cfg.Rows, o.Rows)
	layNonZero(&cfg.Bits, o.Bits)
	lay(&cfg.Threshold, o.Threshold)
	lay(&cfg.Verify, o.Verify)
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	return minhash.New(cfg)
}

func newExact(o DedupOptions) (dedup.Method, error) {
	cfg := exact.Default
	layNonZero(&cfg.Unit, o.Unit)
	if o.Percent != nil {
		cfg.Threshold = *o.Percent / 100
	}
	cfg.Fold, cfg.MinWords, cfg.WWW = o.Fold, o.MinUnitWords, o.WWW
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	return exact.New(cfg)
}

func newDecontaminate(o DedupOptions) (dedup.Method, error) {
	cfg := decontaminate.Default
	layNonZero(&cfg.Unit, o.Unit)
	layNonZero(&cfg.N, o.Ngram)
	layNonZero(&cfg.MinWords, o.MinUnitWords)
	if o.Percent != nil {
		cfg.Threshold = *o.Percent / 100
	}
	cfg.Against, cfg.Fields = o.Against, o.AgainstFields
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	return decontaminate.New(cfg)
}
