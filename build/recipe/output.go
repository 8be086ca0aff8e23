package recipe

import (
	"fmt"
	"strings"

	"chaffinch/format/suffix"
	"chaffinch/internal/packed"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// FormatOfName returns the format that the name of an output file promises, which may
// end as that of a packed file: "" for a name without a suffix. A suffix of no format
// of [Formats] is an error.
func FormatOfName(name string) (string, error) {
	p := suffix.Of(name)
	if err := suffix.CheckPacking(name); err != nil {
		return "", err
	}
	if _, err := formatOf(p.Format); err == nil || p.Suffix == "" {
		return p.Format, nil
	}
	return "", fmt.Errorf("output %s: suffix %s is not known: take one of %s, each also with %s after it, or name the format", name, p.Suffix, suffixList(), packed.WrittenSuffixes())
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

// isArray reports whether a file of that name holds one JSON value, not lines of JSON.
func isArray(name string) bool { return suffix.Of(name).Format == "json" }

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

// suit makes the encoder what the name of an output file promises.
func suit(enc pipeline.Encoder, format, out string) (pipeline.Encoder, error) {
	if err := checkOutput(format, out); err != nil {
		return nil, err
	}
	if isArray(out) {
		return array{enc}, nil
	}
	return enc, nil
}

// CheckName returns an error if a file of that name cannot hold the output.
func (o *Output) CheckName(name string) error { return checkOutput(o.Format, name) }

// checkOutput returns an error if an output of that name cannot be of a format.
func checkOutput(format, out string) error {
	written := []string{format}
	switch format {
	case "json": // the suffix decides whether records are lines or an array
		written = append(written, "jsonl")
	case "jsonl":
		written = append(written, "json")
	}
	f, err := formatOf(format)
	if p := suffix.Of(out); err == nil && f.NoPacking != "" && p.Packing != "" {
		return fmt.Errorf("output %s: leave out %s: %s", out, p.Packing, f.NoPacking)
	}
	return suffix.Check(out, written...)
}
