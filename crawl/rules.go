package crawl

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/page/optout"
)

// rules holds all robots.txt and tdmrep.json files on disk, by number, and the parsed rules of recent
// files in memory.
type rules struct {
	agent     string
	file      *disk.File
	length    int64
	positions map[uint32]*[positionBlock]rulesPosition // by number / positionBlock
	parsed    map[uint32]siteRules
	recent    []uint32 // numbers of parsed, oldest first
	memory    int64    // most bytes of the files of parsed
	used      int64    // bytes of the files of parsed
	err       error
}

// siteRules holds the rules of a robots.txt and of a tdmrep.json; nil for a file that was not fetched.
type siteRules struct {
	group    *robots.Group
	reserved *robots.Reservations
	tried    int   // failed requests for the tdmrep.json, of a [Worker]
	length   int64 // of the file
}

// allows reports whether robots.txt allows a path. A robots.txt on which the parser panics, or that was
// not fetched, allows nothing.
func (x siteRules) allows(path string) (ok bool) {
	err := panics.Catch(func() error { ok, _ = x.group.Allowed(path); return nil })
	return ok && err == nil && x.group != nil
}

// optouts returns the statements about a path. Rules on which the parser panics refuse all uses.
func (x siteRules) optouts(path string) (list []optout.Statement) {
	err := panics.Catch(func() error {
		for _, p := range x.group.Preferences(path) {
			list = append(list, optout.Site(inRobots+" "+p.Field, p.Value)...)
		}
		if x.reserved != nil && x.reserved.Reserve(path) {
			list = append(list, optout.Site(inReservations, "1")...)
		}
		return nil
	})
	if err != nil {
		return unreadable
	}
	return list
}

// reservationsMark is added to the number of a robots.txt for the tdmrep.json of the same origin.
const reservationsMark = 1 << 31

// rulesPosition is the position of a file: its offset, and its length in the lower lengthBits bits. There
// may be millions. It is 0 for no file.
type rulesPosition uint64

const lengthBits = 20

func (p rulesPosition) offset() int64 { return int64(p >> lengthBits) }
func (p rulesPosition) length() int64 { return int64(p & (1<<lengthBits - 1)) }

// maxParsed is the number of files whose rules are kept in memory.
const maxParsed = 4096

// positionBlock is the number of positions in a block.
const positionBlock = 1024

// position returns the position of the file with a number.
func (r *rules) position(number uint32) rulesPosition {
	if block := r.positions[number/positionBlock]; block != nil {
		return block[number%positionBlock]
	}
	return 0
}

// setPosition sets the position of the file with a number.
func (r *rules) setPosition(number uint32, offset int64, length int) {
	block := r.positions[number/positionBlock]
	if block == nil {
		block = new([positionBlock]rulesPosition)
		r.positions[number/positionBlock] = block
	}
	block[number%positionBlock] = rulesPosition(offset)<<lengthBits | rulesPosition(length)
}

// openRules opens the file of a folder and truncates it to length bytes. The rules of files of at most
// memory bytes are kept in memory.
func openRules(dir, agent string, length, memory int64) (*rules, error) {
	f, err := reopen(filepath.Join(dir, "robots"), length)
	if err != nil {
		return nil, err
	}
	r := &rules{agent: agent, file: f, memory: memory, positions: map[uint32]*[positionBlock]rulesPosition{}, parsed: map[uint32]siteRules{}}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	in := bufio.NewReaderSize(io.LimitReader(f, length), 1<<16)
	for r.length < length {
		var head [8]byte
		_, err := io.ReadFull(in, head[:])
		number, size := binary.LittleEndian.Uint32(head[:4]), int(binary.LittleEndian.Uint32(head[4:]))
		if err == nil && size > robots.MaxBytes {
			err = fmt.Errorf("robots.txt of %d bytes", size)
		}
		if err == nil {
			_, err = in.Discard(size)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: byte %d: %w: the file is damaged: restore it from a backup, or repeat the crawl in a new folder", f.Name(), r.length, err), f.Close())
		}
		r.setPosition(number, r.length+8, size)
		r.length += int64(8 + size)
	}
	_, err = f.Seek(length, io.SeekStart)
	return r, err
}

// set appends a file.
func (r *rules) set(e *robotsEvent) error {
	b := binary.LittleEndian.AppendUint32(nil, e.Number)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(e.Body)))
	if _, err := r.file.Write(append(b, e.Body...)); err != nil {
		return err
	}
	r.setPosition(e.Number, r.length+8, len(e.Body))
	r.length += int64(8 + len(e.Body))
	if x, ok := r.parsed[e.Number]; ok {
		delete(r.parsed, e.Number)
		r.used -= x.length
		r.recent = slices.DeleteFunc(r.recent, func(n uint32) bool { return n == e.Number })
	}
	if e.group != nil {
		r.cache(e.Number, siteRules{group: e.group, length: int64(len(e.Body))})
	}
	return nil
}

// cache stores parsed rules in memory.
func (r *rules) cache(number uint32, x siteRules) {
	for len(r.recent) == maxParsed || len(r.recent) > 0 && r.used+x.length > r.memory {
		r.used -= r.parsed[r.recent[0]].length
		delete(r.parsed, r.recent[0])
		r.recent = r.recent[1:]
	}
	r.parsed[number] = x
	r.used += x.length
	r.recent = append(r.recent, number)
}

// of returns the rules of the file with a number.
func (r *rules) of(number uint32) siteRules {
	if x, ok := r.parsed[number]; ok {
		return x
	}
	place := r.position(number)
	body := make([]byte, place.length())
	if _, err := r.file.ReadAt(body, place.offset()); err != nil && r.err == nil {
		r.err = err
	}
	x := siteRules{length: place.length()}
	if number&reservationsMark != 0 {
		x.reserved = robots.ParseReservations(body)
	} else {
		x.group = robots.Parse(body).For(r.agent)
	}
	r.cache(number, x)
	return x
}

// group returns the rules of a robots.txt for this crawler.
func (r *rules) group(number uint32) *robots.Group { return r.of(number).group }

// allowed reports whether the robots.txt with this number allows a path. A robots.txt on which the
// parser panics allows nothing.
func (r *rules) allowed(number uint32, path []byte) (ok bool) {
	err := panics.Catch(func() error { ok = r.of(number).allows(string(path)); return nil })
	return ok && err == nil && r.err == nil
}

// optoutsOf returns the statements about the page of a task in files of the site. The goroutine that owns
// the state calls it.
func (c *crawl) optoutsOf(t schedule.Task) []optout.Statement {
	if t.Kind != schedule.Page {
		return nil
	}
	return c.rules.optouts(t.Rules, t.Path)
}

// Places of statements in files of a site.
const (
	inRobots       = "robots.txt"
	inReservations = "tdmrep.json"
)

// unreadable is the statement for files that cannot be parsed.
var unreadable = optout.Site(inRobots, "unreadable")

// optouts returns the statements about a path in the robots.txt with this number and in the tdmrep.json
// of the same origin. A file that cannot be parsed refuses all uses.
func (r *rules) optouts(number uint32, path string) (list []optout.Statement) {
	err := panics.Catch(func() error {
		x := r.of(number)
		if r.position(number|reservationsMark) != 0 {
			x.reserved = r.of(number | reservationsMark).reserved
		}
		list = x.optouts(path)
		return nil
	})
	if err != nil {
		return unreadable
	}
	return list
}
