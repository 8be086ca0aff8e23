package main

import (
	"os"
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
	testscript.Run(t, testscript.Params{Dir: "testdata", UpdateScripts: os.Getenv("UPDATE") != ""})
}
