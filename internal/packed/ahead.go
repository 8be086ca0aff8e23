package packed

import (
	"bytes"
	"io"
	"math"
	"sync"

	"chaffinch/internal/inflate"
	"chaffinch/internal/panics"
)

// Sizes of reading ahead. A stretch is read as a whole and divided into tasks. Its last bytes are
// repeated at the start of the next stretch, so that each member up to that length is complete in
// one stretch.
const (
	stretchBytes = 512 << 10
	overlapBytes = 256 << 10
	taskBytes    = 64 << 10
	outBytes     = 2 << 20 // maximum size of the decompressed members of a task
	mostTries    = 4       // false starts of a member in a task
	mostUnpack   = 8       // workers; more than one reader can use

	// steady is the number of bytes read sequentially before reading ahead starts: not for a short
	// read of a file or a search for a position.
	steady = 256 << 10
)

// ahead reads a file of gzip members ahead of its user: one goroutine reads, others decompress
// members at likely starts. Their results are only offers. The user knows the start of the next
// member from the end of the previous one, and takes the result from exactly that offset. It
// decompresses everything else from the compressed bytes: damaged data, large members, and data
// that are not a member.
type ahead struct {
	from  int64 // offset of the first byte
	most  int   // maximum size of a decompressed member
	tasks chan *task
	todo  chan *task
	quit  chan struct{}
	group sync.WaitGroup
	err   error // the final error of read; valid once tasks is closed
	cur   *task // the current task of the user

	oldTasks     chan *task // for reuse
	oldStretches chan *stretch
}

// stretch is a part of the file.
type stretch struct {
	b     []byte
	have  int   // bytes of the file in b
	at    int64 // offset of b[0]
	tasks int   // number that are not released
}

// task holds the members that start in a part of a stretch.
type task struct {
	s        *stretch
	from, to int // in s.b
	done     chan struct{}
	out      []byte // large enough, so that it is recycled at its size
	found    []offer
	next     int // in found: the first entry not passed
}

// offer is a decompressed member: its extent in the stretch, and its content in the task's out.
type offer struct {
	at, end  int
	from, to int
}

var inflaters = sync.Pool{New: func() any { return new(inflate.Reader) }}

// newAhead starts reading in, whose next byte has the offset from.
func newAhead(in io.Reader, from int64, workers int, most int64) *ahead {
	workers = min(workers, mostUnpack)
	wait := workers + 1 // tasks
	a := &ahead{
		from: from, most: int(min(most, math.MaxInt32)),
		tasks: make(chan *task, wait), todo: make(chan *task, wait), quit: make(chan struct{}),
		oldTasks: make(chan *task, wait+2), oldStretches: make(chan *stretch, 4),
	}
	a.group.Go(func() {
		defer close(a.todo)
		defer close(a.tasks)
		if err := panics.Catch(func() error { return a.read(in) }); err != nil {
			a.err = err
		}
	})
	for range workers {
		a.group.Go(func() {
			z := inflaters.Get().(*inflate.Reader)
			defer inflaters.Put(z)
			for t := range a.todo {
				if panics.Catch(func() error { t.unpack(z, a.most); return nil }) != nil {
					t.found = t.found[:0] // the user reports the panic when it decompresses the member itself
				}
				close(t.done)
			}
		})
	}
	return a
}

// close ends all goroutines.
func (a *ahead) close() {
	close(a.quit)
	a.group.Wait()
}

// read sends tasks until the end of in and returns its error.
func (a *ahead) read(in io.Reader) error {
	s := a.stretch()
	s.at, s.have = a.from, 0
	for {
		n, err := io.ReadFull(in, s.b[s.have:])
		s.have += n
		to := s.have
		var next *stretch
		if err == nil {
			to -= overlapBytes
			next = a.stretch()
			next.at, next.have = s.at+int64(to), copy(next.b, s.b[to:])
		}
		if !a.give(s, to) {
			return nil
		}
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		if err != nil {
			return err
		}
		s = next
	}
}

// stretch returns an empty stretch.
func (a *ahead) stretch() *stretch {
	select {
	case s := <-a.oldStretches:
		return s
	default:
		return &stretch{b: make([]byte, stretchBytes+overlapBytes)}
	}
}

// give divides the first to bytes of s into tasks and reports whether the user still wants them.
func (a *ahead) give(s *stretch, to int) bool {
	s.tasks = (to + taskBytes - 1) / taskBytes
	for from := 0; from < to; from += taskBytes {
		var t *task
		select {
		case t = <-a.oldTasks:
		default:
			t = &task{out: make([]byte, 0, outBytes+inflate.Window)}
		}
		*t = task{s: s, from: from, to: min(from+taskBytes, to), done: make(chan struct{}), out: t.out[:0], found: t.found[:0]}
		for _, c := range [...]chan *task{a.tasks, a.todo} {
			select {
			case c <- t:
			case <-a.quit:
				return false
			}
		}
	}
	return true
}

// unpack finds members that start in t and decompresses them, if possible one directly after
// another.
func (t *task) unpack(z *inflate.Reader, most int) {
	magic := []byte(kinds[Gzip].magic)
	b := t.s.b[:t.s.have]
	for at, tries := t.from, 0; tries < mostTries; {
		i := bytes.Index(b[at:min(t.to+len(magic)-1, len(b))], magic)
		if i < 0 {
			return
		}
		at += i
		from := len(t.out)
		out, n, err := z.AppendMember(t.out, b[at:], min(most, outBytes-from))
		t.out = out
		switch {
		case err == nil:
			t.found = append(t.found, offer{at: at, end: at + n, from: from, to: len(out)})
			at += n
			if at >= t.to {
				return
			}
		case err == inflate.ErrLarge && from > 0:
			return // there is no space for later members either
		default:
			at++
			tries++
		}
	}
}

// at returns the task that holds the byte at off, or nil if reading ended before it. Bytes before
// off must not be requested later.
func (a *ahead) at(off int64) *task {
	for a.cur == nil || off >= a.cur.s.at+int64(a.cur.to) {
		a.release()
		t, ok := <-a.tasks
		if !ok {
			return nil
		}
		a.cur = t
	}
	return a.cur
}

// release recycles the current task.
func (a *ahead) release() {
	t := a.cur
	if t == nil {
		return
	}
	<-t.done
	if t.s.tasks--; t.s.tasks == 0 {
		select {
		case a.oldStretches <- t.s:
		default:
		}
	}
	a.cur = nil
	select {
	case a.oldTasks <- t:
	default:
	}
}

// copy copies compressed bytes from off. It returns 0 if reading ended before off.
func (a *ahead) copy(p []byte, off int64) int {
	t := a.at(off)
	if t == nil {
		return 0
	}
	return copy(p, t.s.b[off-t.s.at:t.to])
}

// member returns the content and the end of the member at off. ok is false if it was not
// decompressed.
func (a *ahead) member(off int64) (text []byte, end int64, ok bool) {
	if off < a.from {
		return nil, 0, false
	}
	t := a.at(off)
	if t == nil {
		return nil, 0, false
	}
	<-t.done
	for ; t.next < len(t.found); t.next++ {
		if m := t.found[t.next]; t.s.at+int64(m.at) >= off {
			if t.s.at+int64(m.at) > off {
				break
			}
			return t.out[m.from:m.to:m.to], t.s.at + int64(m.end), true
		}
	}
	return nil, 0, false
}
