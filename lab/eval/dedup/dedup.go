// Package dedup scores deduplication on documents with planted copies. [Plant] makes copies of real
// texts in known ways: identical, edited, joined, cut, or framed by the template of a site.
// [NewTruth] determines the near-duplicates by their true Jaccard similarity and by their
// construction, and [Score] compares the output of a program. [Grow] writes collections of any size
// with copies, for measuring speed.
//
// The base documents are divided into halves by the hash of their text. Settings that are tuned on
// one half are thus independent of the other.
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
	// Roots holds the numbers of the base documents that it was made from. Text of a template or a
	// quotation has none.
	Roots []int
	// Part is set if it has less or more text than its root.
	Part bool
	// Edited is the fraction of the root's words that were changed, 0 to 1.
	Edited float64
}

// Para is a paragraph of a planted document.
type Para struct {
	Text string
	// Origin is the number of the paragraph that it was made from. Paragraphs with one origin are
	// copies of each other.
	Origin int
	// Words is the number of words. Edited is the fraction of words that were changed, added or
	// deleted.
	Words  int
	Edited float64
	// Template is set for paragraphs of the template of a site.
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
	// Bases is the number of base documents.
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

// WriteJSONL writes the documents, one per line, as input of programs, without information about
// copies.
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

// Digest returns the SHA-256 of the output of [Set.WriteJSONL] in hexadecimal.
func (s *Set) Digest() string {
	sum := sha256.New()
	s.WriteJSONL(sum) // a hash returns no errors
	return hex.EncodeToString(sum.Sum(nil))
}
