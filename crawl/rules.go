package crawl

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"

	"chaffinch/crawl/optout"
	"chaffinch/crawl/robots"
	"chaffinch/internal/disk"
)

// rules keeps the robots.txt of each host on disk, and what they say to this
// crawler of some of them in memory.
type rules struct {
	agent  string
	file   *disk.File
	length int64
	places map[uint32]rulesPlace
	parsed map[uint32]*robots.Group
	recent []uint32 // the hosts of parsed, oldest first
	err    error
}

type rulesPlace struct {
	offset int64
	length int
}

// maxParsed is the number of hosts whose rules are kept in memory.
const maxParsed = 4096

// openRules opens the file of a folder as it was with length bytes.
func openRules(dir, agent string, length int64) (*rules, error) {
	f, err := reopen(filepath.Join(dir, "robots"), length)
	if err != nil {
		return nil, err
	}
	r := &rules{agent: agent, file: f, places: map[uint32]rulesPlace{}, parsed: map[uint32]*robots.Group{}}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	in := bufio.NewReaderSize(io.LimitReader(f, length), 1<<16)
	for r.length < length {
		var head [8]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		host, size := binary.LittleEndian.Uint32(head[:4]), int(binary.LittleEndian.Uint32(head[4:]))
		r.places[host] = rulesPlace{r.length + 8, size}
		if _, err := in.Discard(size); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		r.length += int64(8 + size)
	}
	_, err = f.Seek(length, io.SeekStart)
	return r, err
}

// set notes the robots.txt of a host.
func (r *rules) set(host uint32, body []byte) error {
	b := binary.LittleEndian.AppendUint32(nil, host)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)))
	if _, err := r.file.Write(append(b, body...)); err != nil {
		return err
	}
	r.places[host] = rulesPlace{r.length + 8, len(body)}
	r.length += int64(8 + len(body))
	delete(r.parsed, host)
	return nil
}

// of returns what the robots.txt of a host says to this crawler.
func (r *rules) of(host uint32) *robots.Group {
	if g, ok := r.parsed[host]; ok {
		return g
	}
	place := r.places[host]
	body := make([]byte, place.length)
	if _, err := r.file.ReadAt(body, place.offset); err != nil && r.err == nil {
		r.err = err
	}
	g := robots.Parse(body).For(r.agent)
	if len(r.recent) == maxParsed {
		delete(r.parsed, r.recent[0])
		r.recent = r.recent[1:]
	}
	r.parsed[host] = g
	r.recent = append(r.recent, host)
	return g
}

// allowed reports whether a path of a host may be fetched.
func (r *rules) allowed(host uint32, path []byte) bool {
	ok, _ := r.of(host).Allowed(string(path))
	return ok && r.err == nil
}

// refused returns what the robots.txt of a host says against the use of a path.
func (r *rules) refused(host uint32, path string) (refused optout.Refusals) {
	for _, p := range r.of(host).Preferences(path) {
		refused |= optout.Preference(p.Value)
	}
	return refused
}
