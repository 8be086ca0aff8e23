package recipe

import (
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/page"
	"chaffinch/pipeline"
)

// Suffixes tells what the name of an output file asks for: the format, "" for a
// name without a suffix, and the packing, "" for none. A suffix that is not known
// is an error.
func Suffixes(name string) (format, packing string, err error) {
	base := strings.ToLower(filepath.Base(name))
	ext := filepath.Ext(base)
	for _, p := range pipeline.Packings {
		if ext == p.Suffix {
			packing = p.Name
			base = strings.TrimSuffix(base, ext)
			ext = filepath.Ext(base)
		}
	}
	switch ext {
	case "", base: // a hidden file is no suffix
		return "", packing, nil
	case ".vertical":
		ext = ".vert"
	case ".prevertical":
		ext = ".prevert"
	case ".markdown":
		ext = ".md"
	case ".ndjson":
		ext = ".jsonl"
	}
	for _, f := range Formats {
		if ext == f.Ext {
			return f.Name, packing, nil
		}
	}
	return "", packing, fmt.Errorf("output %s: suffix %s is not known: take one of %s, each also with %s behind it, or name the format", name, ext, suffixList(), packingList())
}

func suffixList() string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = f.Ext
	}
	return strings.Join(list, ", ")
}

func packingList() string {
	list := make([]string, len(pipeline.Packings))
	for i, p := range pipeline.Packings {
		list[i] = p.Suffix
	}
	return strings.Join(list, " or ")
}

// isArray tells whether a file of that name holds one JSON value: lines of JSON
// are none.
func isArray(name string) bool {
	for _, p := range pipeline.Packings {
		name = strings.TrimSuffix(name, p.Suffix)
	}
	return strings.EqualFold(filepath.Ext(name), ".json")
}

// array writes the lines of an encoder as elements of one JSON array.
type array struct{ pipeline.Encoder }

// Append appends the record of p without its line end.
func (a array) Append(dst []byte, p *page.Page) []byte {
	n := len(dst)
	if dst = a.Encoder.Append(dst, p); len(dst) > n && dst[len(dst)-1] == '\n' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// Frame returns the brackets and commas.
func (array) Frame() (head, between, tail string) { return "[\n", ",\n", "\n]\n" }

// suit makes the encoder and the packing what the name of an output file says.
func suit(enc pipeline.Encoder, format, out string) (_ pipeline.Encoder, packing string, err error) {
	_, packing, _ = Suffixes(out)
	if _, packs := enc.(pipeline.Packer); packs && packing != "" {
		return nil, "", fmt.Errorf("output %s: format %s is packed by itself: leave out the suffix of %s", out, format, packing)
	}
	if !isArray(out) {
		return enc, packing, nil
	}
	if format != "json" && format != "jsonl" {
		return nil, "", fmt.Errorf("output %s: format %s is no JSON: give the file another suffix, or leave out the format", out, format)
	}
	return array{enc}, packing, nil
}
