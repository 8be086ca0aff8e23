package dedup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/pipeline"
)

// keptName is a file of the work folder that lists, for an index, which documents
// stay. Each document has one byte, 1 if it stays, and 8 bytes. These are 0 if it stays
// whole, else 1 plus an offset in cutsName. At the offset are the number of paragraphs
// (4 bytes) and a bit for each paragraph, 1 if it was dropped.
const (
	keptName   = "kept.dat"
	cutsName   = "cuts.dat"
	keptRecord = 9
)

// keptWriter writes both files.
type keptWriter struct {
	kept, cuts *disk.File
	k, c       *bufio.Writer
	length     int64 // of cuts
	bits       []byte
}

// openKept opens both files to append after docs documents and length bytes of cuts.
func openKept(dir string, docs, length int64) (*keptWriter, error) {
	w := &keptWriter{length: length}
	var err error
	if w.kept, err = openAt(filepath.Join(dir, keptName), keptRecord*docs); err != nil {
		return nil, err
	}
	if w.cuts, err = openAt(filepath.Join(dir, cutsName), length); err != nil {
		return nil, errors.Join(err, w.kept.Close())
	}
	w.k, w.c = bufio.NewWriterSize(w.kept, 1<<15), bufio.NewWriterSize(w.cuts, 1<<15)
	return w, nil
}

// add appends the next document.
func (w *keptWriter) add(stays bool, paras []Mark) error {
	var rec [keptRecord]byte
	if stays {
		rec[0] = 1
		w.bits = binary.BigEndian.AppendUint32(w.bits[:0], uint32(len(paras)))
		some := false
		for i, m := range paras {
			if i%8 == 0 {
				w.bits = append(w.bits, 0)
			}
			if m.Drop {
				some = true
				w.bits[4+i/8] |= 1 << (i % 8)
			}
		}
		if some {
			binary.BigEndian.PutUint64(rec[1:], uint64(w.length+1))
			w.length += int64(len(w.bits))
			if _, err := w.c.Write(w.bits); err != nil {
				return err
			}
		}
	}
	_, err := w.k.Write(rec[:])
	return err
}

// Cut returns the length of cuts.
func (w *keptWriter) Cut() (pipeline.Place, error) {
	return pipeline.Place{Length: w.length}, errors.Join(w.k.Flush(), w.c.Flush())
}

// Sync brings both files to stable storage.
func (w *keptWriter) Sync() error { return errors.Join(w.kept.Sync(), w.cuts.Sync()) }

// Publish does nothing: both files stay in the work folder.
func (w *keptWriter) Publish() error { return nil }

// Close closes both files.
func (w *keptWriter) Close() error { return errors.Join(w.kept.Close(), w.cuts.Close()) }

// keptReader reads both files.
type keptReader struct {
	stays, cut bitmap
	file, cuts *os.File
	err        error
}

func readKept(dir string, docs int64) (*keptReader, error) {
	k := &keptReader{stays: newBitmap(docs), cut: newBitmap(docs)}
	var err error
	if k.file, err = os.Open(filepath.Join(dir, keptName)); err != nil {
		return nil, err
	}
	if k.cuts, err = os.Open(filepath.Join(dir, cutsName)); err != nil {
		return nil, errors.Join(err, k.file.Close())
	}
	in := bufio.NewReaderSize(k.file, 1<<16)
	var rec [keptRecord]byte
	for doc := range docs {
		if _, err := io.ReadFull(in, rec[:]); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: document %d: %w: %w", k.file.Name(), doc, err, ErrStartOver), k.close())
		}
		if rec[0] == 1 {
			k.stays.set(doc)
		}
		if binary.BigEndian.Uint64(rec[1:]) != 0 {
			k.cut.set(doc)
		}
	}
	return k, nil
}

// dropped reports whether a paragraph of a document that stays was dropped. Errors are
// collected in k.err.
func (k *keptReader) dropped(doc int64, para int32) bool {
	if !k.cut.has(doc) || para < 0 {
		return false
	}
	var b [8]byte
	if _, err := k.file.ReadAt(b[:], keptRecord*doc+1); err != nil {
		k.err = errors.Join(k.err, err)
		return false
	}
	at := int64(binary.BigEndian.Uint64(b[:])) - 1 + 4 + int64(para/8)
	if _, err := k.cuts.ReadAt(b[:1], at); err != nil {
		k.err = errors.Join(k.err, err)
		return false
	}
	return b[0]>>(para%8)&1 != 0
}

func (k *keptReader) close() error { return errors.Join(k.file.Close(), k.cuts.Close()) }
