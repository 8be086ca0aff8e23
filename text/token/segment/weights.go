package segment

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"chaffinch/model"
)

// Weights is the result of training and the content of a model file.
type Weights struct {
	// Config is the configuration of the model. Write sets Bias and Words.
	Config Config
	// Bias is the weight of every place.
	Bias float64
	// Grams holds the weights of n-grams by length minus one and key ([GramKey]), one for each
	// of their [Places].
	Grams [MaxOrder]map[uint64][]float64
	// Kinds holds the weights of kinds of characters.
	Kinds []float64
	// InWord and Joint hold the weights of the positions of dictionary words.
	InWord []float64
	Joint  []float64
	// Lexicon is the dictionary.
	Lexicon *Lexicon
}

// NewWeights returns weights that are all 0.
func NewWeights(cfg Config, lex *Lexicon) *Weights {
	w := &Weights{Config: cfg, Lexicon: lex, Kinds: make([]float64, kindWeights), InWord: make([]float64, 3*MaxWord), Joint: make([]float64, longest*longest*longest)}
	for i := range w.Grams {
		w.Grams[i] = map[uint64][]float64{}
	}
	return w
}

// Lexicon is a dictionary and the folding of characters.
type Lexicon struct {
	words map[uint64][]int8
	model Model // only the words and the fold are set
}

// NewLexicon returns a dictionary of words. Characters in fold are replaced by the characters
// that they map to. Words of more than [MaxWord] characters, and words with characters that
// cannot be part of words, are skipped.
func NewLexicon(words []string, fold map[rune]rune) *Lexicon {
	l := &Lexicon{words: map[uint64][]int8{}, model: Model{fold: fold}}
words:
	for _, w := range words {
		if n := utf8.RuneCountInString(w); n == 0 || n > MaxWord {
			continue
		}
		key := uint64(0)
		for _, r := range w {
			if !covered(kindOf(r)) {
				continue words
			}
			key = wordKey(key, l.model.folded(r))
		}
		l.words[key] = nil
	}
	l.model.lexicon.read(encodeTable(l.words), 0)
	return l
}

// Len returns the number of words in the dictionary.
func (l *Lexicon) Len() int { return len(l.words) }

// quantised returns a weight in its stored form.
func quantised(w float64, limit int) int {
	return min(max(int(math.Round(w/unit)), -limit), limit)
}

// Write writes the sections of the model to f and its configuration to the header. An n-gram
// whose weights are all 0 is skipped, unless a longer n-gram begins with it.
func (w *Weights) Write(f *model.Writer) error {
	w.Config.Bias, w.Config.Words = quantised(w.Bias, math.MaxInt16), w.Lexicon.Len()
	cfg, err := json.Marshal(w.Config)
	if err != nil {
		return err
	}
	f.Header().Config = cfg
	write := func(name string, b []byte) error {
		b, err := model.Pack(b)
		if err != nil {
			return err
		}
		f.Section(name)
		_, err = f.Write(b)
		return err
	}
	var kept [MaxOrder]map[uint64][]int8
	for i := MaxOrder - 1; i >= 0; i-- {
		kept[i] = map[uint64][]int8{}
		for key, row := range w.Grams[i] {
			q := make([]int8, len(row))
			any := false
			for j, x := range row {
				q[j] = int8(quantised(x, math.MaxInt8))
				any = any || q[j] != 0
			}
			if any {
				kept[i][key] = q
			}
		}
		if i+1 < MaxOrder {
			for key := range kept[i+1] {
				if key >>= 21; kept[i][key] == nil {
					kept[i][key] = make([]int8, Places(i+1))
				}
			}
		}
	}
	for i, rows := range kept {
		if err := write(fmt.Sprintf("grams%d", i+1), encodeTable(rows)); err != nil {
			return err
		}
	}
	if err := write("lexicon", encodeTable(w.Lexicon.words)); err != nil {
		return err
	}
	var b []byte
	for _, x := range w.Kinds {
		b = append(b, byte(int8(quantised(x, math.MaxInt8))))
	}
	if err := write("kinds", b); err != nil {
		return err
	}
	b = b[:0]
	for _, x := range append(slices.Clone(w.InWord), w.Joint...) {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(quantised(x, math.MaxInt16))))
	}
	if err := write("words", b); err != nil {
		return err
	}
	b = b[:0]
	from := make([]rune, 0, len(w.Lexicon.model.fold))
	for r := range w.Lexicon.model.fold {
		from = append(from, r)
	}
	slices.Sort(from)
	for _, r := range from {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
		b = binary.LittleEndian.AppendUint32(b, uint32(w.Lexicon.model.fold[r]))
	}
	return write("fold", b)
}

// Place is a place in a text where a word may end, for training.
type Place struct {
	// Grams holds the keys of the surrounding n-grams by length minus one. At this place,
	// n-gram i has its weight number Offset(i).
	Grams [MaxOrder][2 * reach]uint64
	// Kinds, InWord and Joint are the indices of the weights of kinds and of words.
	Kinds  [kindSlots]int32
	InWord []int32
	Joint  int32
	// At is the offset of the byte after the place.
	At int
}

// EachPlace calls fn for the places of text that a model of the scripts would decide. The next
// call overwrites the place.
func (l *Lexicon) EachPlace(text string, scripts []Script, fn func(p *Place)) {
	m := l.model
	for _, s := range scripts {
		m.scripts[scriptOf[s]] = true
	}
	var v view
	var at [blockLen]lies
	var p Place
	for i := 0; i < len(text); {
		v = view{}
		v.fill(&m, text, i)
		at = [blockLen]lies{}
		m.lie(&v, &at)
		for n := range v.places {
			_, size := utf8.DecodeRuneInString(text[i:])
			c := MaxWord + n
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[i:])
			if i > 0 && m.Covers(before) && m.Covers(after) && !joined(v.kinds[c-1], v.kinds[c], v.chars[c]) {
				p.At = i
				for order := 1; order <= MaxOrder; order++ {
					for j := range Places(order) {
						key := uint64(0)
						for _, r := range v.chars[c-reach+j:][:order] {
							key = key<<21 | uint64(r)
						}
						p.Grams[order-1][j] = key
					}
				}
				kindSlotsOf(v.kinds[c-reach:c+reach], &p.Kinds)
				p.InWord = p.InWord[:0]
				for how, set := range at[n] {
					for k := 0; set != 0; k, set = k+1, set>>1 {
						if set&1 != 0 {
							p.InWord = append(p.InWord, int32(how*MaxWord+k))
						}
					}
				}
				p.Joint = int32(at[n].joint())
				fn(&p)
			}
			i += size
		}
	}
}
