// Package langid scores language identification on texts of known language, by the same rules for
// the detector of this project and for other programs. [Open] reads a set, [Run] or
// [ReadPredictions] returns answers, and [Score] scores them. lab/results/langid.md explains the
// measures.
package langid

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode"

	"chaffinch/internal/archive"
	"chaffinch/internal/runes"
	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/floors"
)

// Set is a collection of texts of known language.
type Set struct {
	Name string
	// Texts holds the texts in the order of their codes.
	Texts []Text
	// SHA256 is the hash of codes and texts, independent of the packing.
	SHA256 string
	// docs holds the document of each line, the same for all texts; nil if unknown.
	docs []string
}

// Text is a text in one language.
type Text struct {
	// Code is the name of the file, such as "zho-TW".
	Code string
	// Tag is the language as [Variety] gives it, such as "zh-Hant".
	Tag string
	// Lines holds the sentences.
	Lines []string
}

// mislabelled lists the texts of published sets that are in another language than their name says,
// as SET/CODE. Open omits them.
var mislabelled = map[string]string{"ntrex/nso": "st"} // Southern Sotho instead of Northern Sotho

// docLines is the number of lines of a document if the documents are unknown.
const docLines = 10

// Open reads a set: a folder or an archive with files <code>.txt, one sentence per line, at the top
// or in a folder txt. Files zxx.txt and zxx-KIND.txt hold text in no language. An optional file
// DOCUMENT_IDS.tsv names the document of each line. Texts in a language other than the name of their
// file are omitted (mislabelled).
func Open(name string) (*Set, error) {
	s := &Set{Name: archive.Stem(path.Base(strings.ReplaceAll(name, "\\", "/")))}
	err := archive.Walk(name, func(file string, r io.Reader) error {
		dir, base := path.Split(file)
		code, isText := strings.CutSuffix(base, ".txt")
		isText = isText && (dir == "" || path.Base(dir) == "txt") && !strings.ContainsAny(code, " ")
		if !isText && base != "DOCUMENT_IDS.tsv" || isText && mislabelled[s.Name+"/"+code] != "" {
			return nil
		}
		b, err := archive.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if !isText {
			s.docs = lines(b)
			return nil
		}
		tag := textTag(code)
		if tag == "" {
			return fmt.Errorf("%s: %q is not a language code: name files <code>.txt by BCP 47 tag or ISO 639-3 code", file, code)
		}
		s.Texts = append(s.Texts, Text{code, tag, lines(b)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", name, err)
	}
	if len(s.Texts) == 0 {
		return nil, fmt.Errorf("set %s: no files <code>.txt in it", name)
	}
	sorts.Func(s.Texts, func(a, b Text) int { return cmp.Compare(a.Code, b.Code) })
	h := sha256.New()
	for _, t := range s.Texts {
		if len(s.docs) != len(t.Lines) {
			s.docs = nil // of other texts
		}
		fmt.Fprintf(h, "%s\n%s\n", t.Code, strings.Join(t.Lines, "\n"))
	}
	s.SHA256 = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

func lines(b []byte) []string {
	s := strings.Split(string(bytes.TrimSuffix(b, []byte("\n"))), "\n")
	for i := range s {
		s[i] = strings.TrimSpace(s[i])
	}
	return s
}

// Fingerprint identifies the data.
func (s *Set) Fingerprint() floors.Fingerprint {
	f := floors.Fingerprint{SHA256: s.SHA256, Files: len(s.Texts)}
	for _, t := range s.Texts {
		f.Lines += len(t.Lines)
	}
	return f
}

// Cut selects the pieces of the texts.
type Cut struct {
	// By is "line", "document", or "words" with a number: the first words of each line.
	By string
	// Every selects each n-th line or document. Default: all.
	Every int
}

// words returns the number of words of a cut by words, 0 for other cuts.
func (c Cut) words() (int, error) {
	if c.By == "line" || c.By == "document" {
		return 0, nil
	}
	if n, ok := strings.CutPrefix(c.By, "words"); ok {
		if k, err := strconv.Atoi(n); err == nil && k > 0 {
			return k, nil
		}
	}
	return 0, fmt.Errorf("pieces by %q: take line, document or words with a number, such as words4", c.By)
}

// Pieces returns the pieces of each text. A document is its lines joined by spaces.
func (s *Set) Pieces(c Cut) ([][]string, error) {
	n, err := c.words()
	if err != nil {
		return nil, err
	}
	if c.Every < 0 {
		return nil, errors.New("every: wanted at least 1")
	}
	every := max(1, c.Every)
	out := make([][]string, len(s.Texts))
	for i, t := range s.Texts {
		units := t.Lines
		if c.By == "document" {
			units = s.documents(t.Lines)
		}
		for k := 0; k < len(units); k += every {
			u := units[k]
			if n > 0 {
				u = firstWords(u, n)
			}
			if u != "" {
				out[i] = append(out[i], u)
			}
		}
	}
	return out, nil
}

// documents joins the lines of each document.
func (s *Set) documents(lines []string) []string {
	var out []string
	for i, l := range lines {
		begins := i%docLines == 0
		if s.docs != nil {
			begins = i == 0 || s.docs[i] != s.docs[i-1]
		}
		if begins {
			out = append(out, l)
		} else {
			out[len(out)-1] += " " + l
		}
	}
	return out
}

// unspacedWord is the number of characters per word in scripts without spaces.
const unspacedWord = 3

// firstWords returns the first n words of a line.
func firstWords(line string, n int) string {
	left := n * unspacedWord // in thirds of a word
	inWord := false
	for i, r := range line {
		switch {
		case unicode.IsSpace(r):
			inWord = false
			continue
		case runes.IsUnspacedOrTibetan(r):
			if left--; left < 0 {
				return strings.TrimSpace(line[:i])
			}
			inWord = true
		case !inWord:
			if left -= unspacedWord; left < 0 {
				return strings.TrimSpace(line[:i])
			}
			inWord = true
		}
	}
	return line
}
