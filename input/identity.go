package input

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// Identity returns a hash of the list of files with their sizes and times of
// change: two Readers with the same Identity read the same pages, as far as
// can be told without reading them.
func (r *Reader) Identity() string {
	h := sha256.New()
	for _, f := range r.files {
		fmt.Fprintf(h, "%q %d", f.name, f.size)
		if st, err := os.Stat(f.name); err == nil && st.Mode().IsRegular() {
			fmt.Fprintf(h, " %d %d", st.Size(), st.ModTime().UnixNano())
		}
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil))
}
