package transformer

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryVariable is the environment variable with the default path of ONNX Runtime's shared
// library.
const LibraryVariable = "CHAFFINCH_ONNXRUNTIME"

// wayOut describes how to get the library, with a version that this package is tested with.
const wayOut = `take libonnxruntime.so from the folder onnxruntime/capi of the Python package onnxruntime ("pip install onnxruntime==1.31.1") and name it by --library or ` + LibraryVariable

// ErrLibrary means that ONNX Runtime's shared library cannot be loaded.
var ErrLibrary = errors.New("no ONNX Runtime")

// library holds the loaded library: a process can load only one.
var library struct {
	sync.Mutex
	path string
}

// LoadLibrary loads ONNX Runtime's shared library from path. Default: the path in
// [LibraryVariable]. A process can load only one library; loading the same one again is not an
// error. Errors wrap [ErrLibrary].
func LoadLibrary(path string) error {
	path = cmp.Or(path, os.Getenv(LibraryVariable))
	if path == "" {
		return fmt.Errorf("%w: no path is set: %s", ErrLibrary, wayOut)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLibrary, err)
	}
	if info, err := os.Stat(path); err != nil {
		return fmt.Errorf("%w: %w: %s", ErrLibrary, err, wayOut)
	} else if info.IsDir() {
		return fmt.Errorf("%w: %s is a folder, wanted the file libonnxruntime.so in it: %s", ErrLibrary, path, wayOut)
	}
	library.Lock()
	defer library.Unlock()
	if library.path == path {
		return nil
	}
	if library.path != "" {
		return fmt.Errorf("%w: %s: this process has loaded %s already, and can load only one", ErrLibrary, path, library.path)
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		// The only number in these messages is the number of an API that the library does not have:
		// it is too old for the binding.
		return fmt.Errorf("%w: %s: not a library of this machine, or older than 1.24: %w: %s", ErrLibrary, path, err, wayOut)
	}
	library.path = path
	return nil
}

// LibraryVersion returns the version of the loaded library, "" if none is loaded.
func LibraryVersion() string {
	if !ort.IsInitialized() {
		return ""
	}
	return ort.GetVersion()
}
