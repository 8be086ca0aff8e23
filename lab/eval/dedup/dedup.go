// Package dedup scores the finding of duplicates on documents that were planted:
// [Plant] makes copies of real texts in known ways (the same, edited, joined,
// cut, framed by the template of a site), [NewTruth] says which documents are
// near-duplicates by their true Jaccard similarity and by how they were made,
// and [Score] compares what a program found. [Grow] writes collections of any
// size with copies in them, for measuring speed.
//
// The base documents are split in halves by the hash of their text, so that
// what is tuned on one half has not seen the other.
package dedup

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
)

// Doc is a planted document.
type Doc struct {
	ID, URL, Date, Lang string
	Kind                Kind
	Paras               []Para
	// Roots are the numbers of the base documents that it was made from; text of
	// a template or a quotation has none.
	Roots []int
	// Part tells that it has not the whole of its root, or more than it.
	Part bool
	// Edited is the share of the root's words that were changed, 0 to 1.
	Edited float64
}

// Para is one paragraph of a planted document.
type Para struct {
	Text string
	// Origin is the number of the paragraph that it was made from: those of one
	// origin are copies of each other.
	Origin int
	// Words is the number of its words, Edited the share of them that was
	// changed, added or deleted.
	Words  int
	Edited float64
	// Template tells that it belongs to the frame of a site.
	Template bool
}

// Text returns the paragraphs, one per line.
func (d *Doc) Text() string {
	var b strings.Builder
	for i, p := range d.Paras {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// Words returns the number of words of the document.
func (d *Doc) Words() (n int) {
	for _, p := range d.Paras {
		n += p.Words
	}
	return n
}

// Set is a collection of planted documents, in random order.
type Set struct {
	Config Config
	Docs   []*Doc
	// Bases is the number of base documents in it.
	Bases int
}

// record is a document as a line of JSON.
type record struct {
	ID   string `json:"id"`
	URL  string `json:"url"`
	Date string `json:"date"`
	Lang string `json:"lang"`
	Text string `json:"text"`
}

// WriteJSONL writes the documents, one per line, as the programs get them:
// nothing in it says what is a copy of what.
func (s *Set) WriteJSONL(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<20)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for _, d := range s.Docs {
		if err := e.Encode(record{d.ID, d.URL, d.Date, d.Lang, d.Text()}); err != nil {
			return err
		}
	}
	return b.Flush()
}

// Digest returns the SHA-256 of what [Set.WriteJSONL] writes, in hexadecimal.
func (s *Set) Digest() string {
	sum := sha256.New()
	s.WriteJSONL(sum) // a hash takes everything
	return hex.EncodeToString(sum.Sum(nil))
}
