package job

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/filter"
	"chaffinch/input/records"
)

// Details holds the data of [Config.ReportFile] that [Report] does not count.
type Details struct {
	// Scores holds the values of each score, by the name of the score.
	Scores map[string]*Values `json:"scores"`
}

// Values describes the values of one score.
type Values struct {
	// Within and Beyond count the documents on both sides of their limit, by class of value.
	Within map[int32]int64 `json:"within"`
	Beyond map[int32]int64 `json:"beyond"`
	// Mins and Maxs count the documents by the bounds that apply to them, in the form of
	// [filter.FormatScore].
	Mins map[string]int64 `json:"mins"`
	Maxs map[string]int64 `json:"maxs"`
	// Kept holds kept documents just within the limit, Near documents just beyond it, Far
	// other documents beyond it.
	Kept []Example `json:"kept"`
	Near []Example `json:"near"`
	Far  []Example `json:"far"`
}

// Example is a document near a limit.
type Example struct {
	ID    string  `json:"id"`
	URL   string  `json:"url,omitempty"`
	Lang  string  `json:"lang,omitempty"`
	Value float64 `json:"value"`
	Words int64   `json:"words"`
	// Why explains the value, "" if the rule needs no explanation.
	Why  string `json:"why,omitempty"`
	Text string `json:"text"`
	// Distance is the relative distance of Value from the limit, Rank a hash of the id.
	Distance float64 `json:"distance"`
	Rank     uint64  `json:"rank"`
}

// Bounds of the data of a report.
const (
	examplesPerSide = 3
	quoteChars      = 300
	nameChars       = 200
	maxBounds       = 64 // different limits of one score; further ones are not drawn
)

// withMaps returns t, or new details if t is nil, with a map in place of each nil map.
func (t *Details) withMaps() *Details {
	if t == nil {
		t = new(Details)
	}
	if t.Scores == nil {
		t.Scores = map[string]*Values{}
	}
	for name, s := range t.Scores {
		t.Scores[name] = s.withMaps()
	}
	return t
}

func (s *Values) withMaps() *Values {
	if s == nil {
		s = new(Values)
	}
	for _, m := range []*map[int32]int64{&s.Within, &s.Beyond} {
		if *m == nil {
			*m = map[int32]int64{}
		}
	}
	for _, m := range []*map[string]int64{&s.Mins, &s.Maxs} {
		if *m == nil {
			*m = map[string]int64{}
		}
	}
	return s
}

// classOf returns the class of a value: its sign, its exponent and five bits of its mantissa, so
// that classes are ordered as values and a class spans at most a 32nd of its values.
func classOf(v float64) int32 {
	bits := math.Float32bits(float32(math.Abs(v)))
	class := int32(min(bits, math.Float32bits(math.MaxFloat32)) >> 18)
	if v < 0 {
		return -class
	}
	return class
}

// valueOf returns the smallest absolute value of a class.
func valueOf(class int32) float64 {
	v := float64(math.Float32frombits(uint32(max(class, -class)) << 18))
	if class < 0 {
		return -v
	}
	return v
}

// judged is a document with its scores, in the order of [filter.Set.Scores].
type judged struct {
	doc    *records.Doc
	v      *verdict
	limits []filter.Limit
}

// add adds a document to the details.
func (t *Details) add(names []string, j judged) {
	for i, v := range j.v.scores {
		if math.IsNaN(v) {
			continue
		}
		v = max(min(v, math.MaxFloat64), -math.MaxFloat64)
		s := t.Scores[names[i]]
		if s == nil {
			s = new(Values).withMaps()
			t.Scores[names[i]] = s
		}
		s.add(names[i], v, j.limits[i], j)
	}
}

func (s *Values) add(name string, v float64, limit filter.Limit, j judged) {
	countBound(s.Mins, limit.Min)
	countBound(s.Maxs, limit.Max)
	beyond := limit.Min != nil && v < *limit.Min || limit.Max != nil && v > *limit.Max
	if !beyond {
		s.Within[classOf(v)]++
	} else {
		s.Beyond[classOf(v)]++
	}
	if limit == (filter.Limit{}) {
		return
	}
	x := Example{Value: v, Distance: distance(v, limit), Rank: xxh3.HashString(j.doc.ID)}
	switch {
	case beyond:
		insert(&s.Near, x, name, j, byDistance)
		insert(&s.Far, x, name, j, byRank)
	case j.v.rule == "":
		insert(&s.Kept, x, name, j, byDistance)
	}
}

func byRank(a, b Example) int { return cmp.Compare(a.Rank, b.Rank) }

func byDistance(a, b Example) int { return cmp.Or(cmp.Compare(a.Distance, b.Distance), byRank(a, b)) }

// insert adds x with its quotation to a list, if it is among the first in the order of compare.
func insert(list *[]Example, x Example, name string, j judged, compare func(a, b Example) int) {
	at, _ := slices.BinarySearchFunc(*list, x, compare)
	if at >= examplesPerSide {
		return
	}
	x.ID, x.Lang, x.Words = clip(j.doc.ID, nameChars), clip(j.v.lang, nameChars), j.v.in.Words
	if len(j.doc.URL) <= 4*nameChars {
		x.URL = strings.Clone(j.doc.URL)
	}
	if j.v.rule == name {
		x.Why = clip(j.v.why, nameChars)
	}
	x.Text = clip(beginning(j.doc, quoteChars+1), quoteChars)
	*list = slices.Insert(*list, at, x)
	*list = (*list)[:min(len(*list), examplesPerSide)]
}

// distance returns the distance of v from the nearest bound, relative to the bound if it is not 0.
func distance(v float64, limit filter.Limit) float64 {
	d := math.Inf(1)
	for _, bound := range []*float64{limit.Min, limit.Max} {
		if bound != nil {
			d = min(d, math.Abs(v-*bound)/cmp.Or(math.Abs(*bound), 1))
		}
	}
	return min(d, math.MaxFloat64)
}

func countBound(m map[string]int64, bound *float64) {
	if bound == nil {
		return
	}
	if name := filter.FormatScore(*bound); len(m) < maxBounds || m[name] > 0 {
		m[name]++
	}
}

// beginning returns the first characters of a document, with single spaces.
func beginning(d *records.Doc, chars int) string {
	var text []byte
	for i := range d.Paras {
		if text = append(append(text, d.Paras[i].Text...), ' '); len(text) > chars*utf8.UTFMax {
			break
		}
	}
	runes := []rune(strings.Join(strings.Fields(string(text)), " "))
	return string(runes[:min(len(runes), chars)])
}

// clip returns the first characters of s, with an ellipsis if s is longer.
func clip(s string, chars int) string {
	n := 0
	for i := range s {
		if n++; n > chars {
			return strings.Clone(s[:i]) + "…"
		}
	}
	return strings.Clone(s)
}
