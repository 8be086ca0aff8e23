package segment

// The positions of a dictionary word relative to a place.
const (
	endsHere = iota
	crosses
	beginsHere
)

// longest is the number of length classes of the longest word that ends, crosses or begins at a
// place.
const longest = 6

// lengthClass maps a length in characters to its class; 0 means no word.
var lengthClass = [MaxWord + 1]uint8{0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}

// wordKey extends the key of a word by a character.
func wordKey(key uint64, r rune) uint64 { return hash(key ^ uint64(r)) }

// lies holds the dictionary words around a place, by position. Bit n-1 is set for a word of n
// characters.
type lies [3]uint16

// joint returns the combined class of the longest words of l.
func (l *lies) joint() int {
	j := 0
	for _, bits := range l {
		n := 0
		for ; bits != 0; bits >>= 1 {
			n++
		}
		j = j*longest + int(lengthClass[n])
	}
	return j
}

// lie finds the dictionary words around all places of v.
func (m *Model) lie(v *view, out *[blockLen]lies) {
	for c := 1; c < MaxWord+v.places; c++ {
		if !covered(v.kinds[c]) || joined(v.kinds[c-1], v.kinds[c], v.chars[c]) {
			continue
		}
		key := uint64(0)
		for e := c + 1; e < min(c+MaxWord+1, window); e++ { // the place after the word
			if !covered(v.kinds[e-1]) {
				break
			}
			key = wordKey(key, v.chars[e-1])
			if e <= MaxWord-1 || joined(v.kinds[e-1], v.kinds[e], v.chars[e]) || m.lexicon.find(key) < 0 {
				continue
			}
			bit := uint16(1) << (e - c - 1)
			if p := c - MaxWord; p >= 0 {
				out[p][beginsHere] |= bit
			}
			for p := max(c+1-MaxWord, 0); p < min(e-MaxWord, v.places); p++ {
				out[p][crosses] |= bit
			}
			if p := e - MaxWord; p >= 0 && p < v.places {
				out[p][endsHere] |= bit
			}
		}
	}
}

// covered reports whether characters of a kind can be part of dictionary words.
func covered(kind uint8) bool { return kind >= han }

// scoreWords adds the weights of the positions of dictionary words.
func (m *Model) scoreWords(v *view, scores *[blockLen]int32) {
	var at [blockLen]lies
	m.lie(v, &at)
	for p := range v.places {
		for how, set := range at[p] {
			for n := 0; set != 0; n, set = n+1, set>>1 {
				if set&1 != 0 {
					scores[p] += int32(m.inDict[how][n])
				}
			}
		}
		scores[p] += int32(m.joint[at[p].joint()])
	}
}
