package build

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed recipes/*.yaml
var bundled embed.FS

// BundledNames are the names of the recipes that come along.
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

// Bundled returns a recipe that comes along, as it stands in its file. The error over
// another name has the nearest one.
func Bundled(name string) ([]byte, error) {
	b, err := bundled.ReadFile(path.Join("recipes", name+".yaml"))
	if err != nil {
		err = fmt.Errorf("no recipe of that name comes along: take one of %s", strings.Join(BundledNames(), ", "))
		return nil, nearest(err, name, BundledNames())
	}
	return b, nil
}
