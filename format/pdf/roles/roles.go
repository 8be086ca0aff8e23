// Package roles predicts the roles of the paragraphs of a PDF document with a small model: text,
// headings, lists, tables, code, captions, notes, references, running heads and others.
//
// A forest reads [Columns] measurements of a paragraph and of its neighbours: size, style,
// position, repetition, shape of the text, and the role that the rules of package pdf give.
//
// Unstable: this package may change in any release.
package roles

import "fmt"

// Role is the role of a paragraph or table.
type Role uint8

// Roles. The order is part of the format of models.
const (
	Body       Role = iota // running text, and everything that no other role fits
	Title                  // title of the document
	Byline                 // author, date, institution, other text of a title page
	Heading                // of a section, slide or entry
	List                   // item of a list
	Table                  // table, or part of one
	Code                   // program code
	Formula                // formula that is set apart
	Caption                // of an image or table
	Note                   // footnote or endnote
	References             // entry or heading of a list of references
	Running                // running head or foot, page number
	Contents               // entry or heading of a table of contents, a list of figures, an index
	Other                  // text inside figures, labels of forms, watermarks
	Count                  // number of roles
)

var names = [Count]string{"body", "title", "byline", "heading", "list", "table", "code", "formula", "caption", "note", "references", "running", "contents", "other"}

// String returns the name of the role.
func (r Role) String() string {
	if r < Count {
		return names[r]
	}
	return fmt.Sprintf("role %d", uint8(r))
}

// Parse returns the role with a name.
func Parse(name string) (Role, error) {
	for r, n := range names {
		if n == name {
			return Role(r), nil
		}
	}
	return 0, fmt.Errorf("role %q (wanted one of %v)", name, names)
}

// Document is a document as the model reads it.
type Document struct {
	Sheets     []Sheet
	Paragraphs []Paragraph // in reading order
	Size       float32     // of the text, in points
}

// Sheet is the size of a page in points.
type Sheet struct{ Width, Height float32 }

// Paragraph is a paragraph or table.
type Paragraph struct {
	Page           int // index
	X0, Y0, X1, Y1 float32
	Text           string
	Lines          int
	Size           float32 // relative to the text of the document
	// Bold, Italic, Fixed and Math are the shares of characters in fonts of these kinds.
	Bold, Italic, Fixed, Math float32
	Image                     float32 // distance to the nearest image or table, in points
	Inside                    float32 // share of the box that the nearest image covers
	Strokes                   int     // drawn lines and boxes that touch the paragraph
	Rule                      Role    // that the rules give
	Stated                    bool    // whether the tags of the document state the role
}
