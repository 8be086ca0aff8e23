package alphabet

import (
	"encoding/binary"

	"chaffinch/model"
)

// Entries holds the bits of n-grams by language, sorted by bucket, check and language.
type Entries struct {
	// Starts holds the index of the first entry of each bucket, and the number of entries.
	Starts []uint32
	// All holds the entries as check<<16 | language<<8 | uint8(bits).
	All []uint32
}

// packed are the names of the sections into which entries are packed.
var packed = []string{"buckets", "checks", "counts", "langs", "bits"}

// Pack returns the sections of entries: for each bucket the number of its n-grams, for each
// n-gram its check and the number of its languages, for each entry its language and bits.
func (e *Entries) Pack() ([]model.Section, error) {
	var buckets, checks, counts, langs, bits []byte
	for b, from := range e.Starts[:len(e.Starts)-1] {
		ngrams := uint64(0)
		for in := e.All[from:e.Starts[b+1]]; len(in) > 0; ngrams++ {
			n := 0
			for n < len(in) && in[n]>>16 == in[0]>>16 {
				langs, bits = append(langs, byte(in[n]>>8)), append(bits, byte(in[n]))
				n++
			}
			checks = binary.LittleEndian.AppendUint16(checks, uint16(in[0]>>16))
			counts = binary.AppendUvarint(counts, uint64(n))
			in = in[n:]
		}
		buckets = binary.AppendUvarint(buckets, ngrams)
	}
	var out []model.Section
	for i, b := range [][]byte{buckets, checks, counts, langs, bits} {
		b, err := model.Pack(b)
		if err != nil {
			return nil, err
		}
		out = append(out, model.Section{Name: packed[i], Bytes: b})
	}
	return out, nil
}

// ReadEntries reads the entries of a model file. ok reports whether its sections are
// consistent.
func ReadEntries(f *model.File) (e Entries, ok bool, err error) {
	if f.Behaviour == 1 {
		return wholeEntries(f)
	}
	parts, err := f.Unpack(packed...)
	if err != nil {
		return e, false, err
	}
	buckets, checks, counts, langs, bits := parts[0], parts[1], parts[2], parts[3], parts[4]
	if len(langs) != len(bits) {
		return e, false, nil
	}
	e.Starts, e.All = make([]uint32, 1, len(buckets)+1), make([]uint32, 0, len(langs))
	for len(buckets) > 0 {
		ngrams, k := binary.Uvarint(buckets)
		if k <= 0 || ngrams > uint64(len(checks)/2) {
			return e, false, nil
		}
		buckets = buckets[k:]
		for range ngrams {
			n, k := binary.Uvarint(counts)
			if k <= 0 || n > uint64(len(langs)) {
				return e, false, nil
			}
			counts = counts[k:]
			check := uint32(binary.LittleEndian.Uint16(checks)) << 16
			checks = checks[2:]
			for i := range n {
				e.All = append(e.All, check|uint32(langs[i])<<8|uint32(bits[i]))
			}
			langs, bits = langs[n:], bits[n:]
		}
		e.Starts = append(e.Starts, uint32(len(e.All)))
	}
	return e, len(checks)+len(counts)+len(langs) == 0, nil
}

// wholeEntries reads the sections of behaviour 1, which hold the entries unpacked. ok reports
// whether the sections are consistent.
func wholeEntries(f *model.File) (e Entries, ok bool, err error) {
	for _, s := range []struct {
		name string
		to   *[]uint32
	}{{"starts", &e.Starts}, {"entries", &e.All}} {
		b, found := f.Section(s.name)
		if !found {
			return e, false, nil
		}
		*s.to = make([]uint32, len(b)/4)
		for i := range *s.to {
			(*s.to)[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
	return e, len(e.Starts) > 0, nil
}
