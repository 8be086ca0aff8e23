package blocks

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"chaffinch/internal/boost"
	"chaffinch/internal/huge"
	"chaffinch/internal/swar"
	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/page"
)

// Kind is the kind of the model files of this package. docs/reference/formats/blocks.md describes
// their format.
const Kind = "blocks"

// behaviour versions of model files.
//
//	1  one forest for kept text under a policy, one for comments
//	2  sections "roles", "attributes", "words", "pages", "cuts", "forest"
//	3  weights of 7 bits instead of 8
//	4  sections are compressed
const (
	behaviour      = 4
	oldestReadable = 3
)

// Names of the sections.
const (
	sectionRoles      = "roles"
	sectionAttributes = "attributes"
	sectionWords      = "words"
	sectionHints      = "hints"
	sectionPages      = "pages"
	sectionCuts       = "cuts"
	sectionForest     = "forest"
	sectionMore       = "more"
	sectionLean       = "lean"
	sectionConfidence = "confidence"
	sectionTypes      = "types"
)

// Save writes m to a model file at path. h holds the training information: name, config,
// data, tool, card. Save sets its other fields. The output depends only on m and h.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = Kind, behaviour
	roles, err := json.Marshal(roleNames)
	if err != nil {
		return err
	}
	forest, err := m.roles.AppendBinary(nil)
	if err != nil {
		return err
	}
	sections := []model.Section{
		{Name: sectionRoles, Bytes: roles},
		{Name: sectionAttributes, Bytes: m.linears.attr.linear().append(nil)},
		{Name: sectionWords, Bytes: m.linears.words.linear().append(nil)},
		{Name: sectionPages, Bytes: m.pages.model().append(nil)},
		{Name: sectionCuts, Bytes: m.appendCuts(nil)},
		{Name: sectionForest, Bytes: forest},
	}
	if h := m.linears.hints(); h != nil {
		sections = append(sections, model.Section{Name: sectionHints, Bytes: h.append(nil)})
	}
	if m.more != nil {
		b, err := m.more.AppendBinary(nil)
		if err != nil {
			return err
		}
		sections = append(sections, model.Section{Name: sectionMore, Bytes: b})
	}
	if m.lean != nil {
		sections = append(sections, model.Section{Name: sectionLean, Bytes: m.appendLean(nil)})
	}
	if m.confidence != nil {
		b, err := m.confidence.append(nil)
		if err != nil {
			return err
		}
		sections = append(sections, model.Section{Name: sectionConfidence, Bytes: b})
	}
	if m.types != nil {
		b, err := m.types.append(nil)
		if err != nil {
			return err
		}
		sections = append(sections, model.Section{Name: sectionTypes, Bytes: b})
	}
	for i := range sections {
		if sections[i].Bytes, err = model.Pack(sections[i].Bytes); err != nil {
			return err
		}
	}
	return model.Save(path, h, sections...)
}

// append writes the bias, and the scale and weights in steps of each slab.
func (l *Linear) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(l.Bias))
	for _, s := range l.Slabs {
		b = s.append(b)
	}
	return b
}

// append writes the scale and the weights in steps.
func (s Slab) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s.Scale))
	for _, w := range s.Weights {
		b = append(b, byte(w))
	}
	return b
}

// readSlab reads the output of Slab.append. The slab refers to b.
func readSlab(b []byte) (Slab, error) {
	s := Slab{Scale: math.Float32frombits(binary.LittleEndian.Uint32(b))}
	if err := checkSteps(b[4:]); err != nil {
		return s, err
	}
	s.Weights = unsafe.Slice((*int8)(unsafe.Pointer(&b[4])), len(b)-4)
	if !(s.Scale >= 0 && s.Scale < 1e3) {
		return s, fmt.Errorf("scale %v of a slab", s.Scale)
	}
	return s, nil
}

// checkSteps returns an error if a weight exceeds MostSteps.
func checkSteps(b []byte) error {
	for len(b) >= 8 && withinSteps(binary.LittleEndian.Uint64(b)) {
		b = b[8:]
	}
	for _, w := range b {
		if v := int8(w); v < -MostSteps || v > MostSteps {
			return fmt.Errorf("a weight of %d steps, wanted at most %d", v, MostSteps)
		}
	}
	return nil
}

// withinSteps reports whether eight weights are within MostSteps: the two highest bits of each are
// equal, and it is not -MostSteps-1.
func withinSteps(x uint64) bool {
	const least = uint8(256 - MostSteps - 1)
	y := x ^ uint64(least)*swar.Ones
	return ((x^x<<1)|(y-swar.Ones)&^y)&swar.Tops == 0
}

var _ [MostSteps - 63]struct{} // withinSteps is for weights of seven bits
var _ [63 - MostSteps]struct{}

// append writes the bias and the slab of each target.
func (m *PageModel) append(b []byte) []byte {
	for t := range m.Weights {
		b = m.Weights[t].append(binary.LittleEndian.AppendUint32(b, math.Float32bits(m.Bias[t])))
	}
	return b
}

// readPages reads the output of PageModel.append. The slabs refer to b.
func readPages(b []byte) (*PageModel, error) {
	const size = 4 + 4 + 1<<pageBits
	if want := pageTargets * size; len(b) != want {
		return nil, fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	m := new(PageModel)
	for t := range m.Weights {
		part := b[t*size : (t+1)*size]
		m.Bias[t] = math.Float32frombits(binary.LittleEndian.Uint32(part))
		if !(math.Abs(float64(m.Bias[t])) < 1e3) {
			return nil, fmt.Errorf("bias %v", m.Bias[t])
		}
		var err error
		if m.Weights[t], err = readSlab(part[4:]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// readLinear reads the output of Linear.append. The slabs refer to b.
func readLinear(b []byte) (*Linear, error) {
	const slab = 4 + 1<<slabBits
	if want := 4 + Slabs*slab; len(b) != want {
		return nil, fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	l := &Linear{Bias: math.Float32frombits(binary.LittleEndian.Uint32(b))}
	for b = b[4:]; len(b) > 0; b = b[slab:] {
		s, err := readSlab(b[:slab])
		if err != nil {
			return nil, err
		}
		l.Slabs = append(l.Slabs, s)
	}
	if !(math.Abs(float64(l.Bias)) < 1e3) {
		return nil, fmt.Errorf("bias %v", l.Bias)
	}
	return l, nil
}

// appendCuts writes the name and the cut points of each column.
func (m *Model) appendCuts(b []byte) []byte {
	for c, cuts := range m.cuts[:m.known] {
		b = append(b, byte(len(columnNames[c])))
		b = boost.AppendCuts(append(b, columnNames[c]...), cuts)
	}
	return b
}

// readCuts reads the output of appendCuts. The columns must be a prefix of the columns of
// this version. New columns are always appended, and models trained without them do not read
// them.
func (m *Model) readCuts(b []byte) error {
	for c := range m.cuts {
		if len(b) == 0 && c > 0 {
			break
		}
		if len(b) < 1 || len(b) < 1+int(b[0])+1 {
			return fmt.Errorf("ends in column %d of %d", c, columns)
		}
		end := 1 + int(b[0])
		name := string(b[1:end])
		b = b[end:]
		if name != columnNames[c] {
			return fmt.Errorf("column %d is %q, this version computes %q: train the model again", c, name, columnNames[c])
		}
		var err error
		if m.cuts[c], b, err = boost.ReadCuts(b); err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		m.known = c + 1
	}
	if len(b) > 0 {
		return fmt.Errorf("%d bytes too many", len(b))
	}
	return nil
}

// Load reads the model file at path. The paths "" and "embedded" return the embedded model.
func Load(path string) (*Model, error) {
	if path == "" || path == "embedded" {
		return embedded()
	}
	return model.Load(path, readOnHeap)
}

// embedded returns the embedded model.
var embedded = sync.OnceValues(func() (*Model, error) {
	return model.Decode("embedded blocks", data.Blocks, func(f *model.File) (*Model, error) { return read(f, huge.Forever) })
})

// allocator returns n zeros for a large table of a model.
type allocator func(n int) []uint64

func onHeap(n int) []uint64 { return make([]uint64, n) }

func readOnHeap(f *model.File) (*Model, error) { return read(f, onHeap) }

func read(f *model.File, alloc allocator) (*Model, error) {
	if err := f.Want(Kind, oldestReadable, behaviour); err != nil {
		return nil, err
	}
	m := &Model{card: slices.Clone(f.Header.Card), linears: emptyLinears(alloc)}
	some := []model.Part{
		{Name: sectionHints, Optional: true, Read: m.readHints},
		{Name: sectionAttributes, Read: func(b []byte) error { return m.linears.attr.read(b) }},
	}
	others := []model.Part{
		{Name: sectionRoles, Read: checkRoles},
		{Name: sectionWords, Read: func(b []byte) error { return m.linears.words.read(b) }},
		{Name: sectionPages, Read: m.readPages},
		{Name: sectionCuts, Read: m.readCuts},
		{Name: sectionForest, Read: func(b []byte) error { return m.readRoles(b, alloc) }}, // after the cuts
		{Name: sectionMore, Optional: true, Read: m.readMore},
		{Name: sectionLean, Optional: true, Read: m.readLean},
		{Name: sectionConfidence, Optional: true, Read: func(b []byte) (err error) { m.confidence, err = readConfidence(b); return err }},
		{Name: sectionTypes, Optional: true, Read: func(b []byte) (err error) { m.types, err = readTypes(b); return err }},
	}
	var someErr error
	var wait sync.WaitGroup
	wait.Go(func() { someErr = readParts(f, some) })
	err := readParts(f, others)
	if wait.Wait(); err != nil || someErr != nil {
		return nil, cmp.Or(err, someErr)
	}
	m.prepare()
	return m, nil
}

// readParts reads parts of a file, which keep no bytes of their sections.
func readParts(f *model.File, parts []model.Part) error {
	if f.Behaviour < 4 {
		return f.ReadParts(parts...)
	}
	u, err := model.NewUnpacker()
	if err != nil {
		return err
	}
	defer u.Close()
	for i, read := range parts {
		parts[i].Read = func(b []byte) error {
			b, err := u.Unpack(b)
			if err != nil {
				return err
			}
			return read.Read(b)
		}
	}
	return f.ReadParts(parts...)
}

// read reads the weights of a linear model from the output of Linear.append.
func (t *lookup) read(b []byte) error {
	l, err := readLinear(b)
	if err != nil {
		return err
	}
	t.setLinear(l)
	return nil
}

func (m *Model) readPages(b []byte) error {
	p, err := readPages(b)
	if err != nil {
		return err
	}
	m.pages = p.byToken()
	return nil
}

func (m *Model) readHints(b []byte) error {
	h, err := readHints(b)
	if err != nil {
		return err
	}
	m.linears.setHints(h)
	return nil
}

// roleNames holds the names of the roles in the order of the classes.
var roleNames = func() (names []string) {
	for r := range Roles {
		names = append(names, page.Role(r+1).String())
	}
	return names
}()

// checkRoles returns an error if the roles of a file differ from the roles of this version.
func checkRoles(b []byte) error {
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		return err
	}
	if !slices.Equal(names, roleNames) {
		return fmt.Errorf("roles %s, this version knows %s: train the model again", strings.Join(names, ", "), strings.Join(roleNames, ", "))
	}
	return nil
}

func (m *Model) readRoles(b []byte, alloc allocator) error {
	f := new(boost.Classes)
	if err := f.Read(b, alloc); err != nil {
		return err
	}
	if f.Classes() != Roles || f.Columns() > m.known {
		return fmt.Errorf("%d roles by column %d of %d, wanted %d roles", f.Classes(), f.Columns()-1, m.known, Roles)
	}
	m.roles = f
	return nil
}

func (m *Model) readMore(b []byte) error {
	f := new(boost.Forest)
	if err := f.UnmarshalBinary(b); err != nil {
		return err
	}
	if f.Columns() > m.known {
		return fmt.Errorf("a tree reads column %d of %d", f.Columns()-1, m.known)
	}
	m.more = f
	return nil
}
