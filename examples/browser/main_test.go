package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// maxCompressed is the maximum size of the program for browsers, compressed with gzip.
const maxCompressed = 6_000_000

// TestWASI: the program for WebAssembly, without access to files or network, converts pages like
// the program for this system.
func TestWASI(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("compiles the standard library for WebAssembly")
	}
	name := filepath.Join(t.TempDir(), "cleaner.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", name, ".")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := must.Read(t, name)
	if n := len(testkit.Gzip(program)); n > maxCompressed {
		t.Errorf("the program has %d bytes compressed, wanted at most %d", n, maxCompressed)
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	module, err := r.CompileModule(ctx, program)
	must.Succeed(t, err)
	c, err := newCleaner()
	must.Succeed(t, err)
	pages, err := filepath.Glob("../pages/*/*.html")
	must.Succeed(t, err)
	if len(pages) < 5 {
		t.Fatalf("%d pages, wanted more", len(pages))
	}
	for _, page := range pages {
		html := must.Read(t, page)
		var out bytes.Buffer
		m, err := r.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithName("").WithStdin(bytes.NewReader(html)).WithStdout(&out))
		must.Succeed(t, err)
		must.Succeed(t, m.Close(ctx))
		p, err := c.clean(html, "")
		must.Succeed(t, err)
		if want := asMarkdown(p); want == "" || out.String() != want {
			t.Errorf("%s: %q in WebAssembly, wanted %q", page, out.String(), want)
		}
	}
}
