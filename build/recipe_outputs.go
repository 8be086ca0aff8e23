package build

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/text/langid"
)

// checkExports returns the first error in the exports, and its path.
func (r *Recipe) checkExports() (path string, err error) {
	var taken []string
	if r.Vertical != nil {
		taken = append(taken, r.Vertical.File)
	}
	if r.Index != nil {
		taken = append(taken, r.Index.Folder)
	}
	for i := range r.Exports {
		e := &r.Exports[i]
		at := fmt.Sprintf("exports[%d]", i)
		if err := ownPlace(e.File); err != nil {
			return at + ".file", fmt.Errorf("exports.file: %w", err)
		}
		if n := slices.IndexFunc(taken, func(other string) bool { return overlap(other, e.File) }); n >= 0 {
			return at + ".file", fmt.Errorf("exports.file: %s, where the build also writes %s: wanted another name", e.File, taken[n])
		}
		taken = append(taken, e.File)
		out, err := e.output()
		if err != nil {
			return at, fmt.Errorf("exports: %w", err)
		}
		if _, _, err := recipe.Convert(recipe.ConvertOptions{Output: out}).Build(); err != nil {
			return at, fmt.Errorf("exports: %w", err)
		}
	}
	return r.CheckLangs()
}

// CheckLangs returns an error if the cleaning retains no language of an export, and the path of the export.
func (r *Recipe) CheckLangs() (path string, err error) {
	for i, e := range r.Exports {
		if len(r.Clean.Langs) > 0 && len(e.Langs) > 0 && !slices.ContainsFunc(e.Langs, r.retains) {
			return fmt.Sprintf("exports[%d].langs", i), fmt.Errorf("exports.langs: %s would be empty: its languages are %s, and clean retains only %s",
				e.File, strings.Join(e.Langs, ", "), strings.Join(r.Clean.Langs, ", "))
		}
	}
	return "", nil
}

// retains reports whether the cleaning retains text in a language or in one of its varieties.
func (r *Recipe) retains(lang string) bool {
	return slices.ContainsFunc(r.Clean.Langs, func(s string) bool {
		w, err := langid.ParseWanted(s)
		return err != nil || langid.Covers(w.Lang, lang) || langid.Covers(lang, w.Lang)
	})
}

// overlap reports whether two files or folders are the same, or one is inside of the other.
func overlap(a, b string) bool {
	return isIn(a, b) || isIn(b, a)
}

// isIn reports whether a is b or inside of b.
func isIn(a, b string) bool {
	rel, err := filepath.Rel(b, a)
	return err == nil && filepath.IsLocal(rel)
}

// ownNames are the names that a build reserves in its folder.
var ownNames = []string{stepsFolder, StateName, reportName, lockName}

// ownPlace returns an error if name is outside the folder of the build or reserved.
func ownPlace(name string) error {
	switch {
	case name == "":
		return errors.New("no name, wanted one such as corpus.jsonl.zst")
	case !filepath.IsLocal(name):
		return fmt.Errorf("%q leads out of the folder of the build: wanted a name in it", name)
	case filepath.Clean(name) == ".":
		return fmt.Errorf("%q is the folder of the build: wanted a name in it", name)
	}
	if first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(name)), "/"); slices.Contains(ownNames, first) {
		return fmt.Errorf("%q: the build itself uses the name %s: wanted another name", name, first)
	}
	return nil
}
