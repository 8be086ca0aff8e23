package packed

import (
	"path/filepath"
	"strings"
)

// Suffix returns what names of files of the kind end in, such as ".gz".
func (k Kind) Suffix() string { return kinds[k].suffix }

// Writes tells whether a [Writer] packs so.
func (k Kind) Writes() bool { return k == Gzip || k == Zstd }

// CutSuffix returns the packing that the end of a file's name promises, Plain
// for none, and the name without it.
func CutSuffix(name string) (k Kind, rest string) {
	ext := filepath.Ext(name)
	for k := Gzip; int(k) < len(kinds); k++ {
		if strings.EqualFold(ext, k.Suffix()) && len(ext) < len(filepath.Base(name)) {
			return k, name[:len(name)-len(ext)]
		}
	}
	return Plain, name
}

// WrittenSuffixes are the suffixes of what a [Writer] packs, as a list for
// messages.
func WrittenSuffixes() string {
	var list []string
	for k := Plain; int(k) < len(kinds); k++ {
		if k.Writes() {
			list = append(list, k.Suffix())
		}
	}
	return strings.Join(list, " or ")
}
