package generate

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/settings"
)

// Text is a source document.
type Text struct{ Lang, Text string }

// Made is a generated document.
type Made struct {
	// Of is the index of the source document, Kind the name of the kind.
	Of   int
	Kind string
	Lang string
	Text string
}

// KindsNamed returns the kinds with the given names, or all kinds if names is empty.
func KindsNamed(names []string) (list []Kind, err error) {
	if len(names) == 0 {
		return Kinds, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
		if i < 0 {
			if near := settings.Nearest(name, Names()); near != "" {
				return nil, fmt.Errorf("kind %q is not known: did you mean %s?", name, near)
			}
			return nil, fmt.Errorf("kind %q is not known: there are %s", name, strings.Join(Names(), ", "))
		}
		list = append(list, Kinds[i])
	}
	return list, nil
}

// Mix generates a document from each text, cycling through the kinds. It skips texts of a language
// with too little text.
func Mix(texts []Text, kinds []Kind, seed uint64) (made []Made) {
	byLang := map[string][]string{}
	for _, t := range texts {
		byLang[t.Lang] = append(byLang[t.Lang], t.Text)
	}
	makers := map[string]*maker{}
	turn := map[string]int{}
	for i, t := range texts {
		m := makers[t.Lang]
		if m == nil {
			m = newMaker(t.Lang, byLang[t.Lang])
			makers[t.Lang] = m
		}
		if m.empty() {
			continue
		}
		k := kinds[turn[t.Lang]%len(kinds)]
		turn[t.Lang]++
		if text := m.document(k, t.Text, seed+uint64(i)); text != "" {
			made = append(made, Made{i, k.Name, t.Lang, text})
		}
	}
	return made
}
