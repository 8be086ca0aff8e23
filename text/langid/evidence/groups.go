package evidence

import (
	"fmt"
	"slices"
)

// Group is a group of similar languages, between which a second stage decides.
// Its evidence has classes of its own, behind those of the languages.
type Group struct {
	name    string
	Script  Script
	salt    uint64
	Classes []uint8 // of the evidence
	Langs   []uint8 // the languages they stand for
}

// GroupSettings is a group of similar languages in the section "settings".
type GroupSettings struct {
	Name  string   `json:"name"`
	Langs []string `json:"langs"`
}

// Salt sets the keys of a script, or of a group (maxScripts and above), apart
// from those of others.
func Salt(space int) uint64 { return uint64(space) * 0xd6e8feb86659fd93 }

// setGroups numbers the classes of the groups that the settings name.
func (m *Model) setGroups() error {
	next := len(m.Classes)
	for i, gs := range m.Settings.Groups {
		g := Group{name: gs.Name, salt: Salt(MaxScripts + i)}
		for _, l := range gs.Langs {
			c := slices.IndexFunc(m.Classes, func(c class) bool { return c.Lang == l })
			if c < 0 || next >= MaxClasses || m.GroupOf[c] != 0 || len(g.Langs) > 0 && m.Classes[c].Script != g.Script {
				return fmt.Errorf("model %s: group %s: %s has no class, another script or another group", m.Name, gs.Name, l)
			}
			m.GroupOf[c] = uint8(i + 1)
			g.Script = m.Classes[c].Script
			g.Langs = append(g.Langs, uint8(c))
			g.Classes = append(g.Classes, uint8(next))
			next++
		}
		m.Groups = append(m.Groups, g)
	}
	return nil
}
