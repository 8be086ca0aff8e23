package pipeline

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestFrame tests the text around and between the records of a stream: records without bytes
// have no edges, and an empty stream has head and tail.
func TestFrame(t *testing.T) {
	for _, c := range []struct {
		records []string
		want    string
	}{
		{nil, "<>"},
		{[]string{""}, "<>"},
		{[]string{"a"}, "<a>"},
		{[]string{"", "a", "", "b", "c", ""}, "<a,b,c>"},
	} {
		var out bytes.Buffer
		s := NewStream(&out)
		s.Frame("<", ",", ">")
		for _, r := range c.records {
			must.Succeed(t, s.Put(&Record{Bytes: []byte(r)}))
		}
		must.Succeed(t, s.Finish(t.Context()))
		n, err := s.Cut()
		if err = errors.Join(err, s.Sync()); out.String() != c.want || n.Length != int64(len(c.want)) || err != nil {
			t.Errorf("%q: %q, length %d, %v; want %q", c.records, out.String(), n, err, c.want)
		}
	}
}

// TestFrameResume interrupts a run after a checkpoint, once after the tail was written, and
// resumes it.
func TestFrameResume(t *testing.T) {
	for _, finished := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "out")
		open := func(length int64) *Stream {
			s := must.Get(OpenStream(name, length, false))(t)
			s.Frame("<", ",", ">")
			return s
		}
		put := func(s *Stream, records ...string) {
			for _, r := range records {
				must.Succeed(t, s.Put(&Record{Bytes: []byte(r)}))
			}
		}
		s := open(0)
		put(s, "a")
		n, err := s.Cut()
		if err = errors.Join(err, s.Sync()); err != nil {
			t.Fatal(err)
		}
		put(s, "b")
		if finished {
			must.Succeed(t, s.Finish(t.Context()))
		}
		must.Succeed(t, s.Close())
		s = open(n.Length)
		put(s, "b", "c")
		must.Succeed(t, s.Finish(t.Context()))
		must.Succeed(t, errors.Join(s.Sync(), s.Publish(), s.Close()))
		if got := readFile(t, name); got != "<a,b,c>" {
			t.Errorf("finished before: %v: %q", finished, got)
		}
	}
}
