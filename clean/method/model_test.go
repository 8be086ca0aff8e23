package method

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// TestWithModel finds the method of a model, and puts the model into its
// configuration.
func TestWithModel(t *testing.T) {
	dir := t.TempDir()
	file := func(name, kind string) string {
		path := filepath.Join(dir, name)
		w := must.Get(model.Create(path, model.Header{Kind: kind}))(t)
		must.Succeed(t, w.Close())
		return path
	}
	made, other := file("b.chf", blocks.Kind), file("l.chf", "langid")
	arpa := filepath.Join(dir, "m.arpa")
	must.Write(t, arpa, "\\data\\\n")
	for _, c := range []struct{ name, model, config, want, err string }{
		{"", made, "", "blocks", ""},
		{"blocks", made, `{"favour":"recall"}`, "blocks", ""},
		{"lines", made, "", "", "it is one of the method blocks"},
		{"", arpa, "", "perplexity", ""},
		{"perplexity", "en", "", "perplexity", ""},
		{"", "en", "", "", "needs the name of its method"},
		{"keep", "en", "", "", "has no model"},
		{"", other, "", "", "labels nothing"},
		{"", filepath.Join(dir, "none.chf"), "", "", "none.chf"},
		{"blocks", made, `{"model":"x"}`, "", "leave out one"},
	} {
		name, config, err := WithModel(c.name, c.model, json.RawMessage(c.config))
		if c.err != "" {
			must.Fail(t, err, c.err)
			continue
		}
		var got struct{ Model, Favour string }
		if err != nil || name != c.want || json.Unmarshal(config, &got) != nil || got.Model != c.model || strings.Contains(c.config, "recall") != (got.Favour == "recall") {
			t.Errorf("%s %s: %s %s %v", c.name, c.model, name, config, err)
		}
	}
}
