package archive

import (
	"fmt"
	"io"
	"os"
)

// maxRead limits the size of files for ReadAll and ReadFile. Files of gold text, labels and
// settings are smaller.
var maxRead int64 = 256 << 20

// ReadAll reads r to its end. More than 256 MiB are an error.
func ReadAll(r io.Reader) ([]byte, error) { return ReadLimited(r, maxRead) }

// ReadLimited reads r to its end. More than limit bytes are an error.
func ReadLimited(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, tooLong(limit)
	}
	return b, err
}

// ReadFile reads the named file like os.ReadFile. A file of more than 256 MiB is an error.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err == nil && st.Mode().IsRegular() && st.Size() > maxRead {
		err = tooLong(maxRead) // reject the file without reading it
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
