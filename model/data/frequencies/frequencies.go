// Package frequencies embeds the frequencies of the 10,000 most frequent words of some languages: a
// reference for the keywords of a corpus. The lists take 0.3 MB.
//
// Unstable: this package may change in any release.
package frequencies

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// lists are written by lab/train/frequencies (docs/reference/models/frequencies.md). A list holds
// the words in the order of their bytes, then a byte with the bin of each word. A word is a byte
// below End, the length of the prefix that it shares with the word before, and the rest.
//
//go:embed *.br
var lists embed.FS

// End is the byte after the words of a list.
const End = 31

// Bin returns the bin of a share of all tokens. The shares of neighbouring bins differ by 9.6 %.
func Bin(share float64) byte { return byte(math.Round(-25 * math.Log10(share))) }

// Languages returns the languages of the lists as ISO 639-1 codes, sorted.
func Languages() (out []string) {
	names, _ := lists.ReadDir(".") // embedded
	for _, n := range names {
		out = append(out, strings.TrimSuffix(n.Name(), ".br"))
	}
	return out
}

// PerMillion returns the frequencies of the lower-case words of a language, in words per million.
func PerMillion(lang string) (map[string]float64, error) {
	if all := Languages(); !slices.Contains(all, lang) {
		return nil, fmt.Errorf("no frequency list for language %q: have %s", lang, strings.Join(all, ", "))
	}
	packed, err := lists.ReadFile(lang + ".br")
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, err
	}
	end := bytes.IndexByte(b, End)
	text, bins := b[:end], b[end+1:]
	out, word := make(map[string]float64, len(bins)), ""
	for _, bin := range bins {
		prefix, rest := int(text[0]), text[1:]
		n := bytes.IndexFunc(rest, func(r rune) bool { return r <= End })
		if n < 0 {
			n = len(rest)
		}
		word, text = word[:prefix]+string(rest[:n]), rest[n:]
		out[word] = 1e6 * math.Pow(10, -float64(bin)/25)
	}
	return out, nil
}
