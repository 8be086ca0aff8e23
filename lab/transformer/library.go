package transformer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryVariable is the environment variable that names ONNX Runtime's shared
// library where no setting does.
const LibraryVariable = "CHAFFINCH_ONNXRUNTIME"

// wayOut says where the library comes from; the version is one that this
// package is tested with.
const wayOut = `take libonnxruntime.so from the folder onnxruntime/capi of the Python package onnxruntime ("pip install onnxruntime==1.31.1") and name it by --library or ` + LibraryVariable

// ErrLibrary is what errors are when ONNX Runtime's shared library cannot be
// loaded.
var ErrLibrary = errors.New("no ONNX Runtime")

// library is the one that this process has loaded: there can be only one.
var library struct {
	sync.Mutex
	path string
}

// LoadLibrary loads ONNX Runtime's shared library, "" for the one that
// [LibraryVariable] names. A process can load one; the same one again is no
// error. Errors are [ErrLibrary].
func LoadLibrary(path string) error {
	if path == "" {
		path = os.Getenv(LibraryVariable)
	}
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
		// The only number in these messages is that of an API that the library
		// does not have: it is too old for the binding.
		return fmt.Errorf("%w: %s: not a library of this machine, or older than 1.24: %w: %s", ErrLibrary, path, err, wayOut)
	}
	library.path = path
	return nil
}

// LibraryVersion is the version of the loaded library, "" before.
func LibraryVersion() string {
	if !ort.IsInitialized() {
		return ""
	}
	return ort.GetVersion()
}
