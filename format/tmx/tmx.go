// Package tmx reads translation memories in TMX, the exchange format of translation programs.
//
// Unstable: this package may change in any release.
package tmx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/language"
	"golang.org/x/text/transform"

	"chaffinch/internal/readers"
)

// Limits of a translation unit.
const (
	maxDepth    = 100     // nesting of elements
	maxUnit     = 8 << 20 // bytes of XML
	maxVariants = 1000    // languages of a unit
)

// Unit is a segment with its translations.
type Unit struct {
	// ID is the attribute tuid, or "".
	ID       string
	Variants []Variant
}

// Variant is the text of a unit in one language.
type Variant struct {
	Lang string // BCP 47 tag; "" if missing
	Text string // with white space as in the file; inline tags and codes are dropped
}

// Reader reads the units of a file. External entities and documents are never read.
type Reader struct {
	d     *xml.Decoder
	limit *counter
	err   error
	found bool // the root element
}

// counter is a reader that fails after maxUnit bytes of one unit.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n > maxUnit {
		return 0, fmt.Errorf("an element of more than %d MB", maxUnit>>20)
	}
	return n, err
}

// NewReader returns a reader of the units in r.
func NewReader(r io.Reader) *Reader {
	c := &counter{r: transform.NewReader(r, unicode.BOMOverride(encoding.Nop.NewDecoder()))}
	d := xml.NewDecoder(c)
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if l := strings.ToLower(label); l != "utf-16" && l != "us-ascii" {
			return nil, fmt.Errorf("encoding %s: wanted UTF-8, or UTF-16 with a byte-order mark", label)
		}
		return in, nil // UTF-8 already
	}
	return &Reader{d: d, limit: c}
}

// All returns an iterator over the units, which calls [Reader.Next]. An error ends it.
func (r *Reader) All() iter.Seq2[*Unit, error] { return readers.All(r.Next, readers.Never) }

// Next returns the next unit. It returns io.EOF at the end, and on every call after another error.
func (r *Reader) Next() (*Unit, error) {
	if r.err != nil {
		return nil, io.EOF
	}
	for {
		t, err := r.d.Token()
		if err != nil {
			if err == io.EOF && !r.found {
				err = errors.New("no element tmx: wanted a translation memory in TMX")
			}
			return nil, r.fail(err)
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if !r.found && e.Name.Local != "tmx" {
			return nil, r.fail(fmt.Errorf("the first element is %s: wanted tmx, a translation memory", e.Name.Local))
		}
		r.found, r.limit.n = true, 0
		if e.Name.Local == "tu" {
			u, err := r.unit(e)
			if err != nil {
				return nil, r.fail(err)
			}
			return u, nil
		}
	}
}

func (r *Reader) fail(err error) error {
	r.err = err
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("byte %d: %w", r.d.InputOffset(), err)
}

// unit reads the rest of a unit.
func (r *Reader) unit(e xml.StartElement) (*Unit, error) {
	u := &Unit{ID: attr(e, "tuid")}
	var text strings.Builder
	var path []string // open elements inside of the unit
	code := 0         // open elements with codes of another format instead of text
	for {
		t, err := r.d.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > maxDepth {
				return nil, fmt.Errorf("elements nested more than %d deep", maxDepth)
			}
			switch t.Name.Local {
			case "tuv":
				if len(u.Variants) == maxVariants {
					return nil, fmt.Errorf("a unit with more than %d variants", maxVariants)
				}
				u.Variants = append(u.Variants, Variant{Lang: canonical(attr(t, "lang"))})
			case "seg":
				text.Reset()
			case "bpt", "ept", "ph", "it", "ut":
				code++
			case "sub": // text inside of a code
				code -= 1 << 10
			}
		case xml.EndElement:
			if len(path) == 0 {
				return u, nil
			}
			path = path[:len(path)-1]
			switch t.Name.Local {
			case "seg":
				if n := len(u.Variants); n > 0 {
					u.Variants[n-1].Text = text.String()
				}
			case "bpt", "ept", "ph", "it", "ut":
				code--
			case "sub":
				code += 1 << 10
			}
		case xml.CharData:
			if code <= 0 && slices.Contains(path, "seg") {
				text.Write(t)
			}
		}
	}
}

// attr returns an attribute by its local name, so that lang is also xml:lang.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// canonical returns a language tag in its usual case: en-US of EN_us.
func canonical(tag string) string {
	t, err := language.Raw.Parse(strings.TrimSpace(tag))
	if err != nil {
		return strings.TrimSpace(tag)
	}
	return t.String()
}
