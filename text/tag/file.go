package tag

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/model"
)

// kind is the kind of the model files of this package. Their format is described in
// docs/reference/formats/tagger.md.
const kind = "tagger"

// Behaviour versions of model files.
//
//	1  sections "settings", "words", "weights", "lemmas", "lexicon"
const (
	behaviour      = 1
	oldestReadable = 1
)

const (
	sectionSettings = "settings"
	sectionWords    = "words"
	sectionWeights  = "weights"
	sectionLemmas   = "lemmas"
	sectionLexicon  = "lexicon"
)

// settings is the content of the section of the same name, as JSON.
type settings struct {
	Config
	Tags    []Tag    `json:"tags"`
	Scripts []string `json:"scripts"`
	Splits  []Split  `json:"splits,omitempty"`
	// Lexicon are the tags of the dictionary, and Likely the candidates for each.
	Lexicon []Tag      `json:"lexicon,omitempty"`
	Likely  [][]uint16 `json:"likely,omitempty"`
}

// Save writes m to a model file at path. h holds the known training data: name, data, tool, card;
// Save sets its other fields. The same model and header always produce the same bytes.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = kind, behaviour
	s := settings{Config: m.w.Config, Tags: m.w.Tags, Splits: m.w.Splits, Lexicon: m.w.LexiconTags, Likely: m.w.Likely, Scripts: []string{}}
	for _, x := range m.w.Scripts {
		s.Scripts = append(s.Scripts, x.String())
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	sections := []model.Section{{Name: sectionSettings, Bytes: b}, {Name: sectionWords, Bytes: appendWords(nil, &m.words)}, {Name: sectionWeights, Bytes: toBytes(m.w.Table)},
		{Name: sectionLemmas, Bytes: toBytes(m.w.Lemmas)},
		{Name: sectionLexicon, Bytes: appendWords(nil, &m.more)}}
	for i := range sections {
		if sections[i].Bytes, err = model.Pack(sections[i].Bytes); err != nil {
			return err
		}
	}
	return model.Save(path, h, sections...)
}

func toBytes(list []int8) []byte {
	out := make([]byte, len(list))
	for i, x := range list {
		out[i] = byte(x)
	}
	return out
}

func fromBytes(list []byte) []int8 {
	out := make([]int8, len(list))
	for i, x := range list {
		out[i] = int8(x)
	}
	return out
}

// appendWords appends the lexicon: the distinct lists of readings, and the words. Words with similar
// endings have similar readings: they are in the order of their reversed bytes, each with the number
// of bytes that it shares with the end of the word before, its count and its list.
func appendWords(dst []byte, words *lexicon) []byte {
	var all, rows []byte
	counts, lists, numbers := make([]int, len(words.lists)), make([]int, len(words.lists)), make([]int, len(words.lists))
	for i := range words.rows {
		counts[words.rows[i].list>>countBits]++
	}
	for i := range lists {
		lists[i] = i
	}
	slices.SortStableFunc(lists, func(a, b int) int { return counts[b] - counts[a] })
	for i, n := range lists {
		numbers[n] = i
		all = appendReadings(all, words.lists[n])
	}
	order := make([]int, words.len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareReversed(words.form(a), words.form(b)) })
	before := ""
	for _, i := range order {
		form := words.form(i)
		same := 0
		for same < min(len(form), len(before)) && form[len(form)-1-same] == before[len(before)-1-same] {
			same++
		}
		rows = binary.AppendUvarint(rows, uint64(same))
		rows = binary.AppendUvarint(rows, uint64(len(form)-same))
		rows = append(rows, form[:len(form)-same]...)
		rows = append(rows, byte(words.word(i).Count))
		rows = binary.AppendUvarint(rows, uint64(numbers[words.rows[i].list>>countBits]))
		before = form
	}
	dst = binary.AppendUvarint(dst, uint64(len(words.lists)))
	dst = append(dst, all...)
	dst = binary.AppendUvarint(dst, uint64(words.len()))
	return append(dst, rows...)
}

// appendReadings appends a list of readings.
func appendReadings(dst []byte, list []Reading) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, r := range list {
		dst = binary.AppendUvarint(dst, uint64(r.Tag))
		dst = binary.AppendUvarint(dst, uint64(r.Script))
	}
	return dst
}

// compareReversed compares strings from the last byte to the first.
func compareReversed(a, b string) int {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if x, y := a[len(a)-i], b[len(b)-i]; x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

// Parse parses a model file in memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, read) }

// read parses an open model file.
func read(f *model.File) (*Model, error) {
	if err := f.Want(kind, oldestReadable, behaviour); err != nil {
		return nil, err
	}
	names := []string{sectionSettings, sectionWords, sectionWeights, sectionLemmas, sectionLexicon}
	sum := xxh3.New()
	for _, name := range names {
		b, _ := f.Section(name)
		sum.Write(b)
	}
	parts, err := f.Unpack(names...)
	if err != nil {
		return nil, err
	}
	var w Weights
	read := func(name string, err error) error {
		if err != nil {
			return fmt.Errorf("model %s: section %s: %w", f.Path(), name, err)
		}
		return nil
	}
	if err := read(sectionSettings, w.readSettings(parts[0])); err != nil {
		return nil, err
	}
	words, err := readWords(parts[1])
	if err != nil {
		return nil, read(sectionWords, err)
	}
	more, err := readWords(parts[4])
	if err != nil {
		return nil, read(sectionLexicon, err)
	}
	w.Table, w.Lemmas = fromBytes(parts[2]), fromBytes(parts[3])
	if len(w.Table) == 0 {
		return nil, read(sectionWeights, errors.New("no weights"))
	}
	m, err := newModel(w, words, more)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", f.Path(), err)
	}
	m.name, m.sum = f.Name, sum.Sum64()
	return m, nil
}

func (w *Weights) readSettings(b []byte) error {
	var s settings
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	w.Config, w.Tags, w.Splits = s.Config, s.Tags, s.Splits
	w.LexiconTags, w.Likely = s.Lexicon, s.Likely
	for _, text := range s.Scripts {
		x, err := parseScript(text)
		if err != nil {
			return err
		}
		w.Scripts = append(w.Scripts, x)
	}
	for _, x := range s.Splits {
		if x.Form == "" || len(x.Words) < 2 {
			return fmt.Errorf("multiword token %q of %d words, wanted two or more", x.Form, len(x.Words))
		}
	}
	return nil
}

// errDamaged is the error for a lexicon with impossible numbers.
var errDamaged = errors.New("damaged")

// readWords reads the result of appendWords.
func readWords(b []byte) (lexicon, error) {
	r := decoder{b: b}
	var l lexiconBuilder
	l.lists = make([][]Reading, r.count(2))
	for i := range l.lists {
		l.lists[i] = make([]Reading, r.count(2))
		for k := range l.lists[i] {
			l.lists[i][k] = Reading{uint16(r.number(MaxTags)), uint16(r.number(MaxScripts))}
		}
	}
	words := r.count(4)
	if words > maxWords {
		return lexicon{}, errDamaged
	}
	l.rows = make([]wordRow, 0, words)
	before := 0 // beginning of the form before
	for range words {
		begin := len(l.text)
		same := r.number(begin - before + 1)
		l.text = append(l.text, r.bytes(r.number(len(r.b)+1))...)
		l.text = append(l.text, l.text[begin-same:begin]...)
		count := r.bytes(1)
		list := r.number(len(l.lists))
		if r.damaged || len(l.lists) == 0 || count[0] > MaxCount {
			return lexicon{}, errDamaged
		}
		l.add(int(count[0]), list)
		before = begin
	}
	if r.damaged || len(r.b) > 0 {
		return lexicon{}, errDamaged
	}
	return l.lexicon(), nil
}

// decoder reads numbers.
type decoder struct {
	b       []byte
	damaged bool
}

// number returns the next number, which is below limit.
func (d *decoder) number(limit int) int {
	n, size := binary.Uvarint(d.b)
	if size <= 0 || n >= uint64(max(limit, 1)) {
		d.damaged, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return int(n)
}

// count returns the number of following records, each of at least size bytes.
func (d *decoder) count(size int) int { return d.number(len(d.b)/size + 1) }

// bytes returns the next n bytes.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.damaged, d.b = true, nil
		return make([]byte, n)
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}
