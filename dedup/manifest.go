package dedup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/files"
)

// manifestFormat is the version of the work folder:
// 1: first.
const manifestFormat = 1

const manifestName = "manifest.json"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// manifest describes the content of a work folder. Files that it does not name are
// from an interrupted step and are removed.
type manifest struct {
	Format   int
	Settings json.RawMessage // of the method and the run
	Input    string          // identity of the collection
	Spooled  bool            // standard input is in the folder, whole
	Token    string          // of this run alone
	Indexed  int64           // documents of the index
	IndexIs  string          // its identity
	Docs     int64           // documents that are sketched
	Bytes    int64           // their bytes
	Mark     json.RawMessage `json:",omitempty"` // position in the input after them
	IDs      idState
	Sketched bool
	Steps    []string
	Tables   map[string]*tableState
	Counts   map[string]int64
	Times    map[string]float64 // seconds
	Writing  *rewriting         `json:",omitempty"` // named Rewrite, and otherwise shaped, in 0.2
	Finished bool               // the outputs are written but not yet renamed
	Named    bool               // the outputs are renamed: only this folder remains to be removed
	Bad      int64              // pieces of input that could not be read
	Failed   int64              // documents over which the method failed
	SameIDs  int64              // documents with the id of another one
	SameID   int64              // the first of them
	Disk     int64              // most bytes in the work folder at a checkpoint
}

// Resumable reports whether a work folder holds a run that can be resumed.
func Resumable(work string) bool {
	_, err := os.Stat(filepath.Join(work, manifestName))
	return work != "" && err == nil
}

// save replaces the manifest. The files that it names must be on stable storage.
func (m *manifest) save(dir string) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeChecked(filepath.Join(dir, manifestName), b)
}

// loadManifest reads the manifest of a work folder. It returns nil if there is none.
func loadManifest(dir string) (*manifest, error) {
	name := filepath.Join(dir, manifestName)
	body, err := readChecked(name, ErrStartOver)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, err, ErrStartOver)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%s: format %d, this build reads %d: %w", name, m.Format, manifestFormat, ErrStartOver)
	}
	if err := m.sound(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, err, ErrStartOver)
	}
	return m, nil
}

// sound returns an error if no run can have saved m. It adds empty tables.
func (m *manifest) sound() error {
	if err := checkTables(m.Tables, m.Docs); err != nil {
		return err
	}
	if m.Indexed < 0 || m.Indexed > noDoc-m.Docs || m.IndexIs == "" && m.Indexed > 0 {
		return fmt.Errorf("%d documents of the index %q", m.Indexed, m.IndexIs)
	}
	if m.Tables == nil {
		m.Tables = map[string]*tableState{}
	}
	if m.Counts == nil {
		m.Counts = map[string]int64{}
	}
	if m.Times == nil {
		m.Times = map[string]float64{}
	}
	if m.Writing == nil {
		if m.Finished {
			return errors.New("the outputs are written and there is no report")
		}
		return nil
	}
	return soundWriting(m.Writing, m.Docs)
}

// writeChecked replaces a file by one line and its checksum, in one step.
func writeChecked(name string, line []byte) error {
	return files.WriteFile(name, fmt.Appendf(nil, "%s\n%08x\n", line, crc32.Checksum(line, castagnoli)))
}

// readChecked reads a file that writeChecked wrote. The error of a damaged file wraps
// wayOut.
func readChecked(name string, wayOut error) ([]byte, error) {
	b, err := archive.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return unwrap(name, b, wayOut)
}

// unwrap checks the content of a file that writeChecked wrote, and returns its line.
func unwrap(name string, b []byte, wayOut error) ([]byte, error) {
	line, sum, ok := bytes.Cut(b, []byte("\n"))
	if !ok || strings.TrimSpace(string(sum)) != fmt.Sprintf("%08x", crc32.Checksum(line, castagnoli)) {
		return nil, fmt.Errorf("%s: checksum does not match, the file is damaged: %w", name, wayOut)
	}
	return line, nil
}

// empty reports whether the run has nothing that a restart would have to read again.
func (m *manifest) empty() bool { return m.Docs == 0 && len(m.Steps) == 0 && !m.Spooled }
