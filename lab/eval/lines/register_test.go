package lines

import (
	"strings"
	"testing"
)

// TestLongRegisterLine rejects a line beyond the limit, whose number is in the error.
func TestLongRegisterLine(t *testing.T) {
	defer func(was int) { maxRegisterLine = was }(maxRegisterLine)
	maxRegisterLine = 100
	c := registerIndex{holds: map[uint64][]int{}}
	const doc = `{"lang":"sv","labels":["NA"],"text":"x"}` + "\n"
	if err := c.read(strings.NewReader(doc + "\n" + strings.TrimSpace(doc))); err != nil || len(c.docs) != 2 {
		t.Errorf("%d documents, %v", len(c.docs), err)
	}
	err := c.read(strings.NewReader(doc + doc + strings.Repeat("x", 200)))
	if want := "line 3: more than 100 bytes"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
