package lm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"chaffinch/model"
)

// packedBehaviour is the behaviour version of model files that [Pack] writes.
const packedBehaviour = 2

// Pack returns a model file with the content of f, of behaviour 1, in half of its size, for
// embedded models. Opening it restores the bytes of f in memory. Pack supports models of kind
// KneserNey and order 2 with values of at most 8 bits.
func Pack(f *model.File) ([]byte, error) {
	m, err := New(f)
	if err != nil {
		return nil, err
	}
	t := &m.meta
	if f.Behaviour != 1 || t.Estimator != KneserNey || t.Order != 2 || t.ValueBits[0] > 8 || t.ValueBits[1] > 8 || t.BackoffBits[0] > 8 {
		return nil, fmt.Errorf("model %s: only a model of behaviour 1, kind %s, order 2 and 8 bits can be packed", f.Path(), KneserNey)
	}
	var p pairs
	one, two := &m.levels[0], &m.levels[1]
	follow := make([][]pair, one.n) // by first word: the words that follow it
	for w := range one.n {
		p.lengths = append(p.lengths, byte(len(m.Vocab.Word(uint32(w)))))
		p.probs = append(p.probs, byte(one.raw(w)))
		p.backoffs = append(p.backoffs, byte(one.field(w*one.width+uint64(one.valLen), one.bowLen)))
		from, to := one.children(w, two.n)
		for i := from; i < to; i++ {
			first := unscramble(two.key(i), two.keyLen)
			follow[first] = append(follow[first], pair{uint32(w), byte(two.raw(i))})
		}
	}
	for _, row := range follow {
		p.counts = binary.AppendUvarint(p.counts, uint64(len(row)))
		next := uint32(0)
		for _, x := range row {
			p.step(x.second - next)
			next = x.second + 1
			p.values = append(p.values, x.value)
		}
	}
	p.text, _ = f.Section("vocab.text")
	h := f.Header
	h.Behaviour = packedBehaviour
	w := model.Memory(h)
	for _, name := range []string{"meta", "value.1", "backoff.1", "value.2"} {
		b, _ := f.Section(name)
		w.Section(name)
		w.Write(b)
	}
	for i, part := range p.parts() {
		b, err := model.Pack(*part)
		if err != nil {
			return nil, err
		}
		w.Section(packedSections[i])
		w.Write(b)
	}
	return w.Bytes()
}

// pair is a word that follows another word, and its value.
type pair struct {
	second uint32
	value  byte
}

// pairs holds the packed parts of a model of word pairs.
type pairs struct {
	text     []byte // as vocab.text
	lengths  []byte // of the words
	probs    []byte // values of the words
	backoffs []byte // of the words
	counts   []byte // for each first word: the number of its pairs, as unsigned LEB128
	// For each pair, by first word, then by second word: the number of ids between its second
	// word and the previous one. rest holds the parts that do not fit in a byte of steps.
	steps, rest []byte
	values      []byte // for each pair
}

// packedSections holds the names of the sections, in the order of parts.
var packedSections = []string{"text", "lengths", "probs", "backoffs", "counts", "steps", "rest", "values"}

func (p *pairs) parts() []*[]byte {
	return []*[]byte{&p.text, &p.lengths, &p.probs, &p.backoffs, &p.counts, &p.steps, &p.rest, &p.values}
}

// A step below shortSteps is one byte. A byte from shortSteps up to longStep is followed by one
// byte in rest, and longStep by four.
const (
	shortSteps = 192
	longStep   = 255
	longFrom   = (longStep - shortSteps) << 8 // value of longStep, above shortSteps
)

func (p *pairs) step(n uint32) {
	switch over := n - shortSteps; {
	case n < shortSteps:
		p.steps = append(p.steps, byte(n))
	case over < longFrom:
		p.steps, p.rest = append(p.steps, byte(shortSteps+over>>8)), append(p.rest, byte(over))
	default:
		p.steps, p.rest = append(p.steps, longStep), binary.LittleEndian.AppendUint32(p.rest, n)
	}
}

var errPacked = errors.New("the packed parts do not fit each other")

// seconds returns the second words of all pairs, and the start of the pairs of each first word.
func (p *pairs) seconds(words, n uint64) (seconds, starts []uint32, err error) {
	if uint64(len(p.steps)) != n || uint64(len(p.values)) != n || uint64(len(p.lengths)) != words || uint64(len(p.probs)) != words || uint64(len(p.backoffs)) != words {
		return nil, nil, errPacked
	}
	seconds, starts = make([]uint32, 0, n), make([]uint32, 1, words+1)
	counts, rest := p.counts, p.rest
	for range words {
		count, k := binary.Uvarint(counts)
		if k <= 0 || count > n-uint64(len(seconds)) {
			return nil, nil, errPacked
		}
		counts = counts[k:]
		next := uint64(0)
		for _, b := range p.steps[len(seconds):][:count] {
			step := uint64(b)
			switch {
			case b < shortSteps:
			case b < longStep && len(rest) > 0:
				step = shortSteps + uint64(b-shortSteps)<<8 + uint64(rest[0])
				rest = rest[1:]
			case b == longStep && len(rest) > 3:
				step = uint64(binary.LittleEndian.Uint32(rest))
				rest = rest[4:]
			default:
				return nil, nil, errPacked
			}
			if next += step; next >= words {
				return nil, nil, errPacked
			}
			seconds = append(seconds, uint32(next))
			next++
		}
		starts = append(starts, uint32(len(seconds)))
	}
	if uint64(len(seconds)) != n {
		return nil, nil, errPacked
	}
	return seconds, starts, nil
}

// fit reports whether all values have at most n bits; n is at most 8.
func fit(values []byte, n uint) bool {
	all := byte(0)
	for _, v := range values {
		all |= v
	}
	return all>>n == 0
}

// unpack returns the model file of behaviour 1 from which f was packed.
func unpack(f *model.File) (*model.File, error) {
	fail := func(err error) (*model.File, error) { return nil, fmt.Errorf("%w: copy it again", err) }
	var t meta
	raw, _ := f.Section("meta")
	if err := json.Unmarshal(raw, &t); err != nil {
		return fail(fmt.Errorf("section meta: %w", err))
	}
	if err := t.check(); err != nil {
		return fail(fmt.Errorf("section meta: %w", err))
	}
	if t.Order != 2 || t.ValueBits[0] > 8 || t.ValueBits[1] > 8 || t.BackoffBits[0] > 8 {
		return fail(errPacked)
	}
	parts, err := f.Unpack(packedSections...)
	if err != nil {
		return nil, err
	}
	var p pairs
	for i, part := range p.parts() {
		*part = parts[i]
	}
	words, n := t.Ngrams[0], t.Ngrams[1]
	seconds, starts, err := p.seconds(words, n)
	if err != nil {
		return fail(err)
	}
	vocabulary := make([]string, 0, words)
	for text := string(p.text); len(vocabulary) < int(words); {
		length := int(p.lengths[len(vocabulary)])
		if length > len(text) {
			return fail(errPacked)
		}
		vocabulary = append(vocabulary, text[:length])
		text = text[length:]
	}
	text, ends, slots, err := vocabSections(vocabulary)
	if err != nil {
		return fail(err)
	}
	if !fit(p.probs, t.ValueBits[0]) || !fit(p.backoffs, t.BackoffBits[0]) || !fit(p.values, t.ValueBits[1]) {
		return fail(errPacked)
	}
	// The rows of the trie belong to second words. Adding first words in the order of their
	// keys keeps each row sorted.
	rows := make([]uint32, words+1)
	for _, second := range seconds {
		rows[second+1]++
	}
	for i := range words {
		rows[i+1] += rows[i]
	}
	var one, two level
	if err := errors.Join(one.layout(&t, 1), two.layout(&t, 2)); err != nil {
		return fail(err)
	}
	records := make([]byte, two.size())
	next := append([]uint32(nil), rows...)
	for key := range uint64(1) << two.keyLen {
		first := uint64(unscramble(key, two.keyLen))
		if first >= words {
			continue
		}
		for i := starts[first]; i < starts[first+1]; i++ {
			second := seconds[i]
			bit := uint64(next[second]) * two.width
			next[second]++
			record := (uint64(p.values[i])<<two.keyLen | key) << (bit & 7) // the parts have at most 2^24 words
			at := records[bit>>3:]
			binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)|record)
		}
	}
	h := f.Header
	h.Behaviour = 1
	w := model.Memory(h)
	w.Grow(len(text) + len(ends) + len(slots) + one.size() + two.size() + 1<<16)
	section := func(name string, b []byte) {
		w.Section(name)
		w.Write(b)
	}
	copied := func(name string) {
		b, _ := f.Section(name)
		section(name, b)
	}
	section("meta", raw)
	section("vocab.text", text)
	section("vocab.ends", ends)
	section("vocab.slots", slots)
	write := packer{put: func(b []byte) error { _, err := w.Write(b); return err }}
	copied("value.1")
	copied("backoff.1")
	w.Section("gram.1")
	for i := range words {
		write.field(uint64(p.probs[i]), one.valLen)
		write.field(uint64(p.backoffs[i]), one.bowLen)
		write.field(uint64(rows[i]), one.subLen)
	}
	write.field(0, one.valLen)
	write.field(0, one.bowLen)
	write.field(n, one.subLen)
	write.flush(true)
	copied("value.2")
	section("gram.2", records)
	b, err := w.Bytes()
	if err != nil {
		return nil, err
	}
	return model.Parse(f.Path(), b)
}
