package packed

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Suffix returns the suffix of the names of files of the kind, such as ".gz".
func (k Kind) Suffix() string { return kinds[k].suffix }

// writes reports whether a [Writer] supports the kind.
func (k Kind) writes() bool { return k == Gzip || k == Zstd }

// CutSuffix returns the kind for the suffix of a file name, Plain if it has none, and the name
// without the suffix.
func CutSuffix(name string) (k Kind, rest string) {
	ext := filepath.Ext(name)
	for k := Gzip; int(k) < len(kinds); k++ {
		if strings.EqualFold(ext, k.Suffix()) && len(ext) < len(filepath.Base(name)) {
			return k, name[:len(name)-len(ext)]
		}
	}
	return Plain, name
}

// WrittenSuffixes returns the suffixes of the kinds that a [Writer] supports, as a list for
// messages.
func WrittenSuffixes() string {
	var list []string
	for k := Plain; int(k) < len(kinds); k++ {
		if k.writes() {
			list = append(list, k.Suffix())
		}
	}
	return strings.Join(list, " or ")
}

// CheckName returns an error if the suffix of an output's name is a compression format that cannot be
// written.
func CheckName(name string) error {
	if kind, _ := CutSuffix(name); kind != Plain && !kind.writes() {
		return fmt.Errorf("output %s: %s is not written: take %s, or pack it afterwards", name, kind, WrittenSuffixes())
	}
	return nil
}
