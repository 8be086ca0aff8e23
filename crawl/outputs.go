package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// outputs holds the archives and the records of a crawl. Bytes are appended in the order of
// the journal, so that a journal determines the valid length of each file.
type outputs struct {
	dir     string
	size    int64 // size from which a new archive is started
	head    func(name string) ([]byte, error)
	at      ends
	archive *disk.File
	text    *disk.File
}

// openOutputs opens the outputs of a folder and truncates them to the lengths in at. head
// returns the first record of an archive.
func openOutputs(dir string, at ends, size int64, head func(name string) ([]byte, error)) (*outputs, error) {
	o := &outputs{dir: dir, size: size, head: head, at: at}
	var err error
	if o.text, err = reopen(textName(dir), at.Text); err != nil {
		return nil, err
	}
	for n := at.Warc + 1; ; n++ { // archives started after that place
		err := disk.Remove(o.archiveName(n))
		if errors.Is(err, os.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if at.Warc > 0 {
		o.archive, err = reopen(o.archiveName(at.Warc), at.Size)
	}
	return o, err
}

// reopen opens a file of at least length bytes and truncates it to length, to append to it.
func reopen(name string, length int64) (*disk.File, error) {
	f, err := disk.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() < length {
		err = fmt.Errorf("%s: %d bytes, wanted at least %d by the journal: the file was changed", name, info.Size(), length)
	}
	if err == nil {
		err = f.Truncate(length)
	}
	if err == nil {
		_, err = f.Seek(length, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (o *outputs) archiveName(number int) string { return archiveName(o.dir, number) }

func archiveName(dir string, number int) string {
	return filepath.Join(dir, "warc", archiveBase(number))
}

// archivePattern is the name of an archive with its number.
const archivePattern = "crawl-%05d.warc.gz"

func archiveBase(number int) string { return fmt.Sprintf(archivePattern, number) }

func textName(dir string) string { return filepath.Join(dir, "text.jsonl") }

// addArchive appends packed records and returns the file and the offset of the first record.
func (o *outputs) addArchive(b []byte) (name string, offset int64, err error) {
	if o.archive == nil || o.at.Size >= o.size {
		if err := o.nextArchive(); err != nil {
			return "", 0, err
		}
	}
	offset = o.at.Size
	n, err := o.archive.Write(b)
	o.at.Size += int64(n)
	return archiveBase(o.at.Warc), offset, err
}

func (o *outputs) nextArchive() error {
	if o.archive != nil {
		if err := errors.Join(o.archive.Sync(), o.archive.Close()); err != nil {
			return err
		}
	}
	o.at.Warc++
	o.at.Size = 0
	var err error
	if o.archive, err = disk.Create(o.archiveName(o.at.Warc)); err != nil {
		return err
	}
	b, err := o.head(archiveBase(o.at.Warc))
	if err != nil {
		return err
	}
	n, err := o.archive.Write(b)
	o.at.Size += int64(n)
	return err
}

// addText appends a record.
func (o *outputs) addText(b []byte) error {
	n, err := o.text.Write(b)
	o.at.Text += int64(n)
	return err
}

// urlAt returns the URL of the record that begins at an offset; "" if it was removed.
func (o *outputs) urlAt(at int64) (string, error) {
	line, err := readLine(bufio.NewReader(io.NewSectionReader(o.text, at, o.at.Text-at)), nil)
	var r struct{ URL string }
	if err == nil && len(bytes.TrimSpace(line)) == 0 {
		return "", nil
	}
	if err = cmp.Or(err, json.Unmarshal(line, &r)); err != nil {
		return "", fmt.Errorf("%s: byte %d: no record at this place: %w", filepath.Join(o.dir, "text.jsonl"), at, err)
	}
	return r.URL, nil
}

// sync writes all files to stable storage.
func (o *outputs) sync() error {
	err := o.text.Sync()
	if o.archive != nil {
		err = errors.Join(err, o.archive.Sync())
	}
	return err
}

func (o *outputs) close() error {
	err := o.text.Close()
	if o.archive != nil {
		err = errors.Join(err, o.archive.Close())
	}
	return err
}
