package archive

import (
	"fmt"
	"io"
	"os"
)

// maxRead bounds what ReadAll and ReadFile hold: no file of gold text, labels or settings is as long.
var maxRead int64 = 256 << 20

// ReadAll reads a file that is held as a whole, such as one of [Walk]. One of more than 256 MiB
// is an error.
func ReadAll(r io.Reader) ([]byte, error) { return ReadLimited(r, maxRead) }

// ReadLimited reads a file of at most limit bytes. A longer one is an error.
func ReadLimited(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, tooLong(limit)
	}
	return b, err
}

// ReadFile reads the named file, as os.ReadFile does. One of more than 256 MiB is an error.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err == nil && st.Mode().IsRegular() && st.Size() > maxRead {
		err = tooLong(maxRead) // no byte of it is read
	}
	var b []byte
	if err == nil {
		b, err = ReadAll(f)
	}
	if _, named := err.(*os.PathError); err != nil && !named {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return b, err
}

func tooLong(limit int64) error {
	return fmt.Errorf("more than %d bytes in one file, which is the limit: cut it into several, or give a smaller one", limit)
}
