package input

import (
	"io"
	"math"
	"os"
)

// arrivingFile reads a file that is being fetched.
type arrivingFile struct {
	file    *os.File
	arrival Arrival
	at      int64
	there   int64 // offset up to which the file is there
}

// Read waits for the next bytes.
func (f *arrivingFile) Read(b []byte) (int, error) {
	if f.at >= f.there {
		var err error
		if f.there, err = f.arrival.Wait(f.at + 1); err != nil {
			return 0, err
		}
	}
	if f.there > f.at { // else at the end
		b = b[:min(int64(len(b)), f.there-f.at)]
	}
	n, err := f.file.Read(b)
	f.at += int64(n)
	return n, err
}

// Seek moves to an offset.
func (f *arrivingFile) Seek(offset int64, whence int) (int64, error) {
	at, err := f.file.Seek(offset, whence)
	if err == nil {
		f.at = at
	}
	return at, err
}

// arrive waits for the whole file, for formats with a table of contents at its end.
func (o *opener) arrive() error {
	if o.arrival == nil {
		return nil
	}
	_, err := o.arrival.Wait(math.MaxInt64)
	return err
}

var _ io.ReadSeeker = (*arrivingFile)(nil)
