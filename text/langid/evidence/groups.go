package evidence

import (
	"fmt"
	"math"
	"slices"
)

// Group is a group of similar languages, among which a second stage decides. Its evidence has
// separate classes, numbered over all groups.
type Group struct {
	name    string
	Script  Script
	salt    uint64
	Classes []uint16 // classes of the evidence, ascending
	Langs   []uint16 // the languages that the classes represent
}

// GroupSettings is a group of similar languages in the section "settings".
type GroupSettings struct {
	Name  string   `json:"name"`
	Langs []string `json:"langs"`
}

// Salt returns a number that separates the keys of a script, or of a group (MaxScripts and
// above), from other keys.
func Salt(space int) uint64 { return uint64(space) * 0xd6e8feb86659fd93 }

// setGroups assigns classes to the groups in the settings.
func (m *Model) setGroups() error {
	next := 0
	for i, gs := range m.Settings.Groups {
		g := Group{name: gs.Name, salt: Salt(MaxScripts + i)}
		for _, l := range gs.Langs {
			c := slices.IndexFunc(m.Classes, func(c class) bool { return c.Lang == l })
			if c < 0 || next >= MaxClasses || i >= math.MaxUint8 || m.GroupOf[c] != 0 || len(g.Langs) > 0 && m.Classes[c].Script != g.Script {
				return fmt.Errorf("model %s: group %s: %s has no class, another script or another group", m.Name, gs.Name, l)
			}
			m.GroupOf[c] = uint8(i + 1)
			g.Script = m.Classes[c].Script
			g.Langs = append(g.Langs, uint16(c))
			g.Classes = append(g.Classes, uint16(next))
			next++
		}
		m.Groups = append(m.Groups, g)
	}
	return nil
}
