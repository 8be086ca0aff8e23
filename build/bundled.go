package build

import (
	"embed"
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

// Bundled returns a recipe that comes along, as it stands in its file.
func Bundled(name string) ([]byte, bool) {
	b, err := bundled.ReadFile(path.Join("recipes", name+".yaml"))
	return b, err == nil
}
