// Package registers finds the registers of texts with the embedded model: [Embedded] and [Of].
//
// Registers are kinds of text by purpose, such as news, advice or discussion, in the scheme of
// CORE (Biber and Egbert, Register Variation Online, 2018). docs/explanation/registers.md lists
// the codes.
//
// Unstable: this package may change in any release.
package registers

import (
	"sync"

	"chaffinch/model/data"
	"chaffinch/text/label"
)

// Main lists the codes of the main registers. MT is not a register but a technical class:
// machine-translated and generated text.
var Main = []string{"HI", "ID", "IN", "IP", "LY", "MT", "NA", "OP", "SP"}

// Names describes the main registers, in the order of [Main].
var Names = []string{"how-to and instructions", "interactive discussion", "informational description", "informational persuasion", "lyrical",
	"machine-translated or generated", "narrative", "opinion", "spoken"}

// Embedded returns the embedded model. The program must import [chaffinch/model/data/registers].
func Embedded() (*label.Model, error) {
	if data.Registers == nil {
		return nil, data.ErrNoRegisters
	}
	return parse()
}

var parse = sync.OnceValues(func() (*label.Model, error) { return label.Parse("registers.chf", data.Registers) })

// Of returns the codes of the registers of a text: main registers, each followed by its
// sub-registers. It returns nil for a text of fewer than [label.MinWords] words.
func Of(s *label.Scorer, m *label.Model, text string) (codes []string) {
	p, ok := s.Score(m, label.Doc{Text: text})
	if !ok {
		return nil
	}
	found := map[int]bool{}
	for _, c := range m.Decide(p, nil) {
		found[c] = true
	}
	for c, class := range m.Classes() { // parents come before their subclasses, in order of names
		if found[c] {
			codes = append(codes, class.Name)
		}
	}
	return codes
}
