package frontier

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"chaffinch/internal/disk"
)

// pendingKey is a key with the index of its item in the order of Add.
type pendingKey struct {
	key   uint64
	index uint32
}

func (k pendingKey) compare(other pendingKey) int {
	return cmp.Or(cmp.Compare(k.key, other.key), cmp.Compare(k.index, other.index))
}

const (
	// runKeys is the number of keys that are sorted at once.
	runKeys = 128 << 10
	// keyBytes is the size of a key in a file.
	keyBytes = 12
	// runBuffer is the number of bytes of a run that are read at once.
	runBuffer = keyBytes << 12
)

// keyRuns holds sorted runs of runKeys keys in a temporary file.
type keyRuns struct {
	dir    string
	file   *disk.File // nil before the first run
	length int64
	sorted []pendingKey // buffers
	bytes  []byte
}

func (r *keyRuns) close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// reset removes all runs.
func (r *keyRuns) reset() error {
	if r.length = 0; r.file == nil {
		return nil
	}
	return r.file.Truncate(0)
}

// write appends a run. It changes the order of keys.
func (r *keyRuns) write(keys []pendingKey) (err error) {
	if r.file == nil {
		if r.file, err = disk.Scratch(r.dir); err != nil {
			return err
		}
	}
	r.bytes = r.bytes[:0]
	for _, k := range r.sort(keys) {
		r.bytes = binary.LittleEndian.AppendUint64(r.bytes, k.key)
		r.bytes = binary.LittleEndian.AppendUint32(r.bytes, k.index)
	}
	_, err = r.file.WriteAt(r.bytes, r.length)
	r.length += int64(len(r.bytes))
	return err
}

// sort returns keys in order, valid until the next call. Keys are hashes, so their upper bits split them
// into parts of nearly equal length.
func (r *keyRuns) sort(keys []pendingKey) []pendingKey {
	n := len(keys)
	shift := 64 - min(bits.Len(uint(n/16)), 20)
	ends := make([]int, 1<<(64-shift)+1)
	for _, k := range keys {
		ends[k.key>>shift+1]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	r.sorted = slices.Grow(r.sorted[:0], n)[:n]
	for _, k := range keys {
		r.sorted[ends[k.key>>shift]] = k
		ends[k.key>>shift]++ // finally the end of the part
	}
	start := 0
	for _, end := range ends[:len(ends)-1] {
		slices.SortFunc(r.sorted[start:end], pendingKey.compare)
		start = end
	}
	return r.sorted
}

// merge returns the keys of all runs and keys in order.
func (r *keyRuns) merge(keys []pendingKey) (*keyMerge, error) {
	m := &keyMerge{}
	for at := int64(0); at < r.length; at += runKeys * keyBytes {
		m.list = append(m.list, &keyRun{in: io.NewSectionReader(r.file, at, runKeys*keyBytes)})
	}
	m.list = append(m.list, &keyRun{keys: r.sort(keys)})
	for i := len(m.list) - 1; i >= 0; i-- {
		if ok, err := m.list[i].next(); err != nil {
			return nil, err
		} else if !ok {
			m.list = slices.Delete(m.list, i, i+1)
		}
	}
	for i := len(m.list)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

// keyRun reads a run.
type keyRun struct {
	first  pendingKey
	keys   []pendingKey // remaining keys in memory
	in     io.Reader    // the others; nil without a file
	bytes  []byte       // buffer
	unread []byte
}

// next reads the next key as r.first. It reports whether there was one.
func (r *keyRun) next() (bool, error) {
	if r.in == nil {
		if len(r.keys) == 0 {
			return false, nil
		}
		r.first, r.keys = r.keys[0], r.keys[1:]
		return true, nil
	}
	if len(r.unread) == 0 {
		if r.bytes == nil {
			r.bytes = make([]byte, runBuffer)
		}
		n, err := io.ReadFull(r.in, r.bytes)
		if err == io.EOF {
			return false, nil
		}
		if err != nil && err != io.ErrUnexpectedEOF || n%keyBytes != 0 {
			return false, fmt.Errorf("sieve: temporary file: %w", cmp.Or(err, io.ErrUnexpectedEOF))
		}
		r.unread = r.bytes[:n]
	}
	r.first = pendingKey{binary.LittleEndian.Uint64(r.unread), binary.LittleEndian.Uint32(r.unread[8:])}
	r.unread = r.unread[keyBytes:]
	return true, nil
}

// keyMerge is a heap of runs by their first key.
type keyMerge struct{ list []*keyRun }

// Len returns the number of runs with remaining keys.
func (m *keyMerge) Len() int { return len(m.list) }

// top returns the least key.
func (m *keyMerge) top() pendingKey { return m.list[0].first }

// next removes the least key.
func (m *keyMerge) next() error {
	ok, err := m.list[0].next()
	if err != nil {
		return err
	}
	if !ok {
		last := len(m.list) - 1
		m.list[0], m.list = m.list[last], m.list[:last]
	}
	m.down(0)
	return nil
}

// down moves run i down to its place.
func (m *keyMerge) down(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(m.list); c++ {
			if m.list[c].first.compare(m.list[least].first) < 0 {
				least = c
			}
		}
		if least == i {
			return
		}
		m.list[i], m.list[least] = m.list[least], m.list[i]
		i = least
	}
}
