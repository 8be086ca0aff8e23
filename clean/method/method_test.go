package method

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "chaffinch/model/data/words"
)

// TestTable checks what every row of the table must have: docs/contributing/labeller.md.
func TestTable(t *testing.T) {
	name, version := regexp.MustCompile(`^[a-z][a-z0-9]*$`), regexp.MustCompile(`/[0-9]+`)
	for i, m := range Table {
		if !name.MatchString(m.Name) || m.Help == "" || m.New == nil || slices.Contains(Names()[:i], m.Name) {
			t.Errorf("method %q: want a name of a-z and 0-9 that no other method has, Help and New", m.Name)
			continue
		}
		l, err := New(m.Name, Options{})
		if err != nil {
			t.Errorf("method %s: without settings: %v", m.Name, err)
			continue
		}
		if !version.MatchString(l.Name()) {
			t.Errorf("method %s: Name returns %q: want a name with a version, as %s/1", m.Name, l.Name(), m.Name)
		}
		if _, err := New(m.Name, Options{Config: []byte(`{"no_such_setting": 1}`)}); err == nil {
			t.Errorf("method %s: an unknown setting is no error: read Options.Config with settings.Apply", m.Name)
		}
		if _, err := New(m.Name, Options{Config: []byte(`{"model": "./none.chf"}`)}); m.Kind != "" && (err == nil || !strings.Contains(err.Error(), "none.chf")) {
			t.Errorf("method %s: Kind is %q, but a model that does not exist gives the error: %v", m.Name, m.Kind, err)
		}
	}
}

func TestNew(t *testing.T) {
	if _, err := New("magic", Options{}); err == nil || !strings.Contains(err.Error(), "keep") {
		t.Errorf("unknown method: %v", err)
	}
}
