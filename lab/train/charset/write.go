package charset

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"chaffinch/internal/sorts"
	"chaffinch/model"
	"chaffinch/text/charset/alphabet"
)

// weight is an entry of a model.
type weight struct {
	key  uint64
	lang uint8
	bits int8
}

// weights computes the weights of one language from its counts, by the formula of Witten and Bell
// (docs/explanation/charset.md). With T distinct letters after a history that was seen n times,
//
//	P(c | h) = (count(hc) + T P(c | shorter h)) / (n + T).
type weights struct {
	cfg  *Config
	c    *letterCounts
	lang uint8
	out  []weight

	none  map[uint16]uint8 // cost of a letter averaged over languages, in units
	base  map[uint16]float64
	uni   map[uint16]float64
	bi    map[[2]uint16]float64
	floor float64
}

func (w *weights) emit(key uint64, bits float64) {
	if b := math.Round(bits * alphabet.Unit); b != 0 {
		w.out = append(w.out, weight{key, w.lang, int8(min(max(b, -127), 127))})
	}
}

// candidate is a weight that may be omitted.
type candidate struct {
	weight
	gain float64
}

// run sets w.out.
func (w *weights) run() {
	c := w.c
	types := float64(len(c.uni))
	total := float64(c.n)
	w.floor = min(-math.Log2(types/(total+types)), w.cfg.MaxFloor)
	w.uni = map[uint16]float64{}
	for l, n := range c.uni {
		w.uni[l] = -math.Log2((float64(n) + float64(types*math.Exp2(-w.base[l]))) / (total + types))
		w.emit(alphabet.Key(alphabet.Unigram, 0, 0, l), w.uni[l]-float64(w.none[l])/alphabet.Unit-w.floor)
	}
	var kept []candidate

	// bigrams
	followers, seen := map[uint16]float64{}, map[uint16]float64{}
	for k, n := range c.bi {
		followers[k[0]]++
		seen[k[0]] += float64(n)
	}
	backoff := map[uint16]float64{}
	for l, n := range seen {
		backoff[l] = min(-math.Log2(followers[l]/(n+followers[l])), w.cfg.MaxBackoff1)
		w.emit(alphabet.Key(alphabet.Backoff1, 0, 0, l), backoff[l])
	}
	w.bi = map[[2]uint16]float64{}
	for k, n := range c.bi {
		t := followers[k[0]]
		p := -math.Log2((float64(n) + float64(t*math.Exp2(-w.uni[k[1]]))) / (seen[k[0]] + t))
		w.bi[k] = p
		bits := p - w.uni[k[1]] - backoff[k[0]]
		wide := alphabet.Ideograph(k[0]) || alphabet.Ideograph(k[1])
		if wide && n < 3 {
			continue
		}
		v := candidate{weight{alphabet.Key(alphabet.Bigram, 0, k[0], k[1]), w.lang, 0}, float64(n) * math.Abs(bits)}
		if !wide {
			v.gain *= 4 // they are also needed for trigrams
		}
		v.bits = int8(min(max(math.Round(bits*alphabet.Unit), -127), 127))
		kept = append(kept, v)
	}

	// trigrams
	follow2, seen2 := map[[2]uint16]float64{}, map[[2]uint16]float64{}
	for k, n := range c.tri {
		h := [2]uint16{k[0], k[1]}
		follow2[h]++
		seen2[h] += float64(n)
	}
	backoff2s := map[[2]uint16]float64{}
	for h, n := range seen2 {
		backoff2s[h] = min(-math.Log2(follow2[h]/(n+follow2[h])), w.cfg.MaxBackoff2)
		if n >= 4 {
			w.emit(alphabet.Key(alphabet.Backoff2, 0, h[0], h[1]), backoff2s[h])
		}
	}
	for k, n := range c.tri {
		if k[0]|k[1]|k[2] < 0x80 || n < 2 {
			continue
		}
		h := [2]uint16{k[0], k[1]}
		if seen2[h] < 4 {
			continue
		}
		t := follow2[h]
		q := w.bi[[2]uint16{k[1], k[2]}]
		p := -math.Log2((float64(n) + float64(t*math.Exp2(-q))) / (seen2[h] + t))
		bits := p - q - backoff2s[h]
		v := candidate{weight{alphabet.Key(alphabet.Trigram, k[0], k[1], k[2]), w.lang, int8(min(max(math.Round(bits*alphabet.Unit), -127), 127))}, float64(n) * math.Abs(bits)}
		kept = append(kept, v)
	}
	sorts.Func(kept, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.key, b.key)) })
	for _, v := range kept[:min(len(kept), w.cfg.Entries)] {
		if v.bits != 0 {
			w.out = append(w.out, v.weight)
		}
	}
}

// Write writes the model to a file and returns a card for each language. dataSHA256 is the hash of
// the training data, tool the name of the program.
func (t *Trainer) Write(path, dataSHA256, tool string) (cards []LangCard, err error) {
	var langs []*letterCounts
	for _, key := range slices.Sorted(maps.Keys(t.langs)) {
		if c := t.langs[key]; c.n >= t.cfg.MinLetters {
			langs = append(langs, c)
		}
	}
	if len(langs) == 0 || len(langs) > math.MaxUint8 {
		return nil, fmt.Errorf("train charset: %d languages with %d letters of text in UTF-8, wanted 1 to %d", len(langs), t.cfg.MinLetters, math.MaxUint8)
	}
	// A letter in no particular language: the mean over all.
	mean := map[uint16]float64{}
	for _, c := range langs {
		for l, n := range c.uni {
			mean[l] += float64(n) / float64(c.n) / float64(len(langs))
		}
	}
	base, none, best := map[uint16]float64{}, map[uint16]uint8{}, map[uint16]uint8{}
	for l, p := range mean {
		base[l] = -math.Log2(p)
		none[l] = min(inUnits(p), (alphabet.CostUnknown-2)*alphabet.Unit)
		best[l] = 255
	}
	var all []weight
	var floors []byte
	for i, c := range langs {
		w := &weights{cfg: &t.cfg, c: c, lang: uint8(i), none: none, base: base}
		w.run()
		all = append(all, w.out...)
		floors = append(floors, uint8(math.Round(w.floor*alphabet.Unit)))
		cards = append(cards, LangCard{c.lang, c.n, len(w.out)})
		for l, b := range w.uni {
			best[l] = min(best[l], uint8(min(b*alphabet.Unit, 255)))
		}
	}
	return cards, t.write(path, dataSHA256, tool, cards, all, floors, none, best)
}

// write writes the sections.
func (t *Trainer) write(path, dataSHA256, tool string, cards []LangCard, all []weight, floors []byte, none, best map[uint16]uint8) error {
	config, err := json.Marshal(t.cfg)
	if err != nil {
		return err
	}
	var of alphabet.Card
	for _, c := range cards {
		of.Langs = append(of.Langs, alphabet.LangCard(c))
	}
	head, err := json.Marshal(of)
	if err != nil {
		return err
	}
	buckets := 1
	for buckets*4 < len(all) {
		buckets *= 2
	}
	shift := uint(64)
	for n := buckets; n > 1; n >>= 1 {
		shift--
	}
	sorts.Func(all, func(a, b weight) int {
		return cmp.Or(cmp.Compare(a.key>>shift, b.key>>shift), cmp.Compare(a.key&0xFFFF, b.key&0xFFFF), cmp.Compare(a.lang, b.lang), cmp.Compare(a.key, b.key))
	})
	var entries alphabet.Entries
	n := 0
	for b := range uint64(buckets) {
		entries.Starts = append(entries.Starts, uint32(n))
		for ; n < len(all) && all[n].key>>shift == b; n++ {
			w := all[n]
			entries.All = append(entries.All, uint32(w.key&0xFFFF)<<16|uint32(w.lang)<<8|uint32(uint8(w.bits)))
		}
	}
	entries.Starts = append(entries.Starts, uint32(n))
	packed, err := entries.Pack()
	if err != nil {
		return err
	}
	var letters, symbols, cases []byte
	for _, l := range slices.Sorted(maps.Keys(none)) {
		letters = append(binary.LittleEndian.AppendUint16(letters, l), none[l], best[l])
	}
	for _, row := range t.signs.rows() {
		symbols = binary.LittleEndian.AppendUint16(symbols, row.Symbol)
		symbols = append(append(symbols, row.Behind[:]...), row.Before[:]...)
	}
	for _, row := range t.signs.caseCosts() {
		for _, c := range row {
			cases = append(cases, c[:]...)
		}
	}
	h := model.Header{Kind: alphabet.Kind, Behaviour: alphabet.Behaviour, Name: "charset", Config: config, DataSHA256: dataSHA256, Tool: tool, Card: head}
	sections := []model.Section{{Name: alphabet.SectionLetters, Bytes: letters}, {Name: alphabet.SectionSymbols, Bytes: symbols}, {Name: alphabet.SectionCases, Bytes: cases}, {Name: alphabet.SectionFloors, Bytes: floors}}
	return model.Save(path, h, append(sections, packed...)...)
}

// LangCard describes the training data of a language of a model.
type LangCard struct {
	Lang    string `json:"lang"`
	Letters int    `json:"letters"` // of text
	Entries int    `json:"entries"` // weights
}
