package beam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"chaffinch/internal/disk"
)

// Parcel is a part of a file that is sent from one task to another.
type Parcel struct {
	// File is the slash-separated path in the receiving task's folder.
	File string
	// At is the offset of the part in the file.
	At   int64
	Data []byte
}

// parcelBytes is the maximum data size of a parcel: runners hold several in memory.
const parcelBytes = 256 << 10

func init() {
	beam.RegisterCoder(reflect.TypeFor[Parcel](), encodeParcel, decodeParcel)
}

// encodeParcel encodes a parcel. The default JSON encoding of Beam would write its data in base64.
func encodeParcel(p Parcel) []byte {
	b := make([]byte, 0, 2*binary.MaxVarintLen64+len(p.File)+len(p.Data))
	b = binary.AppendUvarint(b, uint64(p.At))
	b = binary.AppendUvarint(b, uint64(len(p.File)))
	b = append(b, p.File...)
	return append(b, p.Data...)
}

// decodeParcel decodes the output of encodeParcel.
func decodeParcel(b []byte) (p Parcel, err error) {
	at, n := binary.Uvarint(b)
	if n <= 0 {
		return p, errParcel
	}
	b = b[n:]
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return p, errParcel
	}
	b = b[n:]
	return Parcel{File: string(b[:length]), At: int64(at), Data: b[length:]}, nil
}

var errParcel = errors.New("beam: not a parcel: workers of another version of the program?")

// send sends the files of the folder dir for unpacking in the folder as.
func send(dir, as string, emit func(Parcel)) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		return sendFile(file, as+"/"+filepath.ToSlash(rel), emit)
	})
}

func sendFile(file, as string, emit func(Parcel)) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	for at := int64(0); ; {
		b := make([]byte, parcelBytes)
		n, err := io.ReadFull(in, b)
		if n > 0 || at == 0 {
			emit(Parcel{as, at, b[:n]})
		}
		at += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unpack writes parcels, in any order, to a folder.
func unpack(dir string, next func(*Parcel) bool) error {
	var p Parcel
	for next(&p) {
		if !filepath.IsLocal(filepath.FromSlash(p.File)) {
			return fmt.Errorf("%w: file %q", errParcel, p.File)
		}
		if err := unpackOne(filepath.Join(dir, filepath.FromSlash(p.File)), &p); err != nil {
			return err
		}
	}
	return nil
}

func unpackOne(name string, p *Parcel) error {
	if err := disk.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	f, err := disk.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(p.Data, p.At)
	return errors.Join(err, f.Close())
}
