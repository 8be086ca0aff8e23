package external

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"sync"

	"chaffinch/internal/disk"
	"chaffinch/internal/packed"
)

// Journal stores the outputs of programs in a file, by command and input. An interrupted run that
// is repeated with the same input reads the outputs from the file. A nil Journal stores nothing.
type Journal struct {
	mu    sync.Mutex
	f     *disk.File // nil: closed, or the file cannot be written any more
	end   int64
	known map[key]extent
}

// key is the SHA-256 of a command and its input.
type key [sha256.Size]byte

// extent is the position of an output in the file: a compressed member with a checksum.
type extent struct{ at, size int64 }

// headBytes is the size of the header of each output: its key and its size.
const headBytes = sha256.Size + 8

// OpenJournal opens a journal for this process alone and creates it if it does not exist. An
// incomplete last entry is removed.
func OpenJournal(name string) (*Journal, error) {
	f, err := disk.OpenLocked(name)
	if err != nil {
		return nil, err
	}
	j := &Journal{f: f, known: map[key]extent{}}
	if err := j.load(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// load reads the positions of the entries.
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

// Run is the function [Run], or returns the stored output of an earlier run. keep, which is never
// nil, stores the output: call it if the output is valid.
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

// find returns the stored output of a program, at most limit bytes. ok is false if there is none or
// the entry is damaged.
func (j *Journal) find(k key, limit int64) (out []byte, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e, ok := j.known[k]
	if !ok || j.f == nil {
		return nil, false
	}
	r, err := packed.NewReader(io.NewSectionReader(j.f, e.at, e.size), packed.Trusted)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	out, err = io.ReadAll(io.LimitReader(r, limit+1))
	return out, err == nil && int64(len(out)) <= limit && r.Kind() == packed.Zstd
}

// keep stores the output of a program. If the file cannot be written, for example because the disk
// is full, the journal stores nothing more: it only saves time, and its errors must not fail the
// program.
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
