package build

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed recipes/*.yaml
var bundled embed.FS

// BundledNames returns the names of the bundled recipes.
func BundledNames() (names []string) {
	entries, err := bundled.ReadDir("recipes")
	if err != nil {
		panic(err) // embedded
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Bundled returns the content of a bundled recipe. The error for an unknown name suggests
// the nearest name.
func Bundled(name string) ([]byte, error) {
	b, err := bundled.ReadFile(path.Join("recipes", name+".yaml"))
	if err != nil {
		err = fmt.Errorf("no embedded recipe has this name: take one of %s", strings.Join(BundledNames(), ", "))
		return nil, nearest(err, name, BundledNames())
	}
	return b, nil
}
