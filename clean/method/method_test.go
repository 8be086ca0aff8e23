package method

import (
	"strings"
	"testing"

	_ "chaffinch/model/data/words"
)

func TestNew(t *testing.T) {
	for _, m := range Names() {
		l, err := New(m, Options{})
		if err != nil {
			t.Errorf("%s: %v", m, err)
		} else if l.Name() == "" {
			t.Errorf("%s: no name", m)
		}
	}
	if _, err := New("magic", Options{}); err == nil || !strings.Contains(err.Error(), "keep") {
		t.Errorf("unknown method: %v", err)
	}
}
