package main

import (
	"bytes"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html/charset"
)

// rival is an extractor. extract returns the text of the bytes of a page.
type rival struct {
	name, module string
	extract      func([]byte) (string, error)
}

// rivals lists all rivals in the order in which they run.
var rivals = []rival{
	{"go-readability", "codeberg.org/readeck/go-readability/v2", goReadability},
	{"go-trafilatura", "github.com/markusmobius/go-trafilatura", goTrafilatura},
	{"go-trafilatura-fast", "github.com/markusmobius/go-trafilatura", goTrafilaturaFast},
}

// names returns the names of all rivals.
func names() []string {
	var names []string
	for _, r := range rivals {
		names = append(names, r.name)
	}
	return names
}

// goReadability runs go-readability on pages in UTF-8 with a placeholder address, which it
// requires.
func goReadability(page []byte) (string, error) {
	article, err := readability.FromReader(decoded(page), &url.URL{Scheme: "https", Host: "example.com", Path: "/"})
	if err != nil {
		return "", err
	}
	if article.Node == nil { // no article found
		return "", nil
	}
	var text strings.Builder
	err = article.RenderText(&text)
	return text.String(), err
}

// decoded returns the page in UTF-8: unchanged if it is valid UTF-8, otherwise decoded from the
// declared or detected encoding.
func decoded(page []byte) io.Reader {
	page = bytes.TrimPrefix(page, []byte("\ufeff"))
	if utf8.Valid(page) {
		return bytes.NewReader(page)
	}
	encoding, _, _ := charset.DetermineEncoding(page, "")
	return encoding.NewDecoder().Reader(bytes.NewReader(page))
}

// goTrafilatura runs go-trafilatura with the defaults of its command: with fallback, comments and
// tables.
func goTrafilatura(page []byte) (string, error) {
	return goTrafilaturaWith(page, trafilatura.Options{EnableFallback: true})
}

// goTrafilaturaFast runs go-trafilatura without fallback.
func goTrafilaturaFast(page []byte) (string, error) {
	return goTrafilaturaWith(page, trafilatura.Options{})
}

func goTrafilaturaWith(page []byte, o trafilatura.Options) (string, error) {
	found, err := trafilatura.Extract(bytes.NewReader(page), o)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(found.ContentText + "\n" + found.CommentsText), nil
}
