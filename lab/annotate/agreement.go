// Package annotate measures the agreement of people on labels of lines ([Compare]), and makes
// sheets for labelling the blocks of pages with an editor ([NewSheet]), tables of their roles
// ([ReadRoleLabels]) and gold text ([GoldText]).
package annotate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"chaffinch/internal/sorts"
	"chaffinch/internal/truth"
	"chaffinch/lab/gold"
)

// Agreement holds the agreement of two people on the lines that both labelled.
type Agreement struct {
	// Lang is the language of the documents, "" for all documents.
	Lang             string
	Documents, Lines int
	// Counts[a][b] is the number of lines labelled a by the first person and b by the second, 1 =
	// text.
	Counts [2][2]int
}

// Accuracy returns the fraction of lines with the same label, 0 to 1.
func (a Agreement) Accuracy() float64 {
	return float64(a.Counts[0][0]+a.Counts[1][1]) / float64(a.Lines)
}

// Kappa returns Cohen's kappa (1960): (p - e) / (1 - e), where p is the accuracy and e the expected
// accuracy by chance for the two fractions of text. ok is false if e is 1, for example if both
// label every line as text.
func (a Agreement) Kappa() (k float64, ok bool) {
	n := float64(a.Lines)
	e := 0.0
	for l := range 2 {
		e += float64(a.Counts[l][0]+a.Counts[l][1]) / n * float64(a.Counts[0][l]+a.Counts[1][l]) / n
	}
	if e >= 1 {
		return 0, false
	}
	return (a.Accuracy() - e) / (1 - e), true
}

// Alpha returns Krippendorff's alpha for two people and nominal labels (Krippendorff 2004, section
// 11.3): 1 - (n-1) d / (n0 n1). d is the number of lines with different labels; n0 and n1 are the
// numbers of boilerplate and text labels among n = 2 Lines labels. ok is false if all labels are
// the same.
func (a Agreement) Alpha() (alpha float64, ok bool) {
	d := float64(a.Counts[0][1] + a.Counts[1][0])
	n0 := 2*float64(a.Counts[0][0]) + d
	n1 := 2*float64(a.Counts[1][1]) + d
	if n0 == 0 || n1 == 0 {
		return 0, false
	}
	return 1 - (n0+n1-1)*d/(n0*n1), true
}

// Difference is a line with different labels.
type Difference struct {
	Document string
	Line     int // from 1
	A, B     bool
	Text     string
}

// Comparison holds the comparison of two people's labels.
type Comparison struct {
	// Agreements has an entry for all documents, then one for each language if there are several.
	Agreements  []Agreement
	Differences []Difference
	// OnlyA and OnlyB hold the ids of documents that only A or only B labelled.
	OnlyA, OnlyB []string
}

// Compare compares the labels of two people in the order of the documents of a. A document with
// different lines is an error, and so is having no document in common.
func Compare(a, b []*gold.LineDoc) (*Comparison, error) {
	byID := map[string]*gold.LineDoc{}
	for _, d := range b {
		byID[d.ID] = d
	}
	c := &Comparison{}
	all := &Agreement{}
	of := map[string]*Agreement{}
	for _, d := range a {
		e := byID[d.ID]
		if e == nil {
			c.OnlyA = append(c.OnlyA, d.ID)
			continue
		}
		delete(byID, d.ID)
		if !slices.Equal(d.Lines, e.Lines) {
			n := 0
			for n < len(d.Lines) && n < len(e.Lines) && d.Lines[n] == e.Lines[n] {
				n++
			}
			return nil, fmt.Errorf("document %s has other lines for the one than for the other, from line %d on (%d and %d lines): compare labels of the same text", d.ID, n+1, len(d.Lines), len(e.Lines))
		}
		lang := of[d.Lang]
		if lang == nil {
			lang = &Agreement{Lang: d.Lang}
			of[d.Lang] = lang
		}
		for _, g := range []*Agreement{all, lang} {
			g.Documents++
			g.Lines += len(d.Lines)
			for i, l := range d.Labels {
				g.Counts[truth.Int(l)][truth.Int(e.Labels[i])]++
			}
		}
		for i, l := range d.Labels {
			if l != e.Labels[i] {
				c.Differences = append(c.Differences, Difference{d.ID, i + 1, l, e.Labels[i], d.Lines[i]})
			}
		}
	}
	for _, d := range b {
		if byID[d.ID] != nil {
			c.OnlyB = append(c.OnlyB, d.ID)
		}
	}
	if all.Documents == 0 {
		return nil, errors.New("no document that both have labelled: documents are matched by their ids")
	}
	c.Agreements = append(c.Agreements, *all)
	if len(of) > 1 {
		for _, g := range of {
			c.Agreements = append(c.Agreements, *g)
		}
		sorts.Func(c.Agreements[1:], func(x, y Agreement) int { return cmp.Compare(x.Lang, y.Lang) })
	}
	return c, nil
}
