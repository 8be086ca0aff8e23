// Package floors stores lower bounds of figures, with the fingerprints of the data that they were
// measured on, in one file for all evaluations (lab/eval/floors.json). [Read] reads the file and
// [File.Check] compares figures. Larger figures are better.
package floors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/archive"
	"chaffinch/internal/files"
)

// File holds the floors, in percent.
type File struct {
	// Tolerance is the allowed distance below a floor in percentage points.
	Tolerance float64 `json:"tolerance"`
	// Sets holds the fingerprints of the data by set. Sets for cleaning have plain names; others
	// are prefixed by the task: "langid/ntrex".
	Sets map[string]Fingerprint `json:"sets"`
	// Floors holds the floors by set, system and figure.
	Floors map[string]map[string]map[string]float64 `json:"floors"`
}

// Fingerprint identifies data. Each task sets the counts that it has.
type Fingerprint struct {
	SHA256    string `json:"sha256"`
	Pages     int    `json:"pages,omitempty"`
	GoldWords int    `json:"gold_words,omitempty"`
	Lines     int    `json:"lines,omitempty"`
	Files     int    `json:"files,omitempty"`
}

// String returns the nonzero fields.
func (f Fingerprint) String() string {
	var s strings.Builder
	for _, n := range []struct {
		n    int
		what string
	}{{f.Pages, "pages"}, {f.GoldWords, "gold words"}, {f.Lines, "lines"}, {f.Files, "files"}} {
		if n.n > 0 {
			fmt.Fprintf(&s, "%d %s, ", n.n, n.what)
		}
	}
	fmt.Fprintf(&s, "sha256 %.12s…", f.SHA256)
	return s.String()
}

// System is a system with its figures as fractions from 0 to 1.
type System struct {
	Name    string
	Figures map[string]float64
}

// Read reads a file of floors. A missing file has no floors.
func Read(path string) (*File, error) {
	f := &File{Tolerance: 0.1, Sets: map[string]Fingerprint{}, Floors: map[string]map[string]map[string]float64{}}
	b, err := archive.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("floors %s: %w", path, err)
	}
	return f, nil
}

// Check compares figures on a set with the floors, in the order of the systems and of the names of
// figures. It returns a line for each figure below its floor, and an error if the data differ from
// the data of the floors. Systems without floors pass.
func (f *File) Check(set string, data Fingerprint, systems []System) (below []string, err error) {
	want, ok := f.Sets[set]
	if !ok {
		return nil, nil
	}
	if data != want {
		return nil, fmt.Errorf("set %s: %v; the floors were measured on %v: measure again", set, data, want)
	}
	for _, s := range systems {
		floors := f.Floors[set][s.Name]
		for _, name := range slices.Sorted(maps.Keys(floors)) {
			v, ok := s.Figures[name]
			if floor := floors[name]; !ok {
				below = append(below, fmt.Sprintf("%s %s %s: no figure, floor %.2f", set, s.Name, name, floor))
			} else if 100*v < floor-f.Tolerance {
				below = append(below, fmt.Sprintf("%s %s %s: %.2f is below the floor %.2f", set, s.Name, name, 100*v, floor))
			}
		}
	}
	return below, nil
}

// Update raises the floors of the systems to their figures, rounded down to hundredths. Floors that
// would decrease, and data that would be replaced, are returned as lines and changed only if lower
// is set.
func (f *File) Update(set string, data Fingerprint, systems []System, lower bool) (down []string) {
	if old, ok := f.Sets[set]; ok && old != data {
		down = append(down, fmt.Sprintf("%s: floors of other data (%v, now %v)", set, old, data))
		if !lower {
			return down
		}
	}
	f.Sets[set] = data
	if f.Floors[set] == nil {
		f.Floors[set] = map[string]map[string]float64{}
	}
	for _, s := range systems {
		floors := f.Floors[set][s.Name]
		if floors == nil {
			floors = map[string]float64{}
			f.Floors[set][s.Name] = floors
		}
		for _, name := range slices.Sorted(maps.Keys(s.Figures)) {
			now := math.Floor(float64(1e4*s.Figures[name])+1e-9) / 100
			if old, ok := floors[name]; ok && now < old {
				down = append(down, fmt.Sprintf("%s %s %s: from %.2f to %.2f", set, s.Name, name, old, now))
				if !lower {
					continue
				}
			}
			floors[name] = now
		}
	}
	return down
}

// Write writes the floors to a file.
func (f *File) Write(path string) error {
	return files.WriteJSON(path, f, " ")
}

// Of returns the sorted names of the sets of a task with floors, without the task; the sets for
// cleaning for "".
func (f *File) Of(task string) []string {
	var names []string
	for _, set := range slices.Sorted(maps.Keys(f.Floors)) {
		t, name, ok := strings.Cut(set, "/")
		if !ok {
			t, name = "", set
		}
		if t == task {
			names = append(names, name)
		}
	}
	return names
}

// Systems returns the sorted names of the systems with floors on a set.
func (f *File) Systems(set string) []string { return slices.Sorted(maps.Keys(f.Floors[set])) }
