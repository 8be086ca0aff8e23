package page

import (
	"fmt"
	"strings"
)

// Features is a set of features that a writer of structured text can omit.
type Features uint16

// The features.
const (
	FeatureLinks    Features = 1 << iota // addresses of links; their text is kept
	FeatureImages                        // images
	FeatureMarks                         // emphasis, strong, deleted, sub- and superscript
	FeatureCodes                         // code, inline and as blocks, marked as such
	FeatureHeadings                      // headings, distinguished from paragraphs
	FeatureLists                         // lists and their nesting
	FeatureTables                        // tables; their cells are kept as paragraphs
	FeatureQuotes                        // quotes, marked as such
	FeatureLineEnds                      // line breaks inside paragraphs
)

// featureNames holds the names in the order of the bits.
var featureNames = []string{"links", "images", "emphasis", "code", "headings", "lists", "tables", "quotes", "breaks"}

// FeatureNames returns the names that [ParseFeatures] accepts.
func FeatureNames() []string { return append([]string(nil), featureNames...) }

// ParseFeatures returns the set of the named features. An unknown name is an error.
func ParseFeatures(names []string) (Features, error) {
	var f Features
next:
	for _, n := range names {
		for i, known := range featureNames {
			if n == known {
				f |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("%q cannot be left out: wanted some of %s", n, strings.Join(featureNames, ", "))
	}
	return f, nil
}

// Has reports whether f contains any feature of x.
func (f Features) Has(x Features) bool { return f&x != 0 }

// Holds reports whether f contains the feature to which inline markup of the kind belongs.
func (f Features) Holds(kind Markup) bool {
	return int(kind) < len(ofMarkup) && f.Has(ofMarkup[kind])
}

var ofMarkup = [...]Features{
	Emphasis: FeatureMarks, Strong: FeatureMarks, Sub: FeatureMarks, Sup: FeatureMarks, Deleted: FeatureMarks,
	Verbatim: FeatureCodes, Link: FeatureLinks, Picture: FeatureImages, Checkbox: FeatureLists, LineBreak: FeatureLineEnds,
}
