package method

import (
	"encoding/json"
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

// TestTrainable: methods that learn say so, and the others and their models are
// refused by name.
func TestTrainable(t *testing.T) {
	for _, name := range TrainableNames() {
		if _, err := Trainable(name, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ name, config, want string }{
		{"justext", "", "learns from no pages: take one of ncleaner"},
		{"ncleaner", `{"model":"x.chf"}`, "leave out the model x.chf"},
		{"ncleaner", `{"m":4}`, "unknown key"},
		{"all", `{"ncleaner":{"model":"x.chf"}}`, "leave out the model x.chf"},
	} {
		if _, err := Trainable(c.name, Options{Config: json.RawMessage(c.config)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.name, c.config, err, c.want)
		}
	}
}
