package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/webassembly/imports"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// memoryPages bounds the memory of the module, in pages of 64 KiB: 256 MiB.
const memoryPages = 4096

// engine compiles the module and starts instances.
type engine struct {
	ctx     context.Context
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// newEngine compiles the module, or loads it from the cache of compiled modules in the user's
// cache folder. Without that folder, each start compiles it.
func newEngine(ctx context.Context) (*engine, error) {
	cfg := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages).
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	if dir, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "chaffinch", "pdfium")); err == nil {
			cfg = cfg.WithCompilationCache(cache)
		}
	}
	r := wazero.NewRuntimeWithConfig(ctx, cfg)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	code, err := pdfium()
	if err != nil {
		return nil, err
	}
	m, err := r.CompileModule(ctx, code)
	if err != nil {
		return nil, err
	}
	if _, err := imports.Instantiate(ctx, r, m); err != nil {
		return nil, err
	}
	return &engine{ctx, r, m}, nil
}

// trap is the error of a failed call. The instance is unusable after it.
type trap struct {
	name string
	err  error
}

func (t trap) Error() string { return fmt.Sprintf("PDFium: %s: %v", t.name, t.err) }

// instance is a running module. Its methods panic with a trap.
type instance struct {
	ctx     context.Context
	mod     api.Module
	mem     api.Memory
	funcs   map[string]api.Function
	stack   []uint64
	scratch uint64 // address of scratchBytes bytes
}

const scratchBytes = 1 << 16

// start starts an instance without access to files, the network or the clock.
func (e *engine) start() (*instance, error) {
	cfg := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithFSConfig(wazero.NewFSConfig()).WithStdout(io.Discard).WithStderr(io.Discard)
	mod, err := e.runtime.InstantiateModule(e.ctx, e.module, cfg)
	if err != nil {
		return nil, err
	}
	i := &instance{ctx: e.ctx, mod: mod, mem: mod.Memory(), funcs: map[string]api.Function{}, stack: make([]uint64, 16)}
	i.call("FPDF_InitLibrary")
	i.scratch = i.alloc(scratchBytes)
	return i, nil
}

// fn returns an exported function.
func (i *instance) fn(name string) api.Function {
	f := i.funcs[name]
	if f == nil {
		if f = i.mod.ExportedFunction(name); f == nil {
			panic(trap{name, fmt.Errorf("no such function")})
		}
		i.funcs[name] = f
	}
	return f
}

// call calls an exported function and returns its result, 0 if it has none.
func (i *instance) call(name string, args ...uint64) uint64 {
	i.stack[0] = 0
	copy(i.stack, args)
	if err := i.fn(name).CallWithStack(i.ctx, i.stack); err != nil {
		panic(trap{name, err})
	}
	return i.stack[0]
}

// int calls a function that returns an int.
func (i *instance) int(name string, args ...uint64) int { return int(int32(i.call(name, args...))) }

func (i *instance) alloc(n int) uint64 {
	p := i.call("malloc", uint64(n))
	if p == 0 {
		panic(trap{"malloc", fmt.Errorf("no memory for %d bytes", n)})
	}
	return p
}

// view returns n bytes of the memory at address p. Calls may invalidate them.
func (i *instance) view(p uint64, n int) []byte {
	b, ok := i.mem.Read(uint32(p), uint32(n))
	if !ok {
		panic(trap{"memory", fmt.Errorf("%d bytes at %d are out of range", n, p)})
	}
	return b
}

func (i *instance) floats(at uint64, out ...*float64) {
	b := i.view(at, 8*len(out))
	for k, f := range out {
		*f = api.DecodeF64(binary.LittleEndian.Uint64(b[8*k:]))
	}
}

func (i *instance) floats32(at uint64, out ...*float64) {
	b := i.view(at, 4*len(out))
	for k, f := range out {
		*f = float64(api.DecodeF32(uint64(binary.LittleEndian.Uint32(b[4*k:]))))
	}
}

// utf16 returns the text that a function writes as UTF-16 with a final zero. The function gets
// args, the address and the size of a buffer, and returns the bytes that it needs.
func (i *instance) utf16(name string, args ...uint64) string {
	n := int(uint32(i.call(name, append(args, i.scratch, scratchBytes)...)))
	if n < 2 || n > scratchBytes {
		return ""
	}
	b := i.view(i.scratch, n-2)
	u := make([]uint16, len(b)/2)
	for k := range u {
		u[k] = binary.LittleEndian.Uint16(b[2*k:])
	}
	return strings.TrimRight(string(utf16.Decode(u)), "\x00")
}
