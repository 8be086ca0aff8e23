package gold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/internal/archive"
)

// ErrNoSets means that a folder has no evaluation sets.
var ErrNoSets = errors.New("name the data folder")

// Sets returns the sorted names of the sets in a data folder.
func Sets(data string) ([]string, error) {
	var names []string
	for _, dir := range []string{filepath.Join(data, "eval"), data} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := SetName(e.Name())
			if e.IsDir() {
				if _, err := os.Stat(filepath.Join(dir, name, "meta.jsonl")); err != nil {
					continue
				}
			} else if name == e.Name() {
				continue
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			slices.Sort(names)
			return slices.Compact(names), nil
		}
	}
	return nil, fmt.Errorf("%s: no evaluation sets (folders or archives, here or below eval/): %w", data, ErrNoSets)
}

// SetName returns the name of the set in a folder or an archive.
func SetName(path string) string {
	return archive.Stem(filepath.Base(path))
}

// find returns the path of a set: name if it is a path, otherwise a folder or archive called name
// in data/eval or data. Folders take precedence.
func find(data, name string) (string, error) {
	places := []string{filepath.Join(data, "eval", name), filepath.Join(data, name)}
	if strings.ContainsAny(name, `/\`) {
		places = []string{name}
	}
	for _, p := range places {
		if found, err := archive.Find(p); err == nil {
			return found, nil
		}
	}
	msg := fmt.Sprintf("set %s: neither folder nor archive in %s", name, data)
	if known, err := Sets(data); err == nil {
		return "", fmt.Errorf("%s: there are %s", msg, strings.Join(known, ", "))
	}
	return "", fmt.Errorf("%s: %w", msg, ErrNoSets)
}
