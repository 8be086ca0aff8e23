package page

import "sort"

// Markup is a kind of inline markup.
type Markup uint8

// The kinds of inline markup.
const (
	Emphasis Markup = iota // em, i
	Strong                 // strong, b
	Verbatim               // code, kbd, samp, tt
	Link                   // a with an address that leads off the page
	Picture                // img; it has no width
	Sub
	Sup
	Deleted   // del, s, strike
	LineBreak // br; it spans the blank that stands for it in the text
	Formula   // TeX between dollar signs, or the delimiters of MathJax, which it spans too
	NoteRef   // a reference to a footnote, or from one back to its place: a short a whose address, without "#", is the id of an element of the page
	Checkbox  // a check box of a list item; it has no width, and Alt is "x" if it is checked
	Anchor    // where an element begins that a NoteRef before it leads to; it has no width, and URL is the id
)

var markupNames = [...]string{"emphasis", "strong", "code", "link", "image", "sub", "sup", "deleted", "break", "formula", "note", "checkbox", "anchor"}

// Empty reports whether markup of kind m has no width in the text.
func (m Markup) Empty() bool { return m == Picture || m == Checkbox || m == Anchor }

// String returns the name that the output formats use, such as "emphasis".
func (m Markup) String() string {
	if int(m) < len(markupNames) {
		return markupNames[m]
	}
	return "unknown"
}

// MarkupOf returns the markup of that name; false if there is none.
func MarkupOf(name string) (m Markup, ok bool) {
	for i := range markupNames {
		if markupNames[i] == name {
			return Markup(i), true
		}
	}
	return 0, false
}

// MarshalText writes the name of m.
func (m Markup) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Inline is markup inside a block.
type Inline struct {
	Kind Markup
	// Start and End are the byte span in Block.Text. Of two spans either one
	// holds the other or they are apart.
	Start, End int
	// URL is the address of a link or an image, absolute where the page's own
	// is known.
	URL string
	// Alt is the text that stands for an image.
	Alt string
}

// Image is an image that stands alone between blocks.
type Image struct {
	// Before is the index of the block that follows it, len(Page.Blocks) at
	// the end.
	Before int
	// Element is the index of the innermost element around it: in Page.Elements
	// or, from len(Page.Elements) up, in Page.ImageElements; -1 if none is known.
	Element  int32
	URL, Alt string
}

// KeptInline returns what [Block.Kept] does, and the markup in it: spans that
// reach into left-out sentences are cut, those without kept text are left out.
func (b *Block) KeptInline() (string, []Inline) {
	text := b.Kept()
	if len(text) == len(b.Text) || text == "" || len(b.Inline) == 0 {
		if text == "" {
			return "", nil
		}
		return text, b.Inline
	}
	type piece struct{ start, end, out int } // [start, end) of Text stands at out
	var pieces []piece
	out := 0
	for _, s := range b.Sentences {
		if s.Label.Keep() {
			pieces = append(pieces, piece{s.Start, s.End, out})
			out += s.End - s.Start + 1
		}
	}
	var inline []Inline
	for _, m := range b.Inline {
		// first is the first piece that ends behind the start of the span, last
		// the last one that begins before its end.
		first := sort.Search(len(pieces), func(i int) bool { return pieces[i].end > m.Start })
		last := sort.Search(len(pieces), func(i int) bool { return pieces[i].start >= m.End }) - 1
		if m.Start == m.End { // at the end of a sentence is in it
			first = sort.Search(len(pieces), func(i int) bool { return pieces[i].end >= m.Start })
			if first == len(pieces) || pieces[first].start > m.Start {
				continue
			}
			last = first
		}
		if first > last || m.Kind == LineBreak && (m.Start < pieces[first].start || m.End > pieces[first].end) {
			continue
		}
		f, l := pieces[first], pieces[last]
		m.Start = f.out + max(m.Start, f.start) - f.start
		m.End = l.out + min(m.End, l.end) - l.start
		inline = append(inline, m)
	}
	return text, inline
}
