package files

import (
	"fmt"
	"os"

	"chaffinch/internal/disk"
	"chaffinch/internal/packed"
)

// Queue iterates over the files of a list with one file open at a time, and counts the bytes read.
// It is not safe for concurrent use, except for Progress.
type Queue struct {
	List []File
	// At is the index of the current file, len(List) after the last one.
	At int
	// File is the current file once it is open, nil for standard input.
	File *os.File
	// In decompresses File. It is nil before the first read.
	In *packed.Reader

	total    int64 // bytes of all files, -1 if unknown
	progress progress
}

// NewQueue returns a queue at the first file of list.
func NewQueue(list []File) *Queue {
	q := &Queue{List: list}
	for _, f := range list {
		if f.Size < 0 {
			q.total = -1
			break
		}
		q.total += f.bytes()
	}
	return q
}

// Ended reports whether no file is left.
func (q *Queue) Ended() bool { return q.At >= len(q.List) }

// Current returns the current file, or a File without a name after the last one.
func (q *Queue) Current() File {
	if q.Ended() {
		return File{}
	}
	return q.List[q.At]
}

// Open opens the current file.
func (q *Queue) Open() error {
	open := os.Open
	if q.Current().Size >= 0 {
		open = disk.OpenRegular
	}
	f, err := open(q.Current().path())
	if err != nil {
		return Cause(err)
	}
	q.File = f
	return nil
}

// Read sets the reader that decompresses the current file. Drop closes it.
func (q *Queue) Read(in *packed.Reader) {
	q.In = in
	q.progress.read(in, q.Current().From)
}

// drop closes the current file without moving to the next.
func (q *Queue) drop() {
	q.progress.read(nil, 0)
	if q.In != nil {
		q.In.Close()
	}
	if q.File != nil {
		q.File.Close()
	}
	q.In, q.File = nil, nil
}

// Pass closes the current file and moves to the next.
func (q *Queue) Pass() {
	q.progress.pass(q.List[q.At].bytes())
	q.drop()
	q.At++
}

// Seek moves to the file at index at. name is its name when the position was stored.
func (q *Queue) Seek(at int, name string) error {
	passed, err := before(q.List, at, name)
	if err != nil {
		return err
	}
	q.drop()
	q.progress.begin(passed)
	q.At = at
	return nil
}

// Close closes the current file and ends the queue.
func (q *Queue) Close() {
	q.drop()
	q.At = len(q.List)
}

// Progress returns the number of bytes read, and their total, -1 if unknown. It may be called at
// any time.
func (q *Queue) Progress() (done, total int64) { return q.progress.done(), q.total }

// before returns the number of bytes to read of the files before index at of the list. name is the name of the
// file at that index when the position was stored, "" after the last file.
func before(list []File, at int, name string) (bytes int64, err error) {
	found := ""
	if at >= 0 && at < len(list) {
		found = list[at].Name
	}
	if at < 0 || at > len(list) || found != name {
		return 0, fmt.Errorf("the inputs have changed: file %d was %q and is %q: start over without resuming", at+1, name, found)
	}
	for _, f := range list[:at] {
		bytes += f.bytes()
	}
	return bytes, nil
}
