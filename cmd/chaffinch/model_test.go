package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// Model files of every kind say what they are.
func TestModelInfo(t *testing.T) {
	files, err := filepath.Glob("../../model/data/*.chf")
	optional, _ := filepath.Glob("../../model/data/*/*.chf")
	if err != nil || len(files) == 0 || len(optional) == 0 {
		t.Fatalf("%v, %v, %v", files, optional, err)
	}
	files = append(files, optional...)
	for _, f := range files {
		var out, errs bytes.Buffer
		if code := run([]string{"model", "info", f}, &console{strings.NewReader(""), &out, &errs}); code != 0 {
			t.Errorf("%s: exit code %d: %s", f, code, errs.String())
		}
		for _, want := range []string{"\nkind       ", "\nmade by    chaffinch "} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", f, want, out.String())
			}
		}
	}
}
