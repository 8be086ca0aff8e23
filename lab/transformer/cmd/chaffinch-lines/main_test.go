package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"chaffinch/lab/transformer/internal/testkit"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"chaffinch-lines": main})
}

// TestScripts runs the command as a user would, on the tiny model.
func TestScripts(t *testing.T) {
	library := testkit.Library(t)
	data, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("CHAFFINCH_ONNXRUNTIME", library)
			e.Setenv("TINY", data)
			return nil
		},
	})
}
