// Package labels trains models of package text/label from labelled documents with [Train].
//
// Documents are divided into folds by site and near-duplicate group. Every fold is scored by a
// model of the other folds. These scores calibrate the probabilities, choose the limits, and are
// the source of all figures in the [Report]. The model itself learns from all documents.
package labels

import (
	"fmt"
	"math"

	"chaffinch/lab/train/trees"
	"chaffinch/text/label"
)

// Doc is a training document.
type Doc struct {
	ID, Text string
	// URL and Lang are the address and the language as a BCP 47 tag, "" if unknown.
	URL, Lang string
	// Labels names its classes. "PARENT/NAME" is a subclass and implies PARENT. "?NAME" states that
	// the annotators did not decide about a class.
	Labels []string
	// Group groups documents that are held out together. Default: the site, or else the group of
	// near-duplicates.
	Group string
	// Facts are facts about the page besides the words of its URL. Models use both if the block of
	// facts has a length.
	Facts []string
	// Weight is the weight of the loss relative to other documents. Default: 1.
	Weight float64
	// Extra documents are only learned from: they are in no fold, and no limit or figure depends on
	// them.
	Extra bool
}

// Input returns the document as models read it.
func (d *Doc) Input() label.Doc {
	facts := d.Facts
	if d.URL != "" {
		facts = append(label.URLFacts(d.URL), facts...)
	}
	return label.Doc{Text: d.Text, Facts: facts}
}

// LangGroup is a group of languages with common limits.
type LangGroup struct {
	Name  string
	Langs []string // BCP 47 tags
}

// Config configures a training.
type Config struct {
	// Several allows documents of several classes of the same parent. Otherwise they are an error.
	Several bool
	// Scales are the lengths of the blocks of features. A block of length 0 is not used.
	Scales [label.Blocks]float32
	// Flat reads line breaks as spaces, so that models do not depend on them.
	Flat bool
	// Cost is the weight of the loss relative to the norm of the weights, C in LIBLINEAR.
	Cost float64
	// Balance is the exponent of the class weights: 0 weights all documents equally, 1 gives each
	// class the total weight of all other documents.
	Balance float64
	// MinDocs is the minimum number of documents of an n-gram with weights. MaxFeatures is the
	// maximum number of n-grams with weights: the minimum rises until no more are left.
	MinDocs, MaxFeatures int
	// WeightSteps is the largest weight in steps of the unit of its class, at most 127. Fewer steps
	// make smaller files.
	WeightSteps int
	// Folds is the number of folds.
	Folds int
	// Precision or Recall is the wanted share of each class, on held-out documents, for which its
	// limit is chosen. If both are 0, classes have the limits with the highest F1, and exclusive
	// classes none. At most one of them is set.
	Precision, Recall float64
	// Losses are fractions of the documents without the first class. For each of them, the model
	// gets a limit of this class that these documents exceed with this frequency, for each group of
	// LangGroups with enough documents and for all other languages.
	Losses     []float64
	LangGroups []LangGroup
	// Forest, if not nil, configures a forest for each class, which computes the score from the
	// linear scores of the blocks and the statistics. It learns from held-out linear scores, of
	// extra documents too. There is no learning curve.
	Forest *trees.Config
	// MinClass is the minimum number of documents of a class that is learned.
	MinClass int
	// Seed seeds the order of the documents.
	Seed uint64
}

// Default is the configuration of the embedded models. lab/results/labels.md lists the experiments.
var Default = Config{Scales: [label.Blocks]float32{label.Words: 1, label.Chars: 1, label.Layout: .3},
	Cost: .25, MinDocs: 2, MaxFeatures: 1 << 17, WeightSteps: 31, Folds: 5, MinClass: 10, Seed: 1}

// Check returns an error if a setting is out of range.
func (c *Config) Check() error {
	switch {
	case !(c.Cost > 0 && c.Cost <= 1e6):
		return fmt.Errorf("cost %v: wanted more than 0 and at most 1e6", c.Cost)
	case !(c.Balance >= 0 && c.Balance <= 2):
		return fmt.Errorf("balance %v: wanted 0 to 2", c.Balance)
	case c.MinDocs < 1:
		return fmt.Errorf("n-grams of %d documents: wanted 1 or more", c.MinDocs)
	case c.MaxFeatures < 1 || c.MaxFeatures > 1<<20:
		return fmt.Errorf("%d features: wanted 1 to %d", c.MaxFeatures, 1<<20)
	case c.WeightSteps < 1 || c.WeightSteps > math.MaxInt8:
		return fmt.Errorf("%d steps of a weight: wanted 1 to %d", c.WeightSteps, math.MaxInt8)
	case c.Folds < 2 || c.Folds > 100:
		return fmt.Errorf("%d folds: wanted 2 to 100", c.Folds)
	case c.MinClass < 2:
		return fmt.Errorf("%d documents of a class: wanted 2 or more", c.MinClass)
	case c.Precision != 0 && c.Recall != 0:
		return fmt.Errorf("precision %v and recall %v: limits are chosen for one of them", c.Precision, c.Recall)
	case !(c.Precision >= 0 && c.Precision < 1) || !(c.Recall >= 0 && c.Recall < 1):
		return fmt.Errorf("precision %v, recall %v: wanted a share below 1", c.Precision, c.Recall)
	}
	if c.Forest != nil {
		if err := c.Forest.Check(); err != nil {
			return err
		}
	}
	for b, x := range c.Scales {
		if !(x >= 0 && x <= 100) {
			return fmt.Errorf("scale %v of block %d: wanted 0 to 100", x, b)
		}
	}
	return nil
}
