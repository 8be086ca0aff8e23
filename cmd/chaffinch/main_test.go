package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"chaffinch/format/pdf/worker"
	"chaffinch/internal/testkit/must"
)

func TestMain(m *testing.M) {
	worker.Main()
	testscript.Main(removing{m}, map[string]func(){
		"chaffinch": func() {
			if dir := os.Getenv(recordVar); dir != "" {
				os.Exit(recorded(dir, os.Args[1:]))
			}
			os.Exit(run(os.Args[1:], &console{os.Stdin, os.Stdout, os.Stderr}))
		},
	})
}

// removing removes the program that [built] has built after the tests.
type removing struct{ *testing.M }

func (r removing) Run() int {
	defer os.RemoveAll(builtIn)
	return r.M.Run()
}

var (
	builtIn  string
	buildNow = sync.OnceValue(func() (err error) {
		if builtIn, err = os.MkdirTemp("", "chaffinch-built-"); err != nil {
			return err
		}
		if out, err := exec.Command("go", "build", "-o", builtIn, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
)

// built builds the program for all tests that need it as installed: this test binary holds
// more, and with the race detector needs more memory.
func built(t testing.TB) string {
	t.Helper()
	must.Succeed(t, buildNow())
	return filepath.Join(builtIn, "chaffinch")
}
