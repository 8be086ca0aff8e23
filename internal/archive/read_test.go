package archive

import (
	"strings"
	"testing"
)

// TestReadAll reads up to the limit and no byte beyond.
func TestReadAll(t *testing.T) {
	defer func(was int64) { maxRead = was }(maxRead)
	maxRead = 10
	for text, fits := range map[string]bool{"": true, "0123456789": true, "0123456789a": false} {
		r := strings.NewReader(text + strings.Repeat("x", 1000*len(text)/11))
		if fits {
			r = strings.NewReader(text)
		}
		b, err := ReadAll(r)
		if (err == nil) != fits || fits && string(b) != text {
			t.Errorf("%q: %q, %v", text, b, err)
		}
		if !fits && r.Len() == 0 {
			t.Errorf("%q: read to its end", text)
		}
	}
}
