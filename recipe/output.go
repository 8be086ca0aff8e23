package recipe

import (
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/internal/packed"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// FormatOfName returns the format that the name of an output file asks for, which
// may end as that of a packed file: "" for a name without a suffix. A suffix that is
// not known is an error.
func FormatOfName(name string) (string, error) {
	kind, base := packed.CutSuffix(strings.ToLower(filepath.Base(name)))
	if kind != packed.Plain && !kind.Writes() {
		return "", fmt.Errorf("output %s: %s is not written: take %s", name, kind, packed.WrittenSuffixes())
	}
	ext := filepath.Ext(base)
	switch ext {
	case "", base: // a hidden file is no suffix
		return "", nil
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
			return f.Name, nil
		}
	}
	return "", fmt.Errorf("output %s: suffix %s is not known: take one of %s, each also with %s after it, or name the format", name, ext, suffixList(), packed.WrittenSuffixes())
}

func suffixList() string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = f.Ext
	}
	return strings.Join(list, ", ")
}

// Joins tells whether several files of an output of that name, put one behind the other,
// are the file that one run would have written of all.
func (o *Output) Joins(name string) bool {
	encoders, err := o.encoders()
	if err != nil || isArray(name) {
		return false
	}
	_, framed := encoders[0].(pipeline.Framer)
	_, packs := encoders[0].(pipeline.Packer)
	return !framed && !packs
}

// isArray tells whether a file of that name holds one JSON value: lines of JSON
// are none.
func isArray(name string) bool {
	_, name = packed.CutSuffix(name)
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

// suit makes the encoder what the name of an output file says.
func suit(enc pipeline.Encoder, format, out string) (pipeline.Encoder, error) {
	kind, _ := packed.CutSuffix(out)
	if _, packs := enc.(pipeline.Packer); packs && kind != packed.Plain {
		return nil, fmt.Errorf("output %s: format %s is packed by itself: leave out the suffix of %s", out, format, kind)
	}
	if !isArray(out) {
		return enc, nil
	}
	if format != "json" && format != "jsonl" {
		return nil, fmt.Errorf("output %s: format %s is not JSON: give the file another suffix, or leave out the format", out, format)
	}
	return array{enc}, nil
}
