package worker

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"

	"chaffinch/format/pdf/internal/wire"
)

// Limits of a page.
const (
	maxChars   = 200_000
	maxObjects = 50_000
	maxForms   = 6     // depth of forms
	maxRules   = 5_000 // lines and rectangles
	maxMarks   = 8     // of an object
	maxTags    = 50_000
	maxTagDeep = 64
	maxLinks   = 5_000
	maxURL     = 2_000 // bytes
)

// matrix maps points of a page or object.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) apply(x, y float64) (float64, float64) {
	return float64(m.a*x) + float64(m.c*y) + m.e, float64(m.b*x) + float64(m.d*y) + m.f
}

// then returns the matrix that maps by m, then by n.
func (m matrix) then(n matrix) matrix {
	e, f := n.apply(m.e, m.f)
	product := func(a, b, c, d float64) float64 { return float64(a*b) + float64(c*d) }
	return matrix{product(n.a, m.a, n.c, m.b), product(n.b, m.a, n.d, m.b), product(n.a, m.c, n.c, m.d), product(n.b, m.c, n.d, m.d), e, f}
}

// box returns the smallest box with the corners of a mapped rectangle.
func (m matrix) box(x0, y0, x1, y1 float64) wire.Box {
	ax, ay := m.apply(x0, y0)
	bx, by := m.apply(x1, y1)
	cx, cy := m.apply(x0, y1)
	dx, dy := m.apply(x1, y0)
	return wire.Box{
		X0: float32(min(ax, bx, cx, dx)), Y0: float32(min(ay, by, cy, dy)),
		X1: float32(max(ax, bx, cx, dx)), Y1: float32(max(ay, by, cy, dy)),
	}
}

// size returns the width and height of a page, rotated.
func (d *document) size(page uint64) (w, h float64) {
	w = float64(api.DecodeF32(d.call("FPDF_GetPageWidthF", page)))
	h = float64(api.DecodeF32(d.call("FPDF_GetPageHeightF", page)))
	return w, h
}

// pageReader reads one page.
type pageReader struct {
	*document
	page, text uint64
	m          matrix // to points from the upper left corner
	out        *wire.Page
	marked     map[int]int32 // marked content to tags
	fonts      map[wire.Font]uint16
	objects    int
	spans      map[uint64]*span  // by mark
	inSpan     map[uint64]uint64 // marks of text objects with a replacement text
}

// span is a part of the content with a replacement text (ActualText), such as a syllable whose
// signs have no characters. PDFium returns the text with the first of its objects, and with
// objects that do not follow the first.
type span struct {
	box   wire.Box
	first uint64 // object
}

// read returns the content of a page.
func (d *document) read(number int) (*wire.Page, error) {
	page := d.call("FPDF_LoadPage", d.handle, uint64(number))
	if page == 0 {
		return nil, fmt.Errorf("page %d cannot be read", number+1)
	}
	defer func() { d.call("FPDF_ClosePage", page) }()
	w, h := d.size(page)
	if !(w > 0 && h > 0 && w < 1e5 && h < 1e5) {
		return nil, fmt.Errorf("page %d: size %g × %g", number+1, w, h)
	}
	r := &pageReader{document: d, page: page, out: &wire.Page{Width: float32(w), Height: float32(h)}, marked: map[int]int32{}, fonts: map[wire.Font]uint16{},
		spans: map[uint64]*span{}, inSpan: map[uint64]uint64{}}
	r.m = r.toPoints(w, h)
	r.tags()
	r.walk(page, "FPDFPage_CountObjects", "FPDFPage_GetObject", r.m, 0)
	r.chars()
	r.links()
	return r.out, nil
}

// toPoints returns the matrix from the coordinates of the page to points from its upper left
// corner.
func (r *pageReader) toPoints(w, h float64) matrix {
	const scale = 16 // results are integers
	at := func(x, y float64) (float64, float64) {
		r.call("FPDF_PageToDevice", r.page, 0, 0, uint64(w*scale), uint64(h*scale), 0, api.EncodeF64(x), api.EncodeF64(y), r.scratch, r.scratch+4)
		return float64(r.int32(r.scratch)) / scale, float64(r.int32(r.scratch+4)) / scale
	}
	const far = 1000
	e, f := at(0, 0)
	ax, ay := at(far, 0)
	cx, cy := at(0, far)
	// Rounding is removed: units are seldom other than points.
	return matrix{near((ax - e) / far), near((ay - f) / far), near((cx - e) / far), near((cy - f) / far), e, f}
}

func near(x float64) float64 {
	if r := math.Round(x); math.Abs(x-r) < .001 {
		return r
	}
	return x
}

func (r *pageReader) int32(at uint64) int32 {
	return int32(binary.LittleEndian.Uint32(r.view(at, 4)))
}

// style holds the properties that the characters of a text object share.
type style struct {
	font  uint16
	size  float32
	angle int16
	tag   int32
	flags uint8
}

// chars reads the characters.
func (r *pageReader) chars() {
	r.text = r.call("FPDFText_LoadPage", r.page)
	if r.text == 0 {
		return
	}
	defer func() { r.call("FPDFText_ClosePage", r.text) }()
	n := r.int("FPDFText_CountChars", r.text)
	if n > maxChars {
		n, r.out.Cut = maxChars, true
	}
	r.out.Chars = make([]wire.Char, 0, max(n, 0))
	var last uint64
	var s style
	var in *span
	for i := range n {
		k := uint64(i)
		if r.int("FPDFText_IsGenerated", r.text, k) == 1 {
			continue
		}
		object := r.call("FPDFText_GetTextObject", r.text, k)
		if i == 0 || object != last {
			last, s, in = object, r.style(object, k), r.spans[r.inSpan[object]]
			if in != nil && in.first == 0 {
				in.first = object
			}
		}
		if in != nil && in.first != object {
			continue
		}
		c := wire.Char{Rune: rune(uint32(r.call("FPDFText_GetUnicode", r.text, k))), Font: s.font, Size: s.size, Angle: s.angle, Tag: s.tag, Flags: s.flags}
		if r.int("FPDFText_HasUnicodeMapError", r.text, k) == 1 {
			c.Flags |= wire.Unmapped
		}
		var x0, y0, x1, y1, x, y float64
		if r.call("FPDFText_GetLooseCharBox", r.text, k, r.scratch) != 0 {
			r.floats32(r.scratch, &x0, &y1, &x1, &y0) // left, top, right, bottom
		}
		if r.call("FPDFText_GetCharOrigin", r.text, k, r.scratch, r.scratch+8) != 0 {
			r.floats(r.scratch, &x, &y)
		}
		c.Box = r.m.box(x0, y0, x1, y1)
		if in != nil {
			c.X0, c.X1 = in.box.X0, in.box.X1
		}
		_, base := r.m.apply(x, y)
		c.Base = float32(base)
		r.out.Chars = append(r.out.Chars, c)
	}
	r.surrogates()
}

// surrogates joins pairs of surrogates.
func (r *pageReader) surrogates() {
	out := r.out.Chars[:0]
	for _, c := range r.out.Chars {
		if n := len(out); n > 0 && utf16.IsSurrogate(c.Rune) {
			if joined := utf16.DecodeRune(out[n-1].Rune, c.Rune); joined != 0xFFFD {
				out[n-1].Rune = joined
				continue
			}
		}
		out = append(out, c)
	}
	r.out.Chars = out
}

// style reads the style of a character and its text object.
func (r *pageReader) style(object, k uint64) style {
	s := style{tag: -1}
	size := api.DecodeF64(r.call("FPDFText_GetFontSize", r.text, k))
	m := r.matrix("FPDFText_GetMatrix", r.text, k).then(r.m)
	s.size = float32(math.Abs(size) * math.Hypot(m.c, m.d))
	s.angle = int16(math.Round(math.Atan2(m.b, m.a) * 180 / math.Pi))
	s.font = r.font(k)
	if object == 0 {
		return s
	}
	if tag, ok := r.marked[r.int("FPDFPageObj_GetMarkedContentID", object)]; ok {
		s.tag = tag
	}
	for i := range min(r.int("FPDFPageObj_CountMarks", object), maxMarks) {
		mark := r.call("FPDFPageObj_GetMark", object, uint64(i))
		if mark != 0 && r.name("FPDFPageObjMark_GetName", mark) == "Artifact" {
			s.flags |= wire.Artifact
		}
	}
	return s
}

// name returns the text of a function that also writes its length.
func (r *pageReader) name(function string, args ...uint64) string {
	length := r.scratch + scratchBytes - 8
	args = append(args, r.scratch, 1024, length)
	if r.call(function, args...) == 0 {
		return ""
	}
	n := int(r.int32(length))
	if n < 2 || n > 1024 {
		return ""
	}
	b := r.view(r.scratch, n)
	var s strings.Builder
	for i := 0; i+1 < n && (b[i] != 0 || b[i+1] != 0); i += 2 {
		s.WriteRune(rune(b[i]) | rune(b[i+1])<<8)
	}
	return s.String()
}

// font returns the number of the font of a character.
func (r *pageReader) font(k uint64) uint16 {
	const fixed, italic, bold = 1 << 0, 1 << 6, 1 << 18
	var f wire.Font
	flagsAt := r.scratch + scratchBytes - 8
	n := r.int("FPDFText_GetFontInfo", r.text, k, r.scratch, 256, flagsAt)
	if n > 1 && n <= 256 {
		f.Name = strings.ToValidUTF8(string(r.view(r.scratch, n-1)), "")
	}
	flags := 0
	if n > 0 {
		flags = int(r.int32(flagsAt))
	}
	lower := strings.ToLower(f.Name)
	f.Bold = flags&bold != 0 || containsAny(lower, "bold", "black", "heavy", "demi", "cmbx")
	f.Italic = flags&italic != 0 || containsAny(lower, "italic", "oblique")
	f.Fixed = flags&fixed != 0
	number, ok := r.fonts[f]
	if !ok {
		if len(r.out.Fonts) == math.MaxUint16 {
			return 0
		}
		number = uint16(len(r.out.Fonts))
		r.fonts[f] = number
		r.out.Fonts = append(r.out.Fonts, f)
	}
	return number
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// tags reads the structure tree.
func (r *pageReader) tags() {
	tree := r.call("FPDF_StructTree_GetForPage", r.page)
	if tree == 0 {
		return
	}
	defer func() { r.call("FPDF_StructTree_Close", tree) }()
	var walk func(element uint64, parent, depth int)
	walk = func(element uint64, parent, depth int) {
		if element == 0 || depth > maxTagDeep || len(r.out.Tags) >= maxTags {
			return
		}
		number := len(r.out.Tags)
		tag := wire.Tag{Type: r.utf16("FPDF_StructElement_GetType", element), Parent: parent}
		if tag.Type == "TD" || tag.Type == "TH" {
			tag.Columns, tag.Rows = r.attribute(element, "ColSpan"), r.attribute(element, "RowSpan")
		}
		r.out.Tags = append(r.out.Tags, tag)
		for i := range min(r.int("FPDF_StructElement_CountChildren", element), maxTags) {
			if child := r.call("FPDF_StructElement_GetChildAtIndex", element, uint64(i)); child != 0 {
				walk(child, number, depth+1)
			} else if id := r.int("FPDF_StructElement_GetChildMarkedContentID", element, uint64(i)); id >= 0 {
				r.marked[id] = int32(number)
			} else if tag.Type == "TR" && len(r.out.Tags) < maxTags { // a cell without content
				r.out.Tags = append(r.out.Tags, wire.Tag{Type: "TD", Parent: number})
			}
		}
	}
	for i := range min(r.int("FPDF_StructTree_CountChildren", tree), maxTags) {
		walk(r.call("FPDF_StructTree_GetChildAtIndex", tree, uint64(i)), -1, 0)
	}
}

// attribute returns a numeric attribute of an element of the structure tree; 0 if it has none.
func (r *pageReader) attribute(element uint64, name string) int {
	at := r.scratch + scratchBytes - 64
	copy(r.view(at, len(name)+1), name+"\x00")
	for i := range min(r.int("FPDF_StructElement_GetAttributeCount", element), maxMarks) {
		list := r.call("FPDF_StructElement_GetAttributeAtIndex", element, uint64(i))
		if list == 0 {
			continue
		}
		value := r.call("FPDF_StructElement_Attr_GetValue", list, at)
		if value == 0 || r.call("FPDF_StructElement_Attr_GetNumberValue", value, r.scratch) == 0 {
			continue
		}
		var n float64
		r.floats32(r.scratch, &n)
		if n >= 1 && n <= 1000 {
			return int(n)
		}
	}
	return 0
}
