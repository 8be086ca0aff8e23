package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"chaffinch": func() { os.Exit(run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr})) },
	})
}

// TestScripts runs testdata/*.txt: the command as its users see it.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples/pages")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			return nil
		},
	})
}
