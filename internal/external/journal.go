package external

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"

	"chaffinch/internal/disk"
	"chaffinch/internal/packed"
)

// Journal keeps in a file what programs printed, by command and input. Whoever was
// interrupted and runs them again with the same input gets it from there. A nil
// Journal keeps nothing.
type Journal struct {
	mu    sync.Mutex
	f     *disk.File // nil: closed, or the file cannot be written on
	end   int64
	known map[key]extent
}

// key is the SHA-256 of a command and its input.
type key [sha256.Size]byte

// extent is where an output lies in the file, packed as a member with a checksum.
type extent struct{ at, size int64 }

// headBytes are before each output: its key and its size.
const headBytes = sha256.Size + 8

// OpenJournal opens a journal, made if it is not there, for this process alone. An
// entry that was not written to its end is removed.
func OpenJournal(name string) (*Journal, error) {
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f, known: map[key]extent{}}
	if err := disk.Lock(f.File); errors.Is(err, disk.ErrLocked) {
		return nil, errors.Join(err, f.Close())
	}
	if err := j.load(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// load finds the entries.
func (j *Journal) load() error {
	st, err := j.f.Stat()
	if err != nil {
		return err
	}
	var head [headBytes]byte
	for j.end+headBytes <= st.Size() {
		if _, err := j.f.ReadAt(head[:], j.end); err != nil {
			return err
		}
		e := extent{j.end + headBytes, int64(binary.LittleEndian.Uint64(head[sha256.Size:]))}
		if e.size < 0 || e.size > st.Size()-e.at {
			break
		}
		j.known[key(head[:sha256.Size])] = e
		j.end = e.at + e.size
	}
	return j.f.Truncate(j.end)
}

// Run is [Run], or what is known of an earlier one. keep, which is never nil, notes
// what was printed: call it if that was good.
func (j *Journal) Run(ctx context.Context, in []byte, cfg Config) (out []byte, keep func(), err error) {
	if j == nil {
		out, err = Run(ctx, in, cfg)
		return out, func() {}, err
	}
	k := keyOf(cfg.Command, in)
	if out, ok := j.find(k, cfg.MaxOutput); ok {
		return out, func() {}, nil
	}
	out, err = Run(ctx, in, cfg)
	return out, func() { j.keep(k, out) }, err
}

// Close closes the file.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.f == nil {
		return nil
	}
	err := j.f.Close()
	j.f = nil
	return err
}

func keyOf(command string, in []byte) (k key) {
	h := sha256.New()
	h.Write([]byte(command + "\x00"))
	h.Write(in)
	h.Sum(k[:0])
	return k
}

// find returns what a program printed, up to a limit; false if that is not known,
// or its entry was damaged.
func (j *Journal) find(k key, limit int64) (out []byte, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.known[k]
	if !ok || j.f == nil {
		return nil, false
	}
	r, err := packed.NewReader(io.NewSectionReader(j.f, e.at, e.size), packed.Own)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	out, err = io.ReadAll(io.LimitReader(r, limit+1))
	return out, err == nil && int64(len(out)) <= limit && r.Kind() == packed.Zstd
}

// keep notes what a program printed. A journal that cannot be written on, as when
// the disk is full, takes no more: it saves time, and its faults are not those of
// the program.
func (j *Journal) keep(k key, out []byte) {
	var b bytes.Buffer
	b.Write(k[:])
	b.Write(make([]byte, 8))
	w, err := packed.NewWriter(&b, packed.Zstd, false)
	if err != nil {
		return
	}
	_, err = w.Write(out)
	if errors.Join(err, w.Close()) != nil {
		return
	}
	binary.LittleEndian.PutUint64(b.Bytes()[sha256.Size:], uint64(b.Len()-headBytes))
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.f == nil {
		return
	}
	if _, err := j.f.WriteAt(b.Bytes(), j.end); err != nil {
		j.f.Close()
		j.f = nil
		return
	}
	j.known[k] = extent{j.end + headBytes, int64(b.Len()) - headBytes}
	j.end += int64(b.Len())
}
