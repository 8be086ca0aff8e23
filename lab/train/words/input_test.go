package words

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestForms: files that are not text are rejected.
func TestForms(t *testing.T) {
	for content, want := range map[string]string{
		"one two\n":                           "",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR": "no text but binary data, wanted text",
		"PAR1....":                            "a Parquet file, wanted text",
		`{"text":"one two"}` + "\n":           "JSON lines, wanted text",
	} {
		name := must.File(t, "in.txt", content)
		r := &reader{split: Lines, yield: func(string, int) error { return nil }}
		err := r.read(t.Context(), []Input{{Path: name, Weight: 1}})
		if want == "" {
			must.Succeed(t, err)
		} else {
			must.Fail(t, err, name+": "+want)
		}
	}
}
