package align

// Vocabulary numbers words 0, 1, 2, ... in the order of their first use. The zero value is empty
// and ready to use.
type Vocabulary struct{ ids map[string]int32 }

// ID returns the number of word.
func (v *Vocabulary) ID(word string) int32 {
	id, ok := v.ids[word]
	if !ok {
		if v.ids == nil {
			v.ids = map[string]int32{}
		}
		id = int32(len(v.ids))
		v.ids[word] = id
	}
	return id
}

// IDs returns the number of each word.
func (v *Vocabulary) IDs(words []string) []int32 {
	out := make([]int32, len(words))
	for i, w := range words {
		out[i] = v.ID(w)
	}
	return out
}

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.ids) }
