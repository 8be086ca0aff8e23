package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"chaffinch": func() {
			if dir := os.Getenv(recordVar); dir != "" {
				os.Exit(recorded(dir, os.Args[1:]))
			}
			os.Exit(run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr}))
		},
	})
}
