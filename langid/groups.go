package langid

import (
	"fmt"
	"slices"
)

// group is a group of similar languages, between which a second stage decides.
// Its evidence has classes of its own, behind those of the languages.
type group struct {
	name    string
	script  script
	salt    uint64
	classes []uint8 // of the evidence
	langs   []uint8 // the languages they stand for
}

// Group is a group of similar languages.
type Group struct {
	Name  string   `json:"name"`
	Langs []string `json:"langs"`
}

// DefaultGroups are the groups of the embedded model. A language is in one
// group; those without text are left out of it.
var DefaultGroups = []Group{
	{"cs-sk", []string{"cs", "sk"}},
	{"hr-sr-bs-sl", []string{"hr", "sr-Latn", "bs", "sl"}},
	{"da-nb-nn-sv", []string{"da", "nb", "nn", "sv"}},
	{"es-gl-pt-ca", []string{"es", "gl", "pt", "ca", "ast"}},
	{"id-ms", []string{"id", "ms"}},
	{"bg-mk-sr", []string{"bg", "mk", "sr"}},
	{"ru-uk-be", []string{"ru", "uk", "be"}},
	{"fa-ps", []string{"fa", "ps"}},
	{"hi-mr-ne", []string{"hi", "mr", "ne", "sa"}},
	{"zu-xh-ss", []string{"zu", "xh", "ss", "nr"}},
	{"st-tn-nso", []string{"st", "tn", "nso"}},
	{"af-nl", []string{"af", "nl", "fy"}},
	{"rw-rn", []string{"rw", "rn"}},
}

// salt sets the keys of a script, or of a group (maxScripts and above), apart
// from those of others.
func salt(space int) uint64 { return uint64(space) * 0xd6e8feb86659fd93 }

// setGroups numbers the classes of the groups that the settings name.
func (m *Model) setGroups() error {
	next := len(m.classes)
	for i, gs := range m.settings.Groups {
		g := group{name: gs.Name, salt: salt(maxScripts + i)}
		for _, l := range gs.Langs {
			c := slices.IndexFunc(m.classes, func(c class) bool { return c.lang == l })
			if c < 0 || next >= maxClasses || m.groupOf[c] != 0 || len(g.langs) > 0 && m.classes[c].script != g.script {
				return fmt.Errorf("model %s: group %s: %s has no class, another script or another group", m.name, gs.Name, l)
			}
			m.groupOf[c] = uint8(i + 1)
			g.script = m.classes[c].script
			g.langs = append(g.langs, uint8(c))
			g.classes = append(g.classes, uint8(next))
			next++
		}
		m.groups = append(m.groups, g)
	}
	return nil
}
