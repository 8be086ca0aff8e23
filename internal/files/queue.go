package files

import (
	"fmt"
	"os"

	"chaffinch/internal/packed"
)

// Queue goes through the files of a list, of which one is open at a time, and
// counts what is read of them. It is not safe for concurrent use, but Progress
// is.
type Queue struct {
	List []File
	// At is the index of the file at hand, len(List) behind the last one.
	At int
	// File is that file once it is open, nil for standard input.
	File *os.File
	// In unpacks it, nil before anything is read.
	In *packed.Reader

	total    int64 // bytes of all files, -1 if unknown
	progress progress
}

// NewQueue returns a queue that stands before the first file of list.
func NewQueue(list []File) *Queue {
	q := &Queue{List: list}
	for _, f := range list {
		if f.Size < 0 {
			q.total = -1
			break
		}
		q.total += f.Size
	}
	return q
}

// Ended tells that no file is left.
func (q *Queue) Ended() bool { return q.At >= len(q.List) }

// Here returns the file at hand, one without a name behind the last one.
func (q *Queue) Here() File {
	if q.Ended() {
		return File{}
	}
	return q.List[q.At]
}

// Open opens the file at hand.
func (q *Queue) Open() error {
	f, err := os.Open(q.Here().path())
	if err != nil {
		return Cause(err)
	}
	q.File = f
	return nil
}

// Read tells what unpacks the file at hand; Drop closes it.
func (q *Queue) Read(in *packed.Reader) {
	q.In = in
	q.progress.read(in)
}

// Drop closes what is open, without going on.
func (q *Queue) Drop() {
	q.progress.read(nil)
	if q.In != nil {
		q.In.Close()
	}
	if q.File != nil {
		q.File.Close()
	}
	q.In, q.File = nil, nil
}

// Pass closes what is open and goes on to the next file.
func (q *Queue) Pass() {
	q.progress.pass(q.List[q.At].Size)
	q.Drop()
	q.At++
}

// Seek goes to the file at index at, which had that name when the place was
// noted.
func (q *Queue) Seek(at int, name string) error {
	passed, err := before(q.List, at, name)
	if err != nil {
		return err
	}
	q.Drop()
	q.progress.begin(passed)
	q.At = at
	return nil
}

// Close closes what is open; no file is left.
func (q *Queue) Close() {
	q.Drop()
	q.At = len(q.List)
}

// Progress returns how many bytes of the files are read, and how many there are,
// -1 if that is not known. It may be called at any time.
func (q *Queue) Progress() (done, total int64) { return q.progress.done(), q.total }

// before returns the bytes of the files before the one at index at of the list,
// which had that name when the place was noted, "" behind the last one.
func before(list []File, at int, name string) (bytes int64, err error) {
	found := ""
	if at >= 0 && at < len(list) {
		found = list[at].Name
	}
	if at < 0 || at > len(list) || found != name {
		return 0, fmt.Errorf("the inputs have changed: file %d was %q and is %q: start over without resuming", at+1, name, found)
	}
	for _, f := range list[:at] {
		bytes += max(f.Size, 0)
	}
	return bytes, nil
}
