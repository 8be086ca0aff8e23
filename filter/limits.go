package filter

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode"
)

// LimitsConfig says how limits are learned from good text.
type LimitsConfig struct {
	// Keep is the share of good documents that each limit keeps by itself.
	Keep float64 `json:"keep"`
	// StopWords is the length of the lists of stop words, the most frequent words;
	// 0 makes none.
	StopWords int `json:"stop_words"`
	// MinDocs is the number of documents that a language must have.
	MinDocs int `json:"min_docs"`
}

// DefaultLimits is what Learn takes for fields that are zero.
var DefaultLimits = LimitsConfig{Keep: 0.99, StopWords: 20, MinDocs: 100}

// Limits learns limits for each language from documents of good text: of a score
// with a published minimum the quantile below which the share of documents lies
// that may go, of one with a maximum that above which it lies. One document in five
// is held out, to tell how many all limits together keep.
type Limits struct {
	set   *Set
	cfg   LimitsConfig
	langs map[string]*samples
}

// samples are the scores of the documents of a language.
type samples struct {
	train, test [][]float64
	words       map[string]int
}

// Learned tells of a language.
type Learned struct {
	Lang string `json:"lang"`
	// Train and Test are the numbers of documents learned from and held out, Kept is
	// how many of the latter break no limit.
	Train, Test, Kept int
}

// NewLimits begins to learn limits of the scores of a configuration.
func NewLimits(rules Config, cfg LimitsConfig) (*Limits, error) {
	cfg.Keep = cmp.Or(cfg.Keep, DefaultLimits.Keep)
	cfg.MinDocs = cmp.Or(cfg.MinDocs, DefaultLimits.MinDocs)
	if !(cfg.Keep > 0.5 && cfg.Keep <= 1) {
		return nil, fmt.Errorf("keep %v: wanted a share above 0.5, at most 1", cfg.Keep)
	}
	set, err := New(rules)
	if err != nil {
		return nil, err
	}
	return &Limits{set, cfg, map[string]*samples{}}, nil
}

// maxSamples bounds the documents of a language that count.
const maxSamples = 200_000

// maxWords bounds the different words of a language that are counted.
const maxWords = 1 << 18

// Set returns the rules whose scores are to be added.
func (l *Limits) Set() *Set { return l.set }

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

// Learn returns a configuration of limits by language, and tells of each. A language
// with too few documents is left out, and told with none kept.
func (l *Limits) Learn() (cfg Config, told []Learned) {
	cfg = l.set.cfg
	cfg.Languages, cfg.StopWords = maps.Clone(cfg.Languages), maps.Clone(cfg.StopWords)
	if cfg.Languages == nil {
		cfg.Languages = map[string]LanguageConfig{}
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
		limits := map[string]Limit{}
		for i, name := range l.set.names {
			old := l.set.limitsOf(lang)[i]
			if (old.Min == nil && old.Max == nil) || l.set.absolute[name] {
				continue
			}
			limits[name] = l.limit(s.train, i, old)
		}
		cfg.Languages[lang] = LanguageConfig{Limits: limits}
		l.learnPerplexity(&cfg, lang, s)
		if l.cfg.StopWords > 0 {
			cfg.StopWords[lang] = s.frequent(l.cfg.StopWords)
		}
		told = append(told, t)
	}
	set, err := New(cfg)
	if err != nil {
		panic(err) // of ours
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
func (l *Limits) limit(docs [][]float64, i int, old Limit) (out Limit) {
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

// frequent returns the most frequent words with a letter.
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
