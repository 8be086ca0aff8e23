package recipe

import (
	"strings"
	"testing"
)

func TestLabeller(t *testing.T) {
	for _, m := range MethodNames() {
		l, err := Labeller(m, Options{})
		if err != nil {
			t.Errorf("%s: %v", m, err)
		} else if l.Name() == "" {
			t.Errorf("%s: no name", m)
		}
	}
	if _, err := Labeller("magic", Options{}); err == nil || !strings.Contains(err.Error(), "keep") {
		t.Errorf("unknown method: %v", err)
	}
}
