// Package limits learns the limits of rules of package filter for each language from good text,
// with [TrainFrom] or a [Limits].
package limits

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode"

	"chaffinch/filter"
)

// Config configures the learning of limits.
type Config struct {
	// Keep is the fraction of good documents that each limit keeps on its own.
	Keep float64 `json:"keep"`
	// StopWords is the length of the lists of stop words, the most frequent words. 0 makes no
	// lists.
	StopWords int `json:"stop_words"`
	// MinDocs is the minimum number of documents of a language.
	MinDocs int `json:"min_docs"`
}

// defaultLimits holds the default values of zero fields.
var defaultLimits = Config{Keep: 0.99, StopWords: 20, MinDocs: 100}

// Limits learns limits for each language from documents of good text. The limit of a score with a
// published minimum is the quantile at 1-Keep; of a score with a maximum, the quantile at Keep. One
// document in five is held out to measure how many documents all limits together keep.
type Limits struct {
	set   *filter.Set
	cfg   Config
	langs map[string]*samples
}

// samples holds the scores of the documents of a language.
type samples struct {
	train, test [][]float64
	words       map[string]int
}

// Learned holds the limits of a language.
type Learned struct {
	Lang string `json:"lang"`
	// Train and Test are the numbers of training and held-out documents. Kept is the number of
	// held-out documents that break no limit.
	Train, Test, Kept int
}

// New returns Limits for the scores of rules, without documents.
func New(cfg Config, rules filter.Config) (*Limits, error) {
	cfg.Keep = cmp.Or(cfg.Keep, defaultLimits.Keep)
	cfg.MinDocs = cmp.Or(cfg.MinDocs, defaultLimits.MinDocs)
	if !(cfg.Keep > 0.5 && cfg.Keep <= 1) {
		return nil, fmt.Errorf("keep %v: wanted a share above 0.5, at most 1", cfg.Keep)
	}
	set, err := filter.New(rules)
	if err != nil {
		return nil, err
	}
	return &Limits{set, cfg, map[string]*samples{}}, nil
}

// maxSamples is the maximum number of documents of a language.
const maxSamples = 200_000

// maxWords is the maximum number of distinct words of a language.
const maxWords = 1 << 18

// Set returns the rules whose scores must be added.
func (l *Limits) Set() *filter.Set { return l.set }

// Add adds the scores of a document and its text.
func (l *Limits) Add(lang string, scores []float64, words func(func(string))) {
	s := l.langs[lang]
	if s == nil {
		s = &samples{words: map[string]int{}}
		l.langs[lang] = s
	}
	n := len(s.train) + len(s.test)
	if n >= maxSamples {
		return
	}
	if n%5 == 4 {
		s.test = append(s.test, slices.Clone(scores))
		return
	}
	s.train = append(s.train, slices.Clone(scores))
	words(func(w string) {
		if n, ok := s.words[w]; ok || len(s.words) < maxWords {
			s.words[w] = n + 1
		}
	})
}

// Learn returns a configuration of limits by language, and a description of each language.
// Languages with too few documents are omitted from the configuration and have Kept 0.
func (l *Limits) Learn() (cfg filter.Config, told []Learned) {
	cfg = l.set.Config()
	cfg.Languages, cfg.StopWords = maps.Clone(cfg.Languages), maps.Clone(cfg.StopWords)
	if cfg.Languages == nil {
		cfg.Languages = map[string]filter.LanguageConfig{}
	}
	if cfg.StopWords == nil {
		cfg.StopWords = map[string][]string{}
	}
	for _, lang := range slices.Sorted(maps.Keys(l.langs)) {
		s := l.langs[lang]
		t := Learned{Lang: lang, Train: len(s.train), Test: len(s.test)}
		if len(s.train) < l.cfg.MinDocs {
			told = append(told, t)
			continue
		}
		limits := map[string]filter.Limit{}
		for i, old := range l.set.Learnable(lang) {
			if old.Min != nil || old.Max != nil {
				limits[l.set.Scores()[i]] = l.limit(s.train, i, old)
			}
		}
		cfg.Languages[lang] = filter.LanguageConfig{Limits: limits}
		l.learnPerplexity(&cfg, lang, s)
		if l.cfg.StopWords > 0 {
			cfg.StopWords[lang] = s.frequent(l.cfg.StopWords)
		}
		told = append(told, t)
	}
	set, err := filter.New(cfg)
	if err != nil {
		panic(err) // a fault of this program
	}
	for i := range told {
		if t := &told[i]; t.Train >= l.cfg.MinDocs {
			for _, scores := range l.langs[t.Lang].test {
				if _, drop := set.Decide(t.Lang, scores); !drop {
					t.Kept++
				}
			}
		}
	}
	return cfg, told
}

// limit returns the quantiles of a score.
func (l *Limits) limit(docs [][]float64, i int, old filter.Limit) (out filter.Limit) {
	var values []float64
	for _, scores := range docs {
		if !math.IsNaN(scores[i]) {
			values = append(values, scores[i])
		}
	}
	if len(values) == 0 {
		return old
	}
	slices.Sort(values)
	lose := int((1 - l.cfg.Keep) * float64(len(values)))
	if old.Min != nil {
		out.Min = &values[lose]
	}
	if old.Max != nil {
		out.Max = &values[len(values)-1-lose]
	}
	return out
}

// frequent returns the n most frequent words with a letter.
func (s *samples) frequent(n int) []string {
	var list []string
	for w := range s.words {
		for _, r := range w {
			if unicode.IsLetter(r) {
				list = append(list, w)
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(s.words[b], s.words[a]), cmp.Compare(a, b)) })
	return list[:min(n, len(list))]
}

// Percentiles of the perplexity between head, middle and tail, as in CCNet.
const (
	headPercentile   = 30
	middlePercentile = 60
)

// learnPerplexity computes the percentiles of the perplexity of a language, and the buckets of its
// held-out documents.
func (l *Limits) learnPerplexity(cfg *filter.Config, lang string, docs *samples) {
	at := slices.Index(l.set.Scores(), filter.PerplexityScore)
	lang, m, ok := cfg.CCNet.Model(lang)
	if at < 0 || !ok {
		return
	}
	var values []float64
	for _, scores := range docs.train {
		if !math.IsNaN(scores[at]) {
			values = append(values, scores[at])
		}
	}
	if len(values) == 0 {
		return
	}
	slices.Sort(values)
	m.Head, m.Middle = values[(len(values)-1)*headPercentile/100], values[(len(values)-1)*middlePercentile/100]
	cfg.CCNet.Models = maps.Clone(cfg.CCNet.Models)
	cfg.CCNet.Models[lang] = m
	for _, scores := range docs.test {
		scores[at+1] = m.Bucket(scores[at])
	}
}
