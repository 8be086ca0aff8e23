package page

import "sort"

// Markup is a kind of inline markup.
type Markup uint8

// The kinds of inline markup.
const (
	Emphasis Markup = iota // em, i
	Strong                 // strong, b
	Verbatim               // code, kbd, samp, tt
	Link                   // a with an address outside the page
	Picture                // img; it has no width
	Sub
	Sup
	Deleted   // del, s, strike
	LineBreak // br; it spans the blank that replaces it in the text
	Formula   // TeX between dollar signs or the delimiters of MathJax; the span includes the delimiters
	NoteRef   // reference to a footnote or back from it: a short a whose address is "#" and the id of an element of the page
	Checkbox  // check box of a list item; it has no width, and Alt is "x" if it is checked
	Anchor    // start of an element that an earlier NoteRef refers to; it has no width, and URL is the id
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

// MarkupOf returns the markup with the given name and reports whether it exists.
func MarkupOf(name string) (m Markup, ok bool) {
	for i := range markupNames {
		if markupNames[i] == name {
			return Markup(i), true
		}
	}
	return 0, false
}

// MarshalText implements [encoding.TextMarshaler] with the name of m.
func (m Markup) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Inline is markup inside a block.
type Inline struct {
	Kind Markup
	// Start and End are the byte span in Block.Text. Two spans are either nested or disjoint.
	Start, End int
	// URL is the address of a link or an image. It is absolute if the address of the page is
	// known.
	URL string
	// Alt is the alternative text of an image.
	Alt string
}

// Image is an image between blocks.
type Image struct {
	// Before is the index of the block that follows the image, len(Page.Blocks) at the end.
	Before int
	// Element is the index of the innermost enclosing element in Page.Elements. From
	// len(Page.Elements) up it refers to Page.ImageElements. It is -1 if no element is known.
	Element  int32
	URL, Alt string
}

// KeptInline returns the text of [Block.Kept] and its markup. Spans that reach into omitted
// sentences are cut; spans without kept text are dropped.
func (b *Block) KeptInline() (string, []Inline) {
	text := b.Kept()
	if len(text) == len(b.Text) || text == "" || len(b.Inline) == 0 {
		if text == "" {
			return "", nil
		}
		return text, b.Inline
	}
	type piece struct{ start, end, out int } // [start, end) of Text moves to out
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
		// first is the first piece that ends after the start of the span, last the last piece
		// that begins before the end of the span.
		first := sort.Search(len(pieces), func(i int) bool { return pieces[i].end > m.Start })
		last := sort.Search(len(pieces), func(i int) bool { return pieces[i].start >= m.End }) - 1
		if m.Start == m.End { // a position at the end of a sentence belongs to it
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
