// Package nontext trains models of non-text (filter/nontext) from good and bad documents with
// [Train] or [TrainFrom]. Package generate generates bad documents from good ones.
package nontext

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"chaffinch/filter/nontext"
	"chaffinch/lab/train/labels"
	"chaffinch/lab/train/trees"
	"chaffinch/text/label"
)

// Doc is a training document.
type Doc struct {
	Text string
	// Lang is the language as a BCP 47 tag, "" if unknown.
	Lang string
	// Site groups documents that are held out together. Default: each document is separate.
	Site string
	// Kind is the kind of bad text, for the report.
	Kind string
}

// Report describes a training.
type Report struct {
	// Good and Bad are the numbers of documents, Extra the number of documents that are only learned
	// from.
	Good  int `json:"good"`
	Bad   int `json:"bad"`
	Extra int `json:"extra,omitempty"`
	// Short is the number of documents omitted because they have too few words.
	Short int `json:"short,omitempty"`
	// Kept is the fraction of held-out good documents that are kept at the limits, Found the fraction
	// of held-out bad documents that are dropped, also by kind.
	Kept  float64            `json:"kept"`
	Found float64            `json:"found"`
	Kinds map[string]float64 `json:"kinds,omitempty"`
	// Langs holds the figures by language.
	Langs map[string]Lang `json:"langs,omitempty"`
	// DataSHA256 is the SHA-256 of all documents in their order.
	DataSHA256 string `json:"-"`
}

// Lang counts the held-out documents of a language: good ones and the lost ones of these, bad ones
// and the found ones of these.
type Lang struct {
	Good  int `json:"good"`
	Lost  int `json:"lost"`
	Bad   int `json:"bad"`
	Found int `json:"found"`
}

// minDocs is the minimum number of good and of bad documents.
const minDocs = 10

// badWeight is the weight of an extra bad document relative to an extra good one.
const badWeight = .25

// Config configures the training of a model.
type Config struct {
	// Shapes uses only the shapes of words and statistics, for languages that the training text
	// lacks.
	Shapes bool
	// Recall is the fraction of good documents to keep. It sets the default limit.
	Recall float64
	// Folds is the number of parts of which each is held out once.
	Folds int
	// ExtraWeight is the weight of an extra good document relative to others. An extra bad document
	// has a quarter of it: a language is no feature, even if much extra text in it is bad.
	ExtraWeight float64
	// Lang is the language of the model, "" for all languages.
	Lang string
}

// Default is the configuration of the embedded model.
var Default = Config{Recall: 1 - nontext.DefaultLoss, Folds: 5, ExtraWeight: .16}

// losses are the fractions of good text for which models have limits, in addition to the default.
var losses = []float64{.01, .03, .05, .1}

// groups are the groups of languages with common limits, by script and region.
var groups = []labels.LangGroup{
	{Name: "scripts without spaces", Langs: []string{"zh", "ja", "th", "yue", "wuu", "lo", "km", "my", "bo", "dz"}},
	{Name: "Cyrillic", Langs: []string{"ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "mn", "tt", "tg", "ba"}},
	{Name: "Arabic", Langs: []string{"ar", "fa", "ur", "ps", "ckb", "ug", "sd", "azb"}},
	{Name: "Indic", Langs: []string{"hi", "bn", "mr", "ne", "gu", "pa", "ta", "te", "kn", "ml", "si", "or", "as"}},
	{Name: "Slavic, Latin script", Langs: []string{"cs", "sk", "pl", "sl", "hr", "bs", "hsb", "dsb"}},
	{Name: "Romance", Langs: []string{"ca", "es", "pt", "gl", "ast", "oc", "an", "fr", "it", "ro"}},
	{Name: "English", Langs: []string{"en"}},
	{Name: "Germanic, Celtic, Finnic, Turkic in Latin script, Greek", Langs: []string{"de", "nl", "nb", "nn", "no", "da", "sv", "is", "fo", "fy", "af", "gd", "ga", "fi", "et", "tr", "az", "el"}},
}

// Check returns an error if the settings are invalid.
func (c *Config) Check() error {
	switch {
	case !(c.Recall > 0.5 && c.Recall < 1):
		return fmt.Errorf("recall %v: wanted a share above 0.5 and below 1", c.Recall)
	case c.Folds < 2:
		return fmt.Errorf("one document in %d held out: wanted one in 2 or more", c.Folds)
	case !(c.ExtraWeight > 0):
		return fmt.Errorf("weight %v of extra documents: wanted more than 0", c.ExtraWeight)
	}
	return nil
}

// loss returns the fraction of good documents over the default limit.
func (c *Config) loss() float64 { return math.Round((1-c.Recall)*1e6) / 1e6 }

// forest is the configuration of the forest.
var forest = trees.Config{Trees: 600, Depth: 5, Rate: .03, Lambda: 5, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1}

// minForest is the minimum number of bad documents for a forest.
const minForest = 200

// labels returns the configuration of the classifier for a number of bad documents.
func (c *Config) labels(bad int) labels.Config {
	l := labels.Default
	l.Several, l.Flat, l.Folds, l.LangGroups = true, true, c.Folds, groups
	l.Cost, l.Balance, l.MaxFeatures, l.WeightSteps = .3, .5, 1<<18, 127
	l.Scales = [label.Blocks]float32{label.Words: 1, label.Chars: 1, label.Shapes: .5, label.Frames: .5, label.Layout: .5}
	if l.Losses = losses; !slices.Contains(losses, c.loss()) {
		l.Losses = append(slices.Clone(losses), c.loss())
		slices.Sort(l.Losses)
	}
	if bad >= minForest {
		l.Forest = &forest
	}
	if c.Shapes {
		l.Scales[label.Words], l.Scales[label.Chars] = 0, 0
	}
	return l
}

// Data holds the training documents of a model.
type Data struct {
	Good, Bad []Doc
	// ExtraGood and ExtraBad are only learned from, with less weight: limits and figures do not
	// depend on them.
	ExtraGood, ExtraBad []Doc
	// Limit holds good text that is not learned from. It raises the limits of its languages to the
	// wanted losses.
	Limit []Doc
}

// Train trains a model on documents. The result depends only on the documents, their order and the
// configuration.
func Train(ctx context.Context, cfg Config, data Data, progress func(done, total int)) (*nontext.Model, *Report, error) {
	if err := cfg.Check(); err != nil {
		return nil, nil, err
	}
	if g, b := len(data.Good), len(data.Bad); g < minDocs || b < minDocs {
		return nil, nil, fmt.Errorf("found %d good and %d bad documents: wanted at least %d of both: add documents", g, b, minDocs)
	}
	var docs []labels.Doc
	add := func(list []Doc, extra bool, names ...string) {
		for i, d := range list {
			l := labels.Doc{ID: fmt.Sprint(len(docs)), Text: d.Text, Lang: cmp.Or(cfg.Lang, d.Lang), Labels: names, Group: d.Site, Extra: extra}
			if d.Site == "" {
				l.Group = fmt.Sprint(names, i)
			}
			if l.Weight = 1; extra {
				l.Weight = cfg.ExtraWeight
				if len(names) > 0 {
					l.Weight *= badWeight
				}
			}
			docs = append(docs, l)
		}
	}
	add(data.Good, false)
	add(data.Bad, false, nontext.Class)
	kinds := map[string]string{}
	for i, d := range data.Bad {
		kinds[docs[len(data.Good)+i].ID] = d.Kind
	}
	add(data.ExtraGood, true)
	add(data.ExtraBad, true, nontext.Class)
	l, rep, err := labels.Train(ctx, cfg.labels(len(data.Bad)+len(data.ExtraBad)), docs, progress)
	if err != nil {
		return nil, nil, err
	}
	limits, langs := cfg.limits(l, data.Limit), []string(nil)
	if cfg.Lang != "" {
		langs = []string{cfg.Lang}
	}
	m, err := nontext.New(l.With(langs, limits))
	if err != nil {
		return nil, nil, err
	}
	return m, cfg.report(m, rep, docs, kinds), nil
}

// limits returns the limits of m, raised so that no more documents of a group of languages exceed
// them than wanted.
func (c *Config) limits(m *label.Model, docs []Doc) *label.Limits {
	l := *m.Config().Limits
	scores := make([][]float64, len(l.Groups))
	s := label.NewScorer()
	for _, d := range docs {
		if p, ok := s.Score(m, label.Doc{Text: d.Text}); ok {
			g := l.Group(cmp.Or(c.Lang, d.Lang))
			scores[g] = append(scores[g], p[0])
		}
	}
	l.Groups = slices.Clone(l.Groups)
	for i, list := range scores {
		if len(list) < minDocs {
			continue
		}
		slices.Sort(list)
		g := &l.Groups[i]
		g.Docs += len(list)
		g.Limits = slices.Clone(g.Limits)
		for k, loss := range l.Losses {
			g.Limits[k] = max(g.Limits[k], list[len(list)-1-int(loss*float64(len(list)))])
		}
	}
	return &l
}

// report counts the decisions about held-out documents.
func (c *Config) report(m *nontext.Model, l *labels.Report, docs []labels.Doc, kinds map[string]string) *Report {
	r := &Report{Extra: l.Extra, Short: l.Short, Kinds: map[string]float64{}, Langs: map[string]Lang{}, DataSHA256: l.DataSHA256}
	langs := map[string]string{}
	for _, d := range docs {
		langs[d.ID] = d.Lang
	}
	found, all := map[string]int{}, map[string]int{}
	lost, hits := 0, 0
	for _, p := range l.Predictions {
		lang := langs[p.ID]
		n := r.Langs[lang]
		over := 0
		if p.P[0] > m.Limit(lang, c.loss()) {
			over = 1
		}
		if len(p.Labels) == 0 {
			r.Good, lost, n.Good, n.Lost = r.Good+1, lost+over, n.Good+1, n.Lost+over
		} else {
			r.Bad, hits, n.Bad, n.Found = r.Bad+1, hits+over, n.Bad+1, n.Found+over
			if k := kinds[p.ID]; k != "" {
				all[k]++
				found[k] += over
			}
		}
		r.Langs[lang] = n
	}
	r.Kept, r.Found = 1-float64(lost)/float64(max(1, r.Good)), float64(hits)/float64(max(1, r.Bad))
	for k, n := range all {
		r.Kinds[k] = float64(found[k]) / float64(n)
	}
	return r
}
