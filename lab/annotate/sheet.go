package annotate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chaffinch/lab/gold"
	"chaffinch/page"
)

// The folders of sheets and of labels.
const (
	SheetFolder = "sheets"
	LabelFolder = "labels"
)

// Sheet is a page for labelling the roles of its blocks with an editor.
type Sheet struct {
	// Set and ID identify the page.
	Set string `json:"set"`
	ID  string `json:"id"`
	// SHA256 is the hash of the page's bytes, as in tables of roles.
	SHA256 string `json:"sha256"`
	// Blocks holds the byte ranges of the blocks in the decoded HTML.
	Blocks [][2]int `json:"blocks"`

	page *page.Page
}

// NewSheet returns the sheet of a page that was divided into blocks; raw holds its bytes.
func NewSheet(set, id string, raw []byte, p *page.Page) *Sheet {
	s := &Sheet{Set: set, ID: id, SHA256: gold.RoleHashOf(raw), Blocks: [][2]int{}, page: p}
	for i := range p.Blocks {
		s.Blocks = append(s.Blocks, [2]int{p.Blocks[i].Start, p.Blocks[i].End})
	}
	return s
}

// The displayed parts of a block: the beginning and the end of texts of more than shownChars
// characters, and the innermost elements.
const (
	shownChars    = 170
	shownStart    = 120
	shownEnd      = 40
	shownElements = 3
)

// WriteText writes the text for annotators, a line for each block: its number from 0, the elements
// around it, H if the page hides it, L if more than half of it is links, and its text.
func (s *Sheet) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s %s  address: %s\n# title of the page: %s\n", s.Set, s.ID, s.page.URL, oneLine(s.page.Meta.Title))
	for i := range s.page.Blocks {
		b := &s.page.Blocks[i]
		path := strings.Split(b.Path, ".")
		path = path[max(0, len(path)-shownElements):]
		fmt.Fprintf(out, "%d <%s>", i, strings.Join(path, "."))
		if b.Hidden {
			out.WriteString(" H")
		}
		if b.LinkDensity() > .5 {
			out.WriteString(" L")
		}
		text := []rune(strings.ReplaceAll(b.Text, "\n", " ⏎ "))
		if len(text) > shownChars {
			fmt.Fprintf(out, " %s …[%d chars]… %s\n", oneLine(string(text[:shownStart])), b.Chars(), oneLine(string(text[len(text)-shownEnd:])))
			continue
		}
		fmt.Fprintf(out, " %s\n", oneLine(string(text)))
	}
	return out.Flush()
}

// oneLine removes characters that some editors treat as line ends.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return ' '
		}
		return r
	}, s)
}

// WriteSpans writes the sheet as JSON.
func (s *Sheet) WriteSpans(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(s)
}
