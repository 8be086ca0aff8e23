package clean

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
)

// Floors are the figures that must not be fallen below, in percent, with the
// data that they were measured on.
type Floors struct {
	// Tolerance is how far below a floor a figure may lie, in points.
	Tolerance float64 `json:"tolerance"`
	// Sets holds the data, by set.
	Sets map[string]Fingerprint `json:"sets"`
	// Floors is set, system, metric.
	Floors map[string]map[string]map[string]float64 `json:"floors"`
}

// Fingerprint tells whether data are the same.
type Fingerprint struct {
	SHA256    string `json:"sha256"`
	Pages     int    `json:"pages"`
	GoldWords int    `json:"gold_words"`
}

// Fingerprint returns that of the set as it was read; it is meaningful only
// before [Set.Only].
func (s *Set) Fingerprint() Fingerprint {
	f := Fingerprint{SHA256: s.SHA256, Pages: len(s.Pages)}
	for _, g := range s.Pages {
		f.GoldWords += len(alignmentWords(g.Text))
	}
	return f
}

// floored are the metrics that get floors, as far as they apply.
var floored = []string{"lev", "w_p", "w_r", "w_f", "rg_f", "sh_f", "bw_f", "sn_with", "sn_without", "tag_f", "seg_f", "seg_acc"}

// ReadFloors reads a file of floors; a missing file has none.
func ReadFloors(path string) (*Floors, error) {
	f := &Floors{Tolerance: 0.1, Sets: map[string]Fingerprint{}, Floors: map[string]map[string]map[string]float64{}}
	b, err := os.ReadFile(path)
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

// Check compares results on s with the floors. It returns a line for each
// figure below its floor, and an error if the data are not those of the
// floors. Systems without floors pass.
func (f *Floors) Check(s *Set, results []*Result) (below []string, err error) {
	want, ok := f.Sets[s.Name]
	if !ok {
		return nil, nil
	}
	if got := s.Fingerprint(); got != want {
		return nil, fmt.Errorf("set %s: %d pages, %d gold words, sha256 %.12s…; the floors were measured on %d pages, %d gold words, sha256 %.12s…: measure anew with --update-floors",
			s.Name, got.Pages, got.GoldWords, got.SHA256, want.Pages, want.GoldWords, want.SHA256)
	}
	for _, r := range results {
		floors := f.Floors[s.Name][r.System]
		for _, name := range floored {
			floor, ok := floors[name]
			if !ok {
				continue
			}
			v, ok := r.Values[name]
			if !ok {
				below = append(below, fmt.Sprintf("%s %s %s: no figure, floor %.2f", s.Name, r.System, name, floor))
			} else if 100*v.Value < floor-f.Tolerance {
				below = append(below, fmt.Sprintf("%s %s %s: %.2f is below the floor %.2f", s.Name, r.System, name, 100*v.Value, floor))
			}
		}
	}
	return below, nil
}

// Update sets the floors of the systems to their results, rounded down to
// hundredths. Floors go up on their own; the ones that would go down, and data
// that would be replaced, are returned as lines and changed only if lower is
// set.
func (f *Floors) Update(s *Set, results []*Result, lower bool) (down []string) {
	if old, ok := f.Sets[s.Name]; ok && old != s.Fingerprint() {
		down = append(down, fmt.Sprintf("%s: floors of other data (sha256 %.12s…, now %.12s…)", s.Name, old.SHA256, s.SHA256))
		if !lower {
			return down
		}
	}
	f.Sets[s.Name] = s.Fingerprint()
	if f.Floors[s.Name] == nil {
		f.Floors[s.Name] = map[string]map[string]float64{}
	}
	for _, r := range results {
		floors := f.Floors[s.Name][r.System]
		if floors == nil {
			floors = map[string]float64{}
			f.Floors[s.Name][r.System] = floors
		}
		for _, name := range floored {
			v, ok := r.Values[name]
			if !ok {
				continue
			}
			now := math.Floor(1e4*v.Value+1e-9) / 100
			if old, ok := floors[name]; ok && now < old {
				down = append(down, fmt.Sprintf("%s %s %s: from %.2f to %.2f", s.Name, r.System, name, old, now))
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
func (f *Floors) Write(path string) error {
	b, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o666)
}

// Systems returns the names of the systems that have floors on a set, in order.
func (f *Floors) Systems(set string) []string {
	var names []string
	for name := range f.Floors[set] {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
