package crawl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"

	"github.com/zeebo/xxh3"
)

// processing records in a file of the crawl which pages are being processed. Some faults
// end a process and cannot be recovered from: memory runs out, a stack overflows. The file
// then holds the pages that were processed at that time, the suspects. The next run
// processes each suspect alone. A page that was alone when a process ended, in deadly runs,
// is given up.
//
// A kill from outside looks the same. It does no harm to a healthy page unless it hits the
// page deadly times while the page is alone.
type processing struct {
	file      *disk.File
	free      chan int      // free places in the file, one for each page that may be processed concurrently
	exclusive chan struct{} // held by the goroutine that takes all places

	mu       sync.Mutex
	suspects map[uint64]suspect
}

// suspect is a page that was processed when a process ended.
type suspect struct {
	place  int
	deaths uint32 // number of processes that ended while the page was processed alone
}

const (
	processingName = "processing"
	// A place has 16 bytes: the hash of a URL, or 0; the number of processes that ended while the
	// page was processed alone; the state of the page.
	placeSize = 8 + 4 + 4
	// deadly is the number of processes that may end while a page is processed alone.
	deadly = 2
	// maxSuspects is the most suspects that are remembered.
	maxSuspects = 1024
)

// States of a page.
const (
	idle = iota // a suspect that is not being processed
	together
	alone
)

// openProcessing reads the pages that were being processed when the last run ended, and starts a
// new file with a place for each worker.
func openProcessing(dir string, workers int) (*processing, error) {
	name := filepath.Join(dir, processingName)
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	p := &processing{free: make(chan int, workers), exclusive: make(chan struct{}, 1), suspects: map[uint64]suspect{}}
	var b []byte
	for ; len(old) >= placeSize && len(p.suspects) < maxSuspects; old = old[placeSize:] {
		key, s := binary.LittleEndian.Uint64(old), suspect{len(b) / placeSize, binary.LittleEndian.Uint32(old[8:])}
		if _, twice := p.suspects[key]; key == 0 || twice {
			continue
		}
		if binary.LittleEndian.Uint32(old[12:]) == alone {
			s.deaths++
		}
		p.suspects[key] = s
		b = appendPlace(b, key, s.deaths, idle)
	}
	for range workers {
		p.free <- len(b) / placeSize
		b = appendPlace(b, 0, 0, idle)
	}
	if err := files.WriteFile(name, b); err != nil {
		return nil, err
	}
	p.file, err = disk.OpenFile(name, os.O_RDWR, 0o666)
	return p, err
}

func appendPlace(b []byte, key uint64, died, how uint32) []byte {
	b = binary.LittleEndian.AppendUint64(b, key)
	b = binary.LittleEndian.AppendUint32(b, died)
	return binary.LittleEndian.AppendUint32(b, how)
}

func (p *processing) write(place int, key uint64, died, how uint32) error {
	_, err := p.file.WriteAt(appendPlace(nil, key, died, how), int64(place)*placeSize)
	return err
}

// pageKey returns the key of a page in the file.
func pageKey(url string) uint64 { return max(xxh3.HashString(url), 1) }

// checkGivenUp returns an error if too many processes ended while a page was processed alone.
func (p *processing) checkGivenUp(url string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.suspects[pageKey(url)].deaths; n >= deadly {
		return fmt.Errorf("the program ended %d times while processing only this page: not retried", n)
	}
	return nil
}

// begin waits until a page may be processed, and records that it is. The caller calls done
// afterwards. ok is false if ctx ends before.
func (p *processing) begin(ctx context.Context, url string) (done func() error, ok bool, err error) {
	if ctx.Err() != nil {
		return nil, false, nil
	}
	key := pageKey(url)
	p.mu.Lock()
	s, suspected := p.suspects[key]
	p.mu.Unlock()
	if suspected {
		return p.beginAlone(ctx, key, s)
	}
	select {
	case place := <-p.free:
		return func() error {
			err := p.write(place, 0, 0, idle)
			p.free <- place
			return err
		}, true, p.write(place, key, 0, together)
	case <-ctx.Done():
		return nil, false, nil
	}
}

// beginAlone is begin for a suspect: no other page is processed at the same time.
func (p *processing) beginAlone(ctx context.Context, key uint64, s suspect) (done func() error, ok bool, err error) {
	select {
	case p.exclusive <- struct{}{}:
	case <-ctx.Done():
		return nil, false, nil
	}
	var taken []int
	release := func() {
		for _, place := range taken {
			p.free <- place
		}
		<-p.exclusive
	}
	for range cap(p.free) {
		select {
		case place := <-p.free:
			taken = append(taken, place)
		case <-ctx.Done():
			release()
			return nil, false, nil
		}
	}
	return func() error {
		defer release()
		if ctx.Err() != nil { // it was interrupted and will be processed again
			return p.write(s.place, key, s.deaths, idle)
		}
		p.mu.Lock()
		delete(p.suspects, key)
		p.mu.Unlock()
		return p.write(s.place, 0, 0, idle)
	}, true, p.write(s.place, key, s.deaths, alone)
}

func (p *processing) close() error {
	if p == nil || p.file == nil {
		return nil
	}
	return p.file.Close()
}
