// Package wire defines the messages between a reader of PDF and its workers.
//
// A request is a letter, a number and a payload; a response is a status and a payload. Numbers
// are little-endian; lengths have four bytes.
package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Env is the environment variable that makes a program a worker.
const Env = "CHAFFINCH_PDF_WORKER"

// Requests.
const (
	Open   = 'o' // payload: a document; response: Doc
	Read   = 'p' // number: a page, from 0; response: Page
	Render = 'r' // number: a page, from 0; payload: width in pixels; response: PNG
)

// Statuses of responses. Payloads of errors are their messages.
const (
	OK        = 0
	Damaged   = 1 // the document or page cannot be read
	Encrypted = 2 // the document needs a password
	Trapped   = 3 // PDFium failed; the worker exits
)

// maxMessage is the most bytes of a message.
const maxMessage = 1 << 30

// Doc describes a document.
type Doc struct {
	Pages                                 int
	Title, Author, Subject, Created, Lang string
	Outline                               []Item
}

// Item is an entry of the outline. Page counts from 0; it is -1 for an entry without a page.
type Item struct {
	Title string
	Level int
	Page  int
}

// Page is the content of a page. Coordinates are in points, from the upper left corner.
type Page struct {
	Width, Height float32
	Fonts         []Font
	Rules         []Box // lines and filled or stroked rectangles
	Images        []Box
	Tags          []Tag
	Links         []Link
	Cut           bool   // the page has more characters
	Chars         []Char `json:"-"`
	OCR           bool   `json:"-"` // the characters were recognised in an image
	Unplaced      bool   `json:"-"` // the characters are not at their positions on the page
}

// Font is a font in a style.
type Font struct {
	Name         string
	Bold, Italic bool
	Fixed        bool
}

// Box is a rectangle.
type Box struct{ X0, Y0, X1, Y1 float32 }

// Union returns the smallest box that contains b and o.
func (b Box) Union(o Box) Box {
	return Box{X0: min(b.X0, o.X0), Y0: min(b.Y0, o.Y0), X1: max(b.X1, o.X1), Y1: max(b.Y1, o.Y1)}
}

// Link is the area of a link to a web page.
type Link struct {
	Box Box
	URL string
}

// Tag is an element of the structure tree. Parent is its index in Page.Tags, or -1.
type Tag struct {
	Type   string
	Parent int
	// Columns and Rows are the numbers of columns and rows that a cell spans, 0 if unknown.
	Columns, Rows int `json:",omitempty"`
}

// Flags of characters.
const (
	Unmapped = 1 << iota // the font has no Unicode value for the glyph
	Artifact             // marked as no part of the content
)

// Char is a character with its loose box: from its origin to the next one, and from the
// descent to the ascent of its font.
type Char struct {
	Box
	Rune  rune
	Base  float32 // vertical position of the baseline
	Size  float32 // size of the font
	Font  uint16
	Angle int16 // degrees, clockwise
	Tag   int32 // index in Page.Tags, or -1
	Flags uint8
}

// charBytes is the size of an encoded Char.
const charBytes = 4*4 + 4 + 4 + 4 + 2 + 2 + 4 + 1

func (c *Char) append(b []byte) []byte {
	e := binary.LittleEndian
	for _, f := range [...]float32{c.X0, c.Y0, c.X1, c.Y1, c.Base, c.Size} {
		b = e.AppendUint32(b, math.Float32bits(f))
	}
	b = e.AppendUint32(b, uint32(c.Rune))
	b = e.AppendUint16(b, c.Font)
	b = e.AppendUint16(b, uint16(c.Angle))
	b = e.AppendUint32(b, uint32(c.Tag))
	return append(b, c.Flags)
}

func (c *Char) decode(b []byte) {
	e := binary.LittleEndian
	for i, f := range [...]*float32{&c.X0, &c.Y0, &c.X1, &c.Y1, &c.Base, &c.Size} {
		*f = math.Float32frombits(e.Uint32(b[4*i:]))
	}
	c.Rune = rune(e.Uint32(b[24:]))
	c.Font = e.Uint16(b[28:])
	c.Angle = int16(e.Uint16(b[30:]))
	c.Tag = int32(e.Uint32(b[32:]))
	c.Flags = b[36]
}

// isFinite reports whether the sides of b are finite numbers.
func (b Box) isFinite() bool {
	sum := float64(b.X0) + float64(b.Y0) + float64(b.X1) + float64(b.Y1)
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Encode returns p as bytes, without lines, images and links at positions that are not finite.
func (p *Page) Encode() ([]byte, error) {
	isInfinite := func(b Box) bool { return !b.isFinite() }
	p.Rules, p.Images = slices.DeleteFunc(p.Rules, isInfinite), slices.DeleteFunc(p.Images, isInfinite)
	p.Links = slices.DeleteFunc(p.Links, func(l Link) bool { return !l.Box.isFinite() })
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 4+len(head)+charBytes*len(p.Chars))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	b = append(b, head...)
	for i := range p.Chars {
		b = p.Chars[i].append(b)
	}
	return b, nil
}

var errShort = errors.New("page message is cut off")

// DecodePage reads a page from bytes. Positions that are not finite become 0.
func DecodePage(b []byte) (*Page, error) {
	if len(b) < 4 {
		return nil, errShort
	}
	n := int(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > len(b) || (len(b)-n)%charBytes != 0 {
		return nil, errShort
	}
	p := new(Page)
	if err := json.Unmarshal(b[:n], p); err != nil {
		return nil, err
	}
	b = b[n:]
	p.Chars = make([]Char, len(b)/charBytes)
	for i := range p.Chars {
		c := &p.Chars[i]
		c.decode(b[i*charBytes:])
		for _, f := range [...]*float32{&c.X0, &c.Y0, &c.X1, &c.Y1, &c.Base, &c.Size} {
			if !(*f > -1e5 && *f < 1e5) {
				*f = 0
			}
		}
		if int(c.Font) >= len(p.Fonts) || int(c.Tag) >= len(p.Tags) {
			return nil, fmt.Errorf("character %d: font %d of %d, tag %d of %d", i, c.Font, len(p.Fonts), c.Tag, len(p.Tags))
		}
	}
	for i, t := range p.Tags {
		if t.Parent >= i {
			return nil, fmt.Errorf("tag %d: parent %d (wanted a lower number)", i, t.Parent)
		}
	}
	return p, nil
}

// WriteRequest writes a request.
func WriteRequest(w io.Writer, op byte, number int, payload []byte) error {
	head := binary.LittleEndian.AppendUint32([]byte{op}, uint32(number))
	return write(w, head, payload)
}

// ReadRequest reads a request.
func ReadRequest(r io.Reader) (op byte, number int, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	payload, err = read(r)
	return head[0], int(int32(binary.LittleEndian.Uint32(head[1:]))), payload, err
}

// WriteResponse writes a response.
func WriteResponse(w io.Writer, status byte, payload []byte) error {
	return write(w, []byte{status}, payload)
}

// ReadResponse reads a response.
func ReadResponse(r io.Reader) (status byte, payload []byte, err error) {
	var head [1]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	payload, err = read(r)
	return head[0], payload, err
}

func write(w io.Writer, head, payload []byte) error {
	head = binary.LittleEndian.AppendUint32(head, uint32(len(payload)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

func read(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxMessage {
		return nil, fmt.Errorf("message of %d bytes (wanted at most %d)", n, maxMessage)
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}
