package langid

import (
	"cmp"
	"maps"
	"slices"

	"chaffinch/internal/sorts"
)

// Count holds the counts of a language.
type Count struct {
	// Gold is the number of pieces in the language, Answered the number of pieces with the language
	// as answer, Right the number of pieces with both.
	Gold, Answered, Right int
}

// Precision returns the fraction of right answers among the answers, 1 without answers.
func (c *Count) Precision() float64 { return ratio(c.Right, c.Answered, 1) }

// Recall returns the fraction of the pieces in the language with right answers.
func (c *Count) Recall() float64 { return ratio(c.Right, c.Gold, 1) }

// F1 returns the harmonic mean of precision and recall.
func (c *Count) F1() float64 { return ratio(2*c.Right, c.Gold+c.Answered, 1) }

func ratio(a, b int, none float64) float64 {
	if b == 0 {
		return none
	}
	return float64(a) / float64(b)
}

// Confusion is the frequency of a wrong answer; "und" means no answer.
type Confusion struct {
	Gold, Answer string
	Pieces       int
	// Share is the fraction of the pieces in Gold.
	Share float64
}

// Result holds the scores of a system on the pieces of a cut.
type Result struct {
	System string
	// Langs is the number of languages of the pieces.
	Langs int
	// Pieces counts all pieces, Answered the pieces with an answer, Right the right answers. A
	// missing answer is never right.
	Pieces, Answered, Right int
	// ByLang holds the languages of the pieces.
	ByLang map[string]*Count
	Speed  Speed

	confusions map[[2]string]int
}

// Accuracy returns the fraction of pieces with right answers.
func (r *Result) Accuracy() float64 { return ratio(r.Right, r.Pieces, 0) }

// MacroF1 returns the mean F1 of the languages of the pieces.
func (r *Result) MacroF1() float64 { return r.mean((*Count).F1) }

// MacroRecall returns the mean recall: the accuracy with equal weights of languages.
func (r *Result) MacroRecall() float64 { return r.mean((*Count).Recall) }

// mean returns the mean of a figure over the languages in sorted order.
func (r *Result) mean(figure func(*Count) float64) float64 {
	sum := 0.0
	for _, l := range slices.Sorted(maps.Keys(r.ByLang)) {
		sum += figure(r.ByLang[l])
	}
	return sum / float64(max(1, len(r.ByLang)))
}

// Coverage returns the fraction of pieces with an answer.
func (r *Result) Coverage() float64 { return ratio(r.Answered, r.Pieces, 0) }

// Precision returns the fraction of right answers.
func (r *Result) Precision() float64 { return ratio(r.Right, r.Answered, 0) }

// Config configures [Score].
type Config struct {
	// Only holds the languages, as returned by [Fold], whose pieces count. Default: the languages
	// of the system.
	Only map[string]bool
	// MinConfidence is the minimum confidence of an answer.
	MinConfidence float64
}

// Score compares the answers with the languages of the texts.
func Score(s *Set, a *Answers, cfg Config) *Result {
	only := cfg.Only
	if only == nil {
		only = a.Langs
	}
	r := &Result{System: a.System, ByLang: map[string]*Count{}, Speed: a.Speed, confusions: map[[2]string]int{}}
	for _, t := range s.Texts {
		if f := Fold(t.Tag); only[f] && r.ByLang[f] == nil {
			r.ByLang[f] = &Count{}
		}
	}
	r.Langs = len(r.ByLang)
	for i, t := range s.Texts {
		gold := Fold(t.Tag)
		c := r.ByLang[gold]
		if c == nil {
			continue
		}
		for _, an := range a.Texts[i] {
			said := ""
			if an.Confidence >= cfg.MinConfidence {
				said = Fold(an.Lang)
			}
			r.Pieces++
			c.Gold++
			if said == "" {
				r.confusions[[2]string{gold, "und"}]++
				continue
			}
			r.Answered++
			if d := r.ByLang[said]; d != nil {
				d.Answered++
			}
			if said == gold {
				r.Right++
				c.Right++
			} else {
				r.confusions[[2]string{gold, said}]++
			}
		}
	}
	return r
}

// Floored returns the figures that have floors: of the abstaining detector and of the one that
// always answers.
func Floored(abstaining, always *Result) map[string]float64 {
	return map[string]float64{
		"acc": always.Accuracy(), "f1": always.MacroF1(),
		"prec": abstaining.Precision(), "cover": abstaining.Coverage(),
	}
}

// Confusions returns the most frequent confusions, n of them, 0 for all.
func (r *Result) Confusions(n int) []Confusion {
	out := make([]Confusion, 0, len(r.confusions))
	for k, pieces := range r.confusions {
		out = append(out, Confusion{k[0], k[1], pieces, ratio(pieces, r.ByLang[k[0]].Gold, 0)})
	}
	sorts.Func(out, func(a, b Confusion) int {
		return cmp.Or(cmp.Compare(b.Pieces, a.Pieces), cmp.Compare(a.Gold, b.Gold), cmp.Compare(a.Answer, b.Answer))
	})
	if n > 0 && len(out) > n {
		out = out[:n]
	}
	return out
}

// Sorted returns the languages of the pieces, the worst F1 first.
func (r *Result) Sorted() []string {
	return slices.SortedFunc(maps.Keys(r.ByLang), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.ByLang[a].F1(), r.ByLang[b].F1()), cmp.Compare(a, b))
	})
}

// Known returns the languages of the set that all of the systems support.
func Known(s *Set, systems ...*Answers) map[string]bool {
	known := map[string]bool{}
	for _, t := range s.Texts {
		f := Fold(t.Tag)
		known[f] = !slices.ContainsFunc(systems, func(a *Answers) bool { return !a.Langs[f] })
	}
	maps.DeleteFunc(known, func(_ string, v bool) bool { return !v })
	return known
}

// Table is the confusion matrix of a group. Rows are the languages of the pieces; columns are the
// answers, then other languages and no answer.
type Table struct {
	Group  Group
	System string
	// Rows holds for each language of the group the number of pieces by answer. It is all zeros if
	// the set has no text or the system does not support the language.
	Rows [][]int
}

// Right returns the fraction of pieces with right answers, and the number of pieces.
func (t *Table) Right() (share float64, pieces int) {
	right := 0
	for i, row := range t.Rows {
		right += row[i]
		for _, n := range row {
			pieces += n
		}
	}
	return ratio(right, pieces, 0), pieces
}

// Tables returns the confusion matrices of all groups for the languages in only; nil means the
// languages of the system. Groups with fewer than two such languages are omitted.
func Tables(s *Set, a *Answers, cfg Config) []Table {
	only := cfg.Only
	if only == nil {
		only = a.Langs
	}
	var out []Table
	for _, g := range Groups {
		t := Table{Group: g, System: a.System}
		texts := 0
		for _, l := range g.Langs {
			row := make([]int, len(g.Langs)+2)
			for i, text := range s.Texts {
				if g.in(text.Tag) < 0 || g.Langs[g.in(text.Tag)] != l || !only[Fold(text.Tag)] {
					continue
				}
				texts++
				for _, an := range a.Texts[i] {
					v := variety(an.Lang)
					at := g.in(v)
					switch {
					case v == "" || an.Confidence < cfg.MinConfidence:
						at = len(g.Langs) + 1
					case at < 0:
						at = len(g.Langs)
					}
					row[at]++
				}
			}
			t.Rows = append(t.Rows, row)
		}
		if texts > 1 {
			out = append(out, t)
		}
	}
	return out
}

// Noise counts the answers for a text in no language.
type Noise struct {
	// Code is the name of the text, such as "zxx-code".
	Code string
	// Pieces counts all pieces, Noise the answers zxx, Unknown the missing answers. All other
	// answers are wrong.
	Pieces, Noise, Unknown int
}

// Accepted returns the fraction of pieces with a language as answer.
func (n *Noise) Accepted() float64 { return ratio(n.Pieces-n.Noise-n.Unknown, n.Pieces, 0) }

// NoiseOf counts the answers for the texts in no language, in the order of the set.
func NoiseOf(s *Set, a *Answers, cfg Config) []Noise {
	var out []Noise
	for i, t := range s.Texts {
		if t.Tag != noLanguage {
			continue
		}
		n := Noise{Code: t.Code, Pieces: len(a.Texts[i])}
		for _, an := range a.Texts[i] {
			switch {
			case an.Lang == noLanguage && an.Confidence >= cfg.MinConfidence:
				n.Noise++
			case Fold(an.Lang) == "" || an.Confidence < cfg.MinConfidence:
				n.Unknown++
			}
		}
		out = append(out, n)
	}
	return out
}
