package extsort

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/huge"
)

// Folder is a work folder of runs: sorted files that outlive the process. A run is written under
// another name, synced, and renamed, so it is either complete or absent, whenever the process is
// killed. The Folder gives each run a name that was never used in it before. The caller keeps a
// manifest of the runs and their meaning. A Folder is safe for concurrent use within one process.
type Folder struct {
	dir string

	mu    sync.Mutex
	next  int
	spare [][]byte // empty chunks for Writers
}

// alloc returns an empty chunk of folderChunk bytes. Writers share the chunks, since most are used
// one after another.
func (f *Folder) alloc() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.spare) == 0 {
		for slab := huge.Make[byte](slabChunks*folderChunk, 0); len(slab) > 0; slab = slab[folderChunk:] {
			f.spare = append(f.spare, slab[:0:folderChunk])
		}
	}
	last := len(f.spare) - 1
	c := f.spare[last]
	f.spare = f.spare[:last]
	return c
}

// free recycles a chunk.
func (f *Folder) free(chunk []byte) {
	f.mu.Lock()
	f.spare = append(f.spare, chunk[:0])
	f.mu.Unlock()
}

// Shrink frees the memory that Writers have used. Later records use new memory.
func (f *Folder) Shrink() {
	f.mu.Lock()
	f.spare = nil
	f.mu.Unlock()
}

// reserve is the space in bytes to leave free on a disk.
const reserve = 32 << 20

// OpenFolder opens a folder, creates it if it does not exist, and removes unfinished files of a
// killed process.
func OpenFolder(dir string) (*Folder, error) {
	if err := disk.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	f := &Folder{dir: dir}
	err := f.each(func(name string) error {
		if strings.HasPrefix(name, files.UnfinishedPrefix) {
			return disk.Remove(filepath.Join(dir, name))
		}
		n := 0
		at := strings.LastIndexByte(name, '-')
		if _, err := fmt.Sscanf(name[at+1:], "%d"+runSuffix, &n); err == nil {
			f.next = max(f.next, n+1)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	return f, nil
}

// Dir returns the path of the folder.
func (f *Folder) Dir() string { return f.dir }

// each calls do with the names of all run files, finished or not.
func (f *Folder) each(do func(name string) error) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, runSuffix) {
			if err := do(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sweep removes all runs except keep: runs that a killed process wrote but did not add to its
// manifest. No writer may be open.
func (f *Folder) Sweep(keep []Run) error {
	return f.each(func(name string) error {
		if slices.ContainsFunc(keep, func(r Run) bool { return r.Name == name }) {
			return nil
		}
		return disk.Remove(filepath.Join(f.dir, name))
	})
}

// Remove removes runs that are no longer needed. Missing runs are not an error.
func (f *Folder) Remove(runs []Run) error {
	for _, r := range runs {
		if err := disk.Remove(filepath.Join(f.dir, r.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("work folder: %w", err)
		}
	}
	return nil
}

// Check opens each run and compares its header and length with the manifest. Contents are checked
// when they are read.
func (f *Folder) Check(runs []Run) error {
	for _, r := range runs {
		run, err := openRun(f.dir, r)
		if err != nil {
			return err
		}
		run.file.Close()
	}
	return nil
}

// runOut is a run that is being written.
type runOut struct {
	layout
	folder  *Folder
	name    string
	file    *files.Output
	records int64
	done    int64 // blocks
}

// create starts a run of about size bytes.
func (f *Folder) create(prefix string, l layout, size int64) (*runOut, error) {
	f.mu.Lock()
	name := fmt.Sprintf("%s-%06d%s", cmp.Or(prefix, "run"), f.next, runSuffix)
	f.next++
	f.mu.Unlock()
	path := filepath.Join(f.dir, name)
	if free, err := freeBytes(f.dir); err == nil && free < size+reserve {
		return nil, errDiskFull(path, size+reserve, free)
	}
	file, err := files.Create(path)
	if err != nil {
		return nil, fmt.Errorf("work file: %w", err)
	}
	out := &runOut{layout: l, folder: f, name: name, file: file}
	if _, err := file.Write(make([]byte, headerSize)); err != nil {
		return nil, out.failed(err)
	}
	return out, nil
}

func errDiskFull(path string, need, free int64) error {
	return fmt.Errorf("work file %s: %w: %d MB needed, %d MB free: free space or choose a work folder on another disk",
		path, syscall.ENOSPC, (need+999_999)/1_000_000, free/1_000_000)
}

// write appends complete blocks with their checksums, which hold the given number of records.
func (o *runOut) write(b []byte, records, blocks int64) error {
	if _, err := o.file.Write(b); err != nil {
		return o.failed(err)
	}
	o.records += records
	o.done += blocks
	return nil
}

// failed discards the file and returns the error.
func (o *runOut) failed(err error) error {
	o.file.Discard()
	path := filepath.Join(o.folder.dir, o.name)
	if errors.Is(err, syscall.ENOSPC) {
		free, _ := freeBytes(o.folder.dir)
		return errDiskFull(path, o.fileSize(o.records)+reserve, free)
	}
	return fmt.Errorf("work file %s: %w", path, err)
}

// finish syncs the run and renames it to its final name.
func (o *runOut) finish() (Run, error) {
	if _, err := o.file.WriteAt(o.header(o.records), 0); err != nil {
		return Run{}, o.failed(err)
	}
	if err := o.file.Commit(); err != nil {
		return Run{}, o.failed(err)
	}
	return Run{Name: o.name, Records: o.records, Record: o.record, Key: o.key}, nil
}
