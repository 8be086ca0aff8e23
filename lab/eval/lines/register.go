package lines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"

	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/lab/gold"
)

// Matching of documents with a collection whose registers are known. Only the text lines of the
// documents are equal.
const (
	// windowRunes is the length of the compared windows in letters and digits.
	windowRunes = 30
	// sampled is the sampling rate of windows by hash: one in sampled.
	sampled = 4
	// leastWindows is the minimum number of matching windows.
	leastWindows = 5
	// leastShare is the minimum fraction of matching windows, of the document's text lines and of
	// the other text.
	leastShare = 0.6
)

// registerDoc is a document of a collection of registers, in the JSON lines of SweCORE and FreCORE.
type registerDoc struct {
	Lang   string
	Labels []string
	Text   string
}

// FindRegisters sets the register of documents without one from the same document in a collection
// of registers, and returns the number found. The collection is a folder or archive of .jsonl
// files, compressed or not, with lang, labels and text. Nothing else is copied from it: its texts
// were cleaned by hand and contain the answers. A document matches if most characters of its text
// lines and of the other text agree. Of several matches the best is used.
func (s *Set) FindRegisters(collection string) (found int, err error) {
	c := registerIndex{holds: map[uint64][]int{}}
	err = archive.Walk(collection, func(file string, r io.Reader) error {
		base := path.Base(file)
		if _, base = packed.CutSuffix(base); path.Ext(base) != ".jsonl" {
			return nil
		}
		z, err := packed.NewReader(r, packed.Default)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", collection, file, err)
		}
		defer z.Close()
		if err := c.read(z); err != nil {
			return fmt.Errorf("%s: %s: %w", collection, file, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if len(c.docs) == 0 {
		return 0, fmt.Errorf("%s: no documents of known register: wanted .jsonl, compressed or not, with lang, labels and text", collection)
	}
	for _, d := range s.Docs {
		if d.Register != "" {
			continue
		}
		var text strings.Builder
		for i, line := range d.Lines {
			if d.Labels[i] {
				text.WriteString(line)
			}
		}
		if k := c.find(d.Lang, windows(text.String())); k >= 0 {
			d.Register = strings.Join(c.docs[k].Labels, " ")
			found++
		}
	}
	return found, nil
}

// registerIndex finds documents by their windows.
type registerIndex struct {
	docs  []registerDoc
	sizes []int            // number of windows of each document
	holds map[uint64][]int // the documents with a window
}

// maxRegisterLine is the maximum size in bytes of a document with its labels.
var maxRegisterLine = 64 << 20

// read adds documents, one JSON object per line. Documents without labels are skipped.
func (c *registerIndex) read(r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxRegisterLine)
	n := 1
	for ; in.Scan(); n++ {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 {
			continue
		}
		var d registerDoc
		if err := json.Unmarshal(line, &d); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if len(d.Labels) > 0 {
			w := windows(d.Text)
			for _, h := range w {
				c.holds[h] = append(c.holds[h], len(c.docs))
			}
			d.Text = ""
			c.docs, c.sizes = append(c.docs, d), append(c.sizes, len(w))
		}
	}
	err := in.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("more than %d bytes, which is the limit of a document: take the line out (sed %dd)", maxRegisterLine, n)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", n, err)
	}
	return nil
}

// find returns the document in a language with the most common windows, -1 if there are too few.
func (c *registerIndex) find(lang string, w []uint64) int {
	agree := map[int]int{}
	for _, h := range w {
		for _, k := range c.holds[h] {
			agree[k]++
		}
	}
	best := -1
	for k, n := range agree {
		if c.docs[k].Lang != lang || n < leastWindows || float64(n) < leastShare*float64(len(w)) || float64(n) < leastShare*float64(c.sizes[k]) {
			continue
		}
		if best < 0 || n > agree[best] || n == agree[best] && k < best {
			best = k
		}
	}
	return best
}

// windows returns the hashes of a sample of the distinct windows of a text: only letters and
// digits, in lower case.
func windows(text string) []uint64 {
	var runes []rune
	for _, r := range strings.ToLower(text) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			runes = append(runes, r)
		}
	}
	var out []uint64
	for i := 0; i+windowRunes <= len(runes); i++ {
		h := fnv.New64a()
		h.Write([]byte(string(runes[i : i+windowRunes])))
		if x := mix(h.Sum64()); x%sampled == 0 {
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inRegister reports whether one of a document's registers is the upper register tag. Sub-registers
// are in lower case and accompanied by their upper register.
func inRegister(d *gold.LineDoc, tag string) bool {
	return slices.Contains(strings.Fields(strings.ToUpper(d.Register)), tag)
}
