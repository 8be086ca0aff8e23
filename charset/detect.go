package charset

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
)

// sampleDense is how many bytes a guess looks at.
const sampleDense = 8 << 10

// detect guesses the encoding of raw from its first bytes, "" if it has no
// guess.
func detect(raw []byte) string {
	if name := byEscapes(raw); name != "" {
		return name
	}
	text := dense(raw)
	if len(text) == 0 {
		return ""
	}
	// The library's own order of equal guesses changes from call to call.
	guesses, err := chardet.NewTextDetector().DetectAll(text)
	if err != nil || len(guesses) == 0 {
		return ""
	}
	best := slices.MinFunc(guesses, func(a, b chardet.Result) int {
		return cmp.Or(b.Confidence-a.Confidence, strings.Compare(a.Charset, b.Charset))
	})
	if best.Confidence < 10 {
		return ""
	}
	name := resolve(best.Charset)
	if name == "" || name == "utf-8" || strings.HasPrefix(name, "utf-16") {
		return ""
	}
	return name
}

// dense returns the parts of raw that tell encodings apart: the lines and
// elements of text that hold bytes above 127, without tags.
func dense(raw []byte) []byte {
	raw = raw[:min(len(raw), 1<<20)]
	var out []byte
	for len(raw) > 0 && len(out) < sampleDense {
		n, ascii := 0, true
		for n < len(raw) && raw[n] != '<' && raw[n] != '>' && raw[n] != '\n' {
			ascii = ascii && raw[n] < utf8.RuneSelf
			n++
		}
		part := raw[:n]
		raw = raw[min(n+1, len(raw)):]
		if !ascii {
			out = append(out, part[:min(len(part), sampleDense)]...)
			out = append(out, '\n')
		}
	}
	return out
}

// hasEscapes reports whether ASCII text may be in an encoding that switches
// character sets by escape sequences.
func hasEscapes(raw []byte) bool {
	return bytes.IndexByte(raw, 0x1B) >= 0 || bytes.Contains(raw, []byte("~{"))
}

// byEscapes returns the encoding that the escape sequences in raw belong to,
// "" if there are none.
func byEscapes(raw []byte) string {
	for _, e := range [...]string{"\x1B$B", "\x1B$@", "\x1B(J", "\x1B$(D"} {
		if bytes.Contains(raw, []byte(e)) {
			return "iso-2022-jp"
		}
	}
	return ""
}
