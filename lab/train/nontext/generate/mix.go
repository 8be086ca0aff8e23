package generate

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/settings"
)

// Text is a document to make others of.
type Text struct{ Lang, Text string }

// Made is a document that was made.
type Made struct {
	// Of is the place of the document that it is made of, Kind the name of its kind.
	Of   int
	Kind string
	Lang string
	Text string
}

// KindsNamed returns the kinds of these names, all for none.
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

// Mix makes a document of each text, the kinds in turn. Texts of a language with too
// little text to make others of give none.
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
