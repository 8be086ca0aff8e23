package epochs

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"chaffinch/build/store"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"

	"github.com/klauspost/compress/zstd"
)

// Bundle collects the links and the fetched URLs of a rank in an epoch. It keeps them in files, so
// memory is bounded: 1/64 of a bundle is in memory at a time.
type Bundle struct {
	dir     string
	buckets [64]*bucket
	links   int64
}

type bucket struct {
	file *disk.File
	out  *bufio.Writer
}

// bucketParts is the number of partitions of a bucket.
const bucketParts = Partitions / 64

// NewBundle returns an empty bundle that keeps its files in a folder.
func NewBundle(dir string) *Bundle { return &Bundle{dir: dir} }

// Add adds a link, or a fetched URL if its Depth is [schedule.Fetched].
func (b *Bundle) Add(l schedule.Link) error {
	p := Partition(schedule.HostName(l.Origin))
	to := b.buckets[p/bucketParts]
	if to == nil {
		f, err := disk.Scratch(b.dir)
		if err != nil {
			return err
		}
		to = &bucket{f, bufio.NewWriterSize(f, 1<<14)}
		b.buckets[p/bucketParts] = to
	}
	if l.Depth != schedule.Fetched {
		b.links++
	}
	_, err := to.out.Write(appendLink(binary.LittleEndian.AppendUint16(nil, uint16(p)), l))
	return err
}

// Links returns the number of links, without fetched URLs.
func (b *Bundle) Links() int64 { return b.links }

// Close releases the files.
func (b *Bundle) Close() error {
	var errs []error
	for _, to := range b.buckets {
		if to != nil {
			errs = append(errs, to.file.Close())
		}
	}
	return errors.Join(errs...)
}

// appendLink appends the encoding of a link: depth, promise, kind, origin, path.
func appendLink(b []byte, l schedule.Link) []byte {
	list := byte(0)
	if l.List {
		list = 1
	}
	b = append(b, l.Depth, byte(math.Round(float64(l.Promise)*255)), list)
	b = binary.AppendUvarint(b, uint64(len(l.Origin)))
	b = append(b, l.Origin...)
	b = binary.AppendUvarint(b, uint64(len(l.Path)))
	return append(b, l.Path...)
}

// maxURL is the most bytes of an origin or a path in a bundle.
const maxURL = 1 << 16

func readLink(in *bufio.Reader) (l schedule.Link, err error) {
	var head [3]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return l, err // io.EOF: the end
	}
	l.Depth, l.Promise, l.List = head[0], float32(head[1])/255, head[2] == 1
	for _, s := range []*string{&l.Origin, &l.Path} {
		n, err := binary.ReadUvarint(in)
		if err == nil && n > maxURL {
			err = fmt.Errorf("URL of %d bytes, wanted at most %d", n, maxURL)
		}
		if err != nil {
			return l, errors.Join(io.ErrUnexpectedEOF, err)
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(in, text); err != nil {
			return l, io.ErrUnexpectedEOF
		}
		*s = string(text)
	}
	return l, nil
}

// magic begins a bundle. The length of the head follows in 4 bytes, then the head: the report as
// JSON and the lengths of the compressed partitions, in order. The partitions follow.
const magic = "chaffinch links 1\n"

type head struct {
	Report  Report  `json:"report"`
	Lengths []int64 `json:"lengths"` // a run of n empty partitions is -n
}

// write writes the bundle to a file.
func (b *Bundle) write(name string, r Report) error {
	h := head{Report: r}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return err
	}
	defer enc.Close()
	body, err := disk.Scratch(b.dir)
	if err != nil {
		return err
	}
	defer body.Close()
	for _, from := range b.buckets {
		if from == nil {
			h.add(make([][]byte, bucketParts))
			continue
		}
		parts, err := from.parts()
		if err != nil {
			return err
		}
		for i, text := range parts {
			if len(text) > 0 {
				parts[i] = enc.EncodeAll(text, nil)
			}
			if _, err := body.Write(parts[i]); err != nil {
				return err
			}
		}
		h.add(parts)
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil {
		return err
	}
	top, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return files.Replace(name, func(w io.Writer) error {
		if _, err := w.Write(append(binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(top))), top...)); err != nil {
			return err
		}
		_, err := io.Copy(w, body)
		return err
	})
}

// add appends the lengths of partitions.
func (h *head) add(parts [][]byte) {
	for _, p := range parts {
		last := len(h.Lengths) - 1
		switch {
		case len(p) > 0:
			h.Lengths = append(h.Lengths, int64(len(p)))
		case last >= 0 && h.Lengths[last] < 0:
			h.Lengths[last]--
		default:
			h.Lengths = append(h.Lengths, -1)
		}
	}
}

// offsets returns the offset of each partition from the end of the head, and of the end.
func (h *head) offsets() ([]int64, error) {
	at := []int64{0}
	for _, n := range h.Lengths {
		last := at[len(at)-1]
		switch {
		case n > 0:
			at = append(at, last+n)
		case -n > Partitions:
			return nil, errBundle
		default:
			at = append(at, slices.Repeat([]int64{last}, int(-n))...)
		}
	}
	if len(at) != Partitions+1 {
		return nil, errBundle
	}
	return at, nil
}

var errBundle = errors.New("damaged bundle: remove it, and the rank publishes it again")

// parts returns the links of the partitions of a bucket, fetched URLs first.
func (b *bucket) parts() ([][]byte, error) {
	if err := b.out.Flush(); err != nil {
		return nil, err
	}
	if _, err := b.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var known, links [bucketParts][]byte
	in := bufio.NewReaderSize(b.file, 1<<16)
	for {
		var p [2]byte
		if _, err := io.ReadFull(in, p[:]); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		l, err := readLink(in)
		if err != nil {
			return nil, err
		}
		to := &links[binary.LittleEndian.Uint16(p[:])%bucketParts]
		if l.Depth == schedule.Fetched {
			to = &known[binary.LittleEndian.Uint16(p[:])%bucketParts]
		}
		*to = appendLink(*to, l)
	}
	var all [][]byte
	for i := range known {
		all = append(all, append(known[i], links[i]...))
	}
	return all, nil
}

// maxHead bounds the bytes of the head of a bundle.
const maxHead = 1 << 20

// readHead returns the head of a bundle and the offset of its first partition.
func readHead(ctx context.Context, s store.Store, name string) (h head, start int64, err error) {
	r, err := s.Open(ctx, name, 0, -1) // closed after the head
	if err != nil {
		return h, 0, err
	}
	defer r.Close()
	top := make([]byte, len(magic)+4)
	if _, err := io.ReadFull(r, top); err != nil {
		return h, 0, fmt.Errorf("%s in %s: %w", name, s, err)
	}
	n := int64(binary.LittleEndian.Uint32(top[len(magic):]))
	if string(top[:len(magic)]) != magic || n > maxHead {
		return h, 0, fmt.Errorf("%s in %s: %w", name, s, errBundle)
	}
	text := make([]byte, n)
	if _, err = io.ReadFull(r, text); err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return h, 0, fmt.Errorf("%s in %s: %w", name, s, err)
	}
	return h, int64(len(top)) + n, nil
}

// gap is the most bytes of other partitions that are read rather than skipped by another request.
const gap = 1 << 20

// readParts calls fn for the links in the given partitions, in ascending order, of a bundle.
func readParts(ctx context.Context, s store.Store, name string, parts []int, fn func(schedule.Link) error) error {
	h, start, err := readHead(ctx, s, name)
	if err != nil {
		return err
	}
	at, err := h.offsets()
	if err != nil {
		return fmt.Errorf("%s in %s: %w", name, s, err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<32))
	if err != nil {
		return err
	}
	defer dec.Close()
	parts = slices.DeleteFunc(slices.Clone(parts), func(p int) bool { return at[p] == at[p+1] })
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && at[parts[n]]-at[parts[n-1]+1] <= gap {
			n++
		}
		from, to := at[parts[0]], at[parts[n-1]+1]
		r, err := s.Open(ctx, name, start+from, to-from)
		if err == nil {
			err = readRange(r, at, parts[:n], dec, fn)
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("%s in %s: %w", name, s, err)
		}
		parts = parts[n:]
	}
	return nil
}

// readRange reads partitions from r, which starts with the first one. at holds the offsets of all.
func readRange(r io.Reader, at []int64, parts []int, dec *zstd.Decoder, fn func(schedule.Link) error) error {
	from := at[parts[0]]
	for _, p := range parts {
		if _, err := io.CopyN(io.Discard, r, at[p]-from); err != nil {
			return err
		}
		if err := dec.Reset(io.LimitReader(r, at[p+1]-at[p])); err != nil {
			return err
		}
		in := bufio.NewReaderSize(dec, 1<<16)
		for {
			l, err := readLink(in)
			if err == io.EOF {
				break
			}
			if err == nil {
				err = fn(l)
			}
			if err != nil {
				return err
			}
		}
		from = at[p+1]
	}
	return nil
}
