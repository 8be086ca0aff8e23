package train

import (
	"encoding/json"
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/clean/method"
	_ "chaffinch/model/data/words"
)

// TestNew: methods that learn say so, and the others and their models are
// refused by name.
func TestNew(t *testing.T) {
	for _, name := range Names() {
		if _, err := New(name, method.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ name, config, want string }{
		{"justext", "", "learns from no pages: take one of ncleaner"},
		{"ncleaner", `{"model":"x.chf"}`, "leave out the model x.chf"},
		{"ncleaner", `{"m":4}`, "unknown key"},
		{"all", `{"ncleaner":{"model":"x.chf"}}`, "leave out the model x.chf"},
	} {
		must.Fail(t, must.Err(New(c.name, method.Options{Config: json.RawMessage(c.config)})), c.want)
	}
}
