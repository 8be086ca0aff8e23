package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
)

// filesIn returns the files that settings name, such as models and lists: all strings in the
// settings that are the name of a regular file.
func filesIn(settings ...any) (names []string) {
	b, err := json.Marshal(settings)
	if err != nil {
		panic(err) // plain data
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		panic(err) // just marshalled
	}
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case string:
			if st, err := os.Stat(x); err == nil && st.Mode().IsRegular() {
				names = append(names, x)
			}
		case []any:
			for _, v := range x {
				walk(v)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				walk(x[k])
			}
		}
	}
	walk(tree)
	return names
}

// contents returns the hash of each file that the settings of a step name.
func (b *builder) contents(s *step) (map[string]string, error) {
	list := map[string]string{}
	for _, name := range s.names {
		key := name + "\n" + stateOf(name)
		if b.hashed[key] == "" {
			h := sha256.New()
			if _, err := hashFile(context.Background(), h, name); err != nil {
				return nil, fmt.Errorf("names in the recipe: %w", err)
			}
			b.hashed[key] = hex.EncodeToString(h.Sum(nil))
		}
		list[name] = b.hashed[key]
	}
	return list, nil
}

// changedFile returns the first file whose hash changed, or "".
func changedFile(was, is map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] != is[name] {
			return name
		}
	}
	return ""
}
