package archive

import (
	"fmt"
	"io"
)

// maxRead bounds what ReadAll holds: no file of gold text, labels or settings is as long.
var maxRead int64 = 256 << 20

// ReadAll reads a file that is held as a whole, such as one of [Walk]. One of more than 256 MiB
// is an error.
func ReadAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxRead+1))
	if err == nil && int64(len(b)) > maxRead {
		return nil, fmt.Errorf("more than %d bytes in one file: cut it into several", maxRead)
	}
	return b, err
}
