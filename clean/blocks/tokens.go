package blocks

// Salts separate the uses of a token.
const (
	saltAny     uint32 = 0x9E3779B1 // any ancestor of the block
	saltNear    uint32 = 0x85EBCA77 // one of the nearest three ancestors
	saltRole    uint32 = 0xC2B2AE3D // role or itemprop attribute
	saltClass   uint32 = 0x27D4EB2F // whole class attribute
	saltTag     uint32 = 0x165667B1 // tag name at a level
	saltPair    uint32 = 0xD3A2646C // two consecutive words
	saltTail    uint32 = 0xFD7046C5 // word at the end of a block
	saltHeading uint32 = 0xB55A4F09 // word of the heading above a block
)

// slabBits is the base-2 logarithm of the size of a slab.
const slabBits = 16

// SlabSlots is the number of weights in a slab of a [Linear].
const SlabSlots = 1 << slabBits

// slot returns the index of a token in a slab.
func slot(token, salt uint32) uint32 {
	h := uint64(token^salt) * 0x9E3779B97F4A7C15
	return uint32(h >> (64 - slabBits))
}

// appendTokens appends the hashes of the parts of an attribute value to dst. Parts are runs
// of letters in lower case. A capital after a small letter starts a new part, as in
// "sideBar_2". Digits and other characters are dropped.
func appendTokens(dst []uint32, value string, salt uint32) []uint32 {
	if len(value) > maxAttribute {
		value = value[:maxAttribute]
	}
	h, n := wordSeed^salt, 0
	small := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case 'a' <= c && c <= 'z', c >= 0x80:
			small = true
		case 'A' <= c && c <= 'Z':
			if small && n > 0 {
				dst = append(dst, h)
				h, n = wordSeed^salt, 0
			}
			small = false
			c |= 0x20
		default:
			if n > 0 {
				dst = append(dst, h)
				h, n = wordSeed^salt, 0
			}
			small = false
			continue
		}
		h = (h ^ uint32(c)) * wordPrime
		n++
	}
	if n > 0 {
		dst = append(dst, h)
	}
	return dst
}

// maxAttribute is the number of bytes of an attribute that are read.
const maxAttribute = 300

// maxNear is the number of ancestors, from the innermost, whose tokens count as near.
const maxNear = 3

// slotLists holds lists of slots in sequence.
type slotLists struct {
	slots []uint32
	ends  []int32
}

func (l *slotLists) reset() { l.slots, l.ends = l.slots[:0], l.ends[:0] }

// end ends a list.
func (l *slotLists) end() { l.ends = append(l.ends, int32(len(l.slots))) }

// of returns list k.
func (l *slotLists) of(k int32) []uint32 {
	from := int32(0)
	if k > 0 {
		from = l.ends[k-1]
	}
	return l.slots[from:l.ends[k]]
}

// readSlots reads the slots of the groups of elements: any for all blocks inside them, near for
// blocks close to them.
func (s *sheet) readSlots() {
	s.programs = false
	s.any.reset()
	s.near.reset()
	for k := range s.alikes {
		a := &s.alikes[k]
		el := &s.page.Elements[a.element-1]
		s.scratch = appendTokens(s.scratch[:0], el.Class, 0)
		s.scratch = appendTokens(s.scratch, el.ID, 0)
		a.program = isProgram(el.Name, s.scratch)
		s.programs = s.programs || a.program
		s.scratch = appendTokens(s.scratch, el.Role, saltRole)
		s.scratch = appendTokens(s.scratch, el.ItemProp, saltRole)
		for _, t := range s.scratch {
			s.present.add(t, saltAny)
			s.any.slots = append(s.any.slots, slot(t, saltAny))
			s.near.slots = append(s.near.slots, slot(t, saltNear))
		}
		s.near.slots = append(s.near.slots, slot(uint32(a.own>>32), saltClass))
		s.any.end()
		s.near.end()
	}
}

// appendTagSlots appends the slots of the tag names around a block.
func (s *sheet) appendTagSlots(dst []uint32, e int32) []uint32 {
	path := uint32(0)
	for level := uint32(0); level < 4 && e > 0; level++ {
		tag := uint32(s.alikes[s.elems[e].alike].name>>32) + level
		dst = append(dst, slot(tag, saltTag))
		path = path*31 + tag
		if level == 2 {
			dst = append(dst, slot(path, saltTag))
		}
		e = s.elems[e].parent
	}
	return dst
}

// wordSlots returns the number of slots that appendWordSlots appends.
func (w *wordHashes) wordSlots() int { return 2 * (min(w.count, headWords) + min(w.count, tailWords)) }

// appendWordSlots appends the slots of the first and last words of a block.
func (w *wordHashes) appendWordSlots(dst []uint32) []uint32 {
	last := uint32(0)
	for _, h := range w.head[:min(w.count, headWords)] {
		dst = append(dst, slot(h, 0))
		dst = append(dst, slot(h+last*31, saltPair))
		last = h
	}
	from := max(0, w.count-tailWords)
	last = 0
	for i := from; i < w.count; i++ {
		h := w.tail[i%tailWords]
		dst = append(dst, slot(h, saltTail))
		dst = append(dst, slot(h+last*31, saltTail^saltPair))
		last = h
	}
	return dst
}
