// Package close distinguishes close languages, such as Bokmål, Nynorsk and Danish, and varieties of
// a language, such as European and Brazilian Portuguese. It is the second stage of package langid.
//
// A [Group] has a linear model: each known feature of a text adds a row of weights, one for each
// member of the group. The scores of two texts add up to the scores of both. If the text shows
// the group but not the member, the answer is the tag of a part of the group ([Part]), such as "sh".
//
// Unstable: this package may change in any release.
package close

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"chaffinch/model"
	"chaffinch/text/langid/evidence"
)

// MaxMembers is the maximum number of members of a group.
const MaxMembers = 8

// Part is a set of members with a tag that covers all of them, such as "no" for "nb" and "nn".
type Part struct {
	Tag string   `json:"tag"`
	Of  []string `json:"of"`
}

// Settings describe a group in a model file.
type Settings struct {
	Name string `json:"name"`
	// Script is the script of the members, as a code of ISO 15924.
	Script string `json:"script"`
	// Members are the tags of the members.
	Members []string `json:"members"`
	// Parts are the parts of the group that have a tag.
	Parts []Part `json:"parts,omitempty"`
	// Variety is the tag of the language whose varieties the members are, or "".
	Variety string `json:"variety,omitempty"`
	// Unit is the weight of one step of a quantized weight.
	Unit float64 `json:"unit"`
	// SoftnessA and SoftnessB are a and b in: probabilities are the softmax of
	// score·exp(a)·n^b, where n is the number of features with a row.
	SoftnessA float64 `json:"softness_a"`
	SoftnessB float64 `json:"softness_b"`
	// Features is the number of rows.
	Features int `json:"features"`
}

// Group distinguishes the members of a group. It is safe for concurrent use.
type Group struct {
	Settings
	script evidence.Script
	packed [2][]byte // hashes and weights, compressed
	once   sync.Once
	table  []uint64 // hash << 32 | row + 1, with linear probing; 0 = free
	shift  uint
	rows   []uint64
	filter []uint64 // a bit for the high bits of each hash with a row
}

// filterShift is the number of low bits of a hash that the filter ignores. The filter fits in the
// first cache of a processor.
const filterShift = 6

// Scores are the sums over a text. The scores of the parts of a text add up.
type Scores struct {
	Sum  [MaxMembers]int32 // by member
	Rows int32             // features with a row
}

// Add adds the scores of another text.
func (s *Scores) Add(t *Scores) {
	for i := range s.Sum {
		s.Sum[i] += t.Sum[i]
	}
	s.Rows += t.Rows
}

// Read adds the features of text to s. It allocates nothing, except at the first call.
func (g *Group) Read(text string, s *Scores) {
	g.once.Do(g.index)
	r := newReader(g.script, text)
	var sum lanes
	for r.next() {
		known := 0 // features that may have a row
		for _, h := range r.found[:r.n] {
			r.found[known] = h
			h >>= filterShift
			known += int(g.filter[h/64] >> (h % 64) & 1)
		}
		for _, h := range r.found[:known] {
			i := h >> g.shift
			for g.table[i] != 0 && uint32(g.table[i]>>32) != h {
				i++
			}
			if row := uint32(g.table[i]); row != 0 {
				sum.add(g.rows[row-1])
			}
		}
		if sum.n > maxLanes-maxFound {
			sum.flush(s)
		}
	}
	sum.flush(s)
}

// lanes adds up rows. A row has one byte for each member: its weight plus 128.
type lanes struct {
	even, odd uint64 // sums of 16 bits
	n         int    // rows added
}

// maxLanes is the maximum number of rows before flush.
const maxLanes = 256

// add adds a row.
func (l *lanes) add(row uint64) {
	const evens = 0x00ff00ff00ff00ff
	l.even += row & evens
	l.odd += row >> 8 & evens
	l.n++
}

// flush adds the sums to s and clears them.
func (l *lanes) flush(s *Scores) {
	for m := range s.Sum {
		lane := l.even
		if m%2 != 0 {
			lane = l.odd
		}
		s.Sum[m] += int32(lane>>(m/2*16)&math.MaxUint16) - int32(128*l.n)
	}
	s.Rows += int32(l.n)
	*l = lanes{}
}

// Probabilities sets p to the probabilities of the members that are allowed. allowed has a bit for
// each member.
func (g *Group) Probabilities(s *Scores, allowed uint, p *[MaxMembers]float64) {
	scale := g.Unit * math.Exp(g.SoftnessA) * math.Pow(float64(max(s.Rows, 1)), g.SoftnessB)
	top := int32(math.MinInt32)
	for m := range g.Members {
		if allowed>>m&1 != 0 {
			top = max(top, s.Sum[m])
		}
	}
	sum := 0.0
	for m := range p {
		p[m] = 0
		if m < len(g.Members) && allowed>>m&1 != 0 {
			p[m] = math.Exp(float64(s.Sum[m]-top) * scale)
			sum += p[m]
		}
	}
	for m := range p {
		if sum > 0 {
			p[m] /= sum
		}
	}
}

// index decodes the rows. It panics if they are damaged, which the checksum of the file rules out.
func (g *Group) index() {
	hashes, err := model.Unpack(g.packed[0])
	weights, err2 := model.Unpack(g.packed[1])
	if err := errors.Join(err, err2); err != nil {
		panic(fmt.Sprintf("langid/close: group %s: %v", g.Name, err))
	}
	size := min(HashBits, max(8, bits.Len(uint(g.Features+g.Features/2))))
	g.table, g.shift = make([]uint64, 1<<size+g.Features), uint(HashBits-size)
	hash := uint64(0)
	k := len(g.Members)
	g.rows = make([]uint64, g.Features)
	g.filter = make([]uint64, 1<<(HashBits-filterShift)/64)
	for i := range g.Features {
		d, n := binary.Uvarint(hashes)
		if n <= 0 || hash+d >= 1<<HashBits || len(weights) != g.Features*k {
			panic(fmt.Sprintf("langid/close: group %s: the sections do not fit", g.Name))
		}
		hash, hashes = hash+d, hashes[n:]
		at := hash >> g.shift
		for g.table[at] != 0 {
			at++
		}
		g.table[at] = hash<<32 | uint64(i+1)
		g.filter[hash>>filterShift/64] |= 1 << (hash >> filterShift % 64)
		for m := range MaxMembers {
			weight := byte(128) // no weight, so that unused lanes add up to 0
			if m < k {
				weight += weights[m*g.Features+i]
			}
			g.rows[i] |= uint64(weight) << (8 * m)
		}
	}
	g.packed = [2][]byte{}
}

// Kind and version of the model files.
const (
	Kind      = "langid-close"
	Behaviour = 1
)

// Parse reads the groups of a model file in memory.
func Parse(name string, b []byte) ([]*Group, error) { return model.Decode(name, b, read) }

// Open reads the groups of the model file at path.
func Open(path string) ([]*Group, error) { return model.Load(path, read) }

// read reads the groups. The rows of a group are decoded at its first use.
func read(f *model.File) ([]*Group, error) {
	if err := f.Want(Kind, Behaviour, Behaviour); err != nil {
		return nil, err
	}
	var groups []*Group
	err := f.ReadParts(model.Part{Name: "groups", Read: func(b []byte) error {
		var settings []Settings
		if err := json.Unmarshal(b, &settings); err != nil {
			return err
		}
		for _, s := range settings {
			if n := len(s.Members); n < 2 || n > MaxMembers || s.Features < 1 || s.Features > maxFeatures {
				return fmt.Errorf("group %s: %d members and %d features, wanted 2 to %d and 1 to %d", s.Name, n, s.Features, MaxMembers, maxFeatures)
			}
			g := &Group{Settings: s, script: scriptOf(s.Script)}
			if g.script == 0 {
				return fmt.Errorf("group %s: unknown script %q", s.Name, s.Script)
			}
			groups = append(groups, g)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		parts := []model.Part{{Name: g.Name + " hashes"}, {Name: g.Name + " weights"}}
		for i := range parts {
			parts[i].Read = func(b []byte) error {
				g.packed[i] = slices.Clone(b)
				return nil
			}
		}
		if err := f.ReadParts(parts...); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// maxFeatures is an upper bound on the number of features of a group.
const maxFeatures = 1 << 22

// scriptOf returns the script with a code of ISO 15924, or 0.
func scriptOf(code string) evidence.Script {
	for i, s := range evidence.Scripts {
		if i > 0 && s.Name == code {
			return evidence.Script(i)
		}
	}
	return 0
}

// Rows holds the rows of a group for [Write].
type Rows struct {
	Hashes  []uint32 // ascending
	Weights []int8   // by member and row
}

// Write writes the sections of the groups to a model file.
func Write(w *model.Writer, groups []Settings, rows []Rows) error {
	raw, err := json.Marshal(groups)
	if err != nil {
		return err
	}
	w.Section("groups")
	if _, err := w.Write(raw); err != nil {
		return err
	}
	for i, g := range groups {
		var hashes []byte
		last := uint32(0)
		for _, h := range rows[i].Hashes {
			hashes = binary.AppendUvarint(hashes, uint64(h-last))
			last = h
		}
		weights := make([]byte, len(rows[i].Weights))
		for j, v := range rows[i].Weights {
			weights[j] = byte(v)
		}
		for _, s := range []model.Section{{Name: "hashes", Bytes: hashes}, {Name: "weights", Bytes: weights}} {
			packed, err := model.Pack(s.Bytes)
			if err != nil {
				return err
			}
			w.Section(g.Name + " " + s.Name)
			if _, err := w.Write(packed); err != nil {
				return err
			}
		}
	}
	return nil
}
