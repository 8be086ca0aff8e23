package chaffinch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// figuresFile lists the measured figures that pages quote, with the command and the page of
// results that each comes from.
const figuresFile = "lab/results/figures.json"

// TestFigures wants every quotation of a figure to have the value in figuresFile, and the page
// of results to contain the value.
func TestFigures(t *testing.T) {
	var figures []struct {
		Name, Value, Command, Where string
		Quotes                      []struct{ File, Text string }
	}
	must.Succeed(t, json.Unmarshal(must.Read(t, figuresFile), &figures))
	if len(figures) == 0 {
		t.Errorf("%s: no figures", figuresFile)
	}
	for _, f := range figures {
		if f.Command == "" || len(f.Quotes) == 0 {
			t.Errorf("%s: %s: no command or no quotes", figuresFile, f.Name)
		}
		if !strings.Contains(string(must.Read(t, f.Where)), f.Value) {
			t.Errorf("%s: %s: %q is missing", f.Where, f.Name, f.Value)
		}
		for _, q := range f.Quotes {
			text := strings.ReplaceAll(q.Text, "{}", f.Value)
			if text == q.Text || !strings.Contains(string(must.Read(t, q.File)), text) {
				t.Errorf("%s: %s: %q is missing", q.File, f.Name, text)
			}
		}
	}
}
