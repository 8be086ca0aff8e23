package dedup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// idState is the entry of the files of ids in the manifest.
type idState struct {
	Bytes    int64
	Sum, Off uint32 // CRC-32C of the files .dat and .off
}

// workIDs begins the names of the files of ids in a work folder.
const workIDs = "ids"

// idWriter appends the ids of documents to a file .dat, and to a file .off where
// each ends (8 bytes).
type idWriter struct {
	idState
	dat, off *disk.File
	w, o     *bufio.Writer
}

func openIDs(dir, name string, s idState, docs int64) (*idWriter, error) {
	w := &idWriter{idState: s}
	var err error
	if w.dat, err = openAt(filepath.Join(dir, name+".dat"), s.Bytes); err != nil {
		return nil, err
	}
	if w.off, err = openAt(filepath.Join(dir, name+".off"), 8*docs); err != nil {
		return nil, errors.Join(err, w.dat.Close())
	}
	w.w, w.o = bufio.NewWriterSize(w.dat, 1<<16), bufio.NewWriterSize(w.off, 1<<16)
	return w, nil
}

// openAt opens a file to append at offset n and truncates it there.
func openAt(name string, n int64) (*disk.File, error) {
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.Size() < n {
		err = &damage{name, fmt.Errorf("%d bytes, wanted at least %d", st.Size(), n)}
	}
	if err == nil {
		err = f.Truncate(n)
	}
	if err == nil {
		_, err = f.Seek(n, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (w *idWriter) add(id string) error {
	var end [8]byte
	w.Bytes += int64(len(id))
	binary.BigEndian.PutUint64(end[:], uint64(w.Bytes))
	w.Sum = crc32.Update(w.Sum, castagnoli, []byte(id))
	w.Off = crc32.Update(w.Off, castagnoli, end[:])
	_, err := w.w.WriteString(id)
	if err == nil {
		_, err = w.o.Write(end[:])
	}
	return err
}

func (w *idWriter) sync() error {
	for _, b := range []*bufio.Writer{w.w, w.o} {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return errors.Join(w.dat.Sync(), w.off.Sync())
}

func (w *idWriter) close() error { return errors.Join(w.dat.Close(), w.off.Close()) }

// checkIDs compares the files with their entry in the manifest.
func checkIDs(dir, name string, s idState, docs int64) error {
	for _, x := range []struct {
		name string
		n    int64
		sum  uint32
	}{{name + ".dat", s.Bytes, s.Sum}, {name + ".off", 8 * docs, s.Off}} {
		name := filepath.Join(dir, x.name)
		f, err := os.Open(name)
		if err != nil {
			return &damage{name, errors.Unwrap(err)}
		}
		sum := crc32.New(castagnoli)
		n, err := io.Copy(sum, io.LimitReader(f, x.n))
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		if n != x.n || sum.Sum32() != x.sum {
			return &damage{name, errors.New("checksum does not match")}
		}
	}
	return nil
}

// ids reads single ids.
type ids struct{ dat, off *os.File }

func readIDs(dir, name string) (*ids, error) {
	dat, err := os.Open(filepath.Join(dir, name+".dat"))
	if err != nil {
		return nil, err
	}
	off, err := os.Open(filepath.Join(dir, name+".off"))
	if err != nil {
		return nil, errors.Join(err, dat.Close())
	}
	return &ids{dat, off}, nil
}

// at returns the id of document n.
func (x *ids) at(n int64) (string, error) {
	var b [16]byte
	at := b[:]
	if n == 0 {
		at = b[8:]
	}
	if _, err := x.off.ReadAt(at, max(8*(n-1), 0)); err != nil {
		return "", fmt.Errorf("%s: id of document %d: %w", x.off.Name(), n, err)
	}
	from, to := binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
	if to < from || to-from > 1<<30 {
		return "", &damage{x.off.Name(), fmt.Errorf("no place of document %d", n)}
	}
	id := make([]byte, to-from)
	if _, err := x.dat.ReadAt(id, int64(from)); err != nil && len(id) > 0 {
		return "", fmt.Errorf("%s: id of document %d: %w", x.dat.Name(), n, err)
	}
	return string(id), nil
}

func (x *ids) close() error { return errors.Join(x.dat.Close(), x.off.Close()) }

// eachID calls do with the ids of the first docs documents, in order.
func eachID(dir, name string, docs int64, do func(doc int64, id []byte) error) error {
	x, err := readIDs(dir, name)
	if err != nil {
		return err
	}
	defer x.close()
	dat, off := bufio.NewReaderSize(x.dat, 1<<16), bufio.NewReaderSize(x.off, 1<<16)
	var id []byte
	var at uint64
	for doc := range docs {
		var b [8]byte
		if _, err := io.ReadFull(off, b[:]); err != nil {
			return fmt.Errorf("%s: id of document %d: %w", x.off.Name(), doc, err)
		}
		end := binary.BigEndian.Uint64(b[:])
		if end < at || end-at > 1<<30 {
			return fmt.Errorf("%s: damaged at document %d", x.off.Name(), doc)
		}
		id = append(id[:0], make([]byte, end-at)...)
		if _, err := io.ReadFull(dat, id); err != nil {
			return fmt.Errorf("%s: id of document %d: %w", x.dat.Name(), doc, err)
		}
		at = end
		if err := do(doc, id); err != nil {
			return err
		}
	}
	return nil
}
