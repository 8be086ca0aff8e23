package corpus

import (
	"errors"
	"strings"
	"testing"

	"chaffinch/internal/guard"
)

// TestFault: a fault of the program names the line that it works on.
func TestFault(t *testing.T) {
	b, err := NewBuilder(t.TempDir()+"/index", DefaultBuild)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.glue.close()
	b.glue = nil
	err = b.Add(t.Context(), "a.vert", strings.NewReader("<doc>\n<p>\nword\n</p>\n</doc>\n"))
	if !errors.As(err, new(*guard.Panic)) || !strings.Contains(err.Error(), "a.vert: line 3 (offset 10): fault of the program") {
		t.Errorf("%v", err)
	}
}
