package input

import "chaffinch/internal/files"

// Identity returns a hash of the list of files with their sizes and modification times. Two
// Readers with the same Identity read the same pages, as far as this can be determined without
// reading them.
func (r *Reader) Identity() string {
	return files.Identity(r.files.List)
}
