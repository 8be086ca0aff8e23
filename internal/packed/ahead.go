package packed

import (
	"bytes"
	"io"
	"math"
	"sync"

	"chaffinch/internal/inflate"
	"chaffinch/internal/panics"
)

// What reading ahead holds at once: a stretch is read as a whole, cut into tasks, and
// its last bytes stand at the beginning of the next one too, so that each member
// which is not longer lies in one stretch.
const (
	stretchBytes = 1 << 20
	overlapBytes = 512 << 10
	taskBytes    = 64 << 10
	outBytes     = 4 << 20 // what the members of a task may unpack to
	mostTries    = 4       // beginnings in a task that turn out to be none
	mostUnpack   = 8       // workers; more than one reader can keep busy

	// steady is how much is read in order before anything is read ahead: not by one
	// who looks into a file, or for a place in it.
	steady = 256 << 10
)

// ahead reads a file of gzip members on, while its user takes what was unpacked: one
// goroutine reads, others unpack members where such seem to begin. What they find is
// only an offer: the user knows where the next member begins, by the end of the one
// before, and takes what was unpacked from exactly there. All else, be it damaged,
// large or no member at all, he unpacks himself from the packed bytes.
type ahead struct {
	from  int64 // offset of the first byte
	most  int   // bytes of a member
	tasks chan *task
	todo  chan *task
	quit  chan struct{}
	group sync.WaitGroup
	err   error // what ended the reading; once tasks is closed
	cur   *task // what the user stands in

	oldTasks     chan *task // used again
	oldStretches chan *stretch
}

// stretch is a part of the file.
type stretch struct {
	b     []byte
	have  int   // bytes of the file in b
	at    int64 // offset of the first one
	tasks int   // that are not released
}

// task are the members that begin in a part of a stretch.
type task struct {
	s        *stretch
	from, to int // in s.b
	done     chan struct{}
	out      []byte
	found    []offer
	next     int // in found: what was not passed
}

// offer is an unpacked member: where it begins and ends in its stretch, and what it
// unpacks to in the task's out.
type offer struct {
	at, end  int
	from, to int
}

var inflaters = sync.Pool{New: func() any { return new(inflate.Reader) }}

// newAhead begins to read in, whose next byte has the offset from.
func newAhead(in io.Reader, from int64, workers int, most int64) *ahead {
	workers = min(workers, mostUnpack)
	wait := workers + 2 // tasks
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
					t.found = t.found[:0] // the user meets the fault himself
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

// read gives out tasks up to the end of in, and returns its error.
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

// stretch returns one to fill.
func (a *ahead) stretch() *stretch {
	select {
	case s := <-a.oldStretches:
		return s
	default:
		return &stretch{b: make([]byte, stretchBytes+overlapBytes)}
	}
}

// give cuts the first to of the bytes of s into tasks; false tells that nobody wants
// them.
func (a *ahead) give(s *stretch, to int) bool {
	s.tasks = (to + taskBytes - 1) / taskBytes
	for from := 0; from < to; from += taskBytes {
		var t *task
		select {
		case t = <-a.oldTasks:
		default:
			t = new(task)
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

// unpack looks for members that begin in t, one behind the other where it can.
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
			return // there is no room for what follows either
		default:
			at++
			tries++
		}
	}
}

// at returns the task that holds the byte at off, nil if reading has ended before.
// What lies before off is not asked for again.
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

// release gives back what the user has passed.
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

// copy copies packed bytes from off on; 0 tells that reading has ended before.
func (a *ahead) copy(p []byte, off int64) int {
	t := a.at(off)
	if t == nil {
		return 0
	}
	return copy(p, t.s.b[off-t.s.at:t.to])
}

// member returns what the member at off unpacks to, and where it ends; ok is false if
// it was not unpacked.
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
