package extract

import (
	"html"
	"testing"
)

func TestFrequentRefs(t *testing.T) {
	for name, val := range frequentRefs {
		if want := html.UnescapeString("&" + name); val != want {
			t.Errorf("&%s: %q, want %q", name, val, want)
		}
		if got, n := decodeRef("&" + name + "x"); got != val || n != len(name)+1 {
			t.Errorf("&%s: %q, %d bytes", name, got, n)
		}
	}
}
