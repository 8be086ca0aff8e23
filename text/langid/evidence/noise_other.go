//go:build !amd64

package evidence

// read sets b to the classes of the first 64 bytes of text. After the end of text there are spaces.
func (b *block) read(text string) { b.readGo(text) }

// repeats returns the number of letters that equal the two letters before them.
func repeats(text string) int { return repeatsGo(text, 2) }
