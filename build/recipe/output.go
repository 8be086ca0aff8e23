package recipe

import (
	"fmt"
	"slices"
	"strings"

	"chaffinch/format/suffix"
	"chaffinch/internal/packed"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// FormatOfName returns the format for the suffix of an output file, ignoring a suffix of
// compression. It returns "" for a name without a suffix, and an error for a suffix that no
// format of [Formats] has.
func FormatOfName(name string) (string, error) {
	p := suffix.Of(name)
	if err := suffix.CheckPacking(name); err != nil {
		return "", err
	}
	if _, err := FormatOf(p.Format); err == nil || p.Suffix == "" {
		return p.Format, nil
	}
	var packable, plain []string
	for _, f := range Formats {
		if f.NoPacking == "" {
			packable = append(packable, f.Ext)
		} else {
			plain = append(plain, f.Ext)
		}
	}
	near := settings.Nearest(p.Suffix, slices.Concat(packable, plain))
	if near != "" {
		near = "did you mean " + near + "? "
	}
	return "", fmt.Errorf("output %s: suffix %s is not known: %swanted one of %s, each also with %s after it, %s, or name the format", name, p.Suffix, near, strings.Join(packable, ", "), packed.WrittenSuffixes(), strings.Join(plain, ", "))
}

// Joins reports whether the concatenation of several output files of that name equals the
// file of a single run.
func (o *Output) Joins(name string) bool {
	encoders, err := o.encoders()
	if err != nil || isArray(name) {
		return false
	}
	_, framed := encoders[0].(pipeline.Framer)
	_, packs := encoders[0].(pipeline.Packer)
	return !framed && !packs
}

// isArray reports whether a file of that name holds one JSON value instead of JSON lines.
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

// suit adapts the encoder to the suffix of an output file.
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

// checkOutput returns an error if the format does not fit the suffix of the output.
func checkOutput(format, out string) error {
	written := []string{format}
	switch format {
	case "json": // the suffix selects lines or an array
		written = append(written, "jsonl")
	case "jsonl":
		written = append(written, "json")
	}
	f, err := FormatOf(format)
	if p := suffix.Of(out); err == nil && f.NoPacking != "" && p.Packing != "" {
		return fmt.Errorf("output %s: leave out %s: %s", out, p.Packing, f.NoPacking)
	}
	return suffix.Check(out, written...)
}
