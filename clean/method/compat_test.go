package method

import (
	"encoding/json"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestCompat(t *testing.T) {
	for _, c := range compats {
		if c.Method == "perplexity" {
			continue // wants a model of PyPlexity; see the tests of the command
		}
		config := must.Get(Compat(c.Name, c.Method, nil))(t)
		if _, err := New(c.Method, Options{Config: config}); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	got, err := Compat("justext-3.0", "justext", json.RawMessage(`{"length_low":50,"preset":"spiderling"}`))
	if want := `{"length_low":50,"preset":"justext-3.0"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, c := range []struct{ name, method, config, want string }{
		{"justext-3.0", "all", "", "choose the method justext"},
		{"justext-2", "justext", "", "pyplexity, justext-3.0"},
		{"justext-3.0", "justext", "[]", "config"},
	} {
		must.Fail(t, must.Err(Compat(c.name, c.method, json.RawMessage(c.config))), c.want)
	}
}
