package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// joined packs records with their number before the first of them.
type joined struct{ lines }

func (joined) Pack(w io.Writer, next func() ([]byte, error)) error {
	var all bytes.Buffer
	for n := 0; ; n++ {
		b, err := next()
		if err == io.EOF {
			fmt.Fprintf(w, "%d records\n", n)
			_, err = all.WriteTo(w)
			return err
		}
		if err != nil {
			return err
		}
		all.Write(b)
	}
}

// TestSpool interrupts a run into a packed format at every checkpoint and in the packing,
// resumes it, and wants the bytes of an uninterrupted run.
func TestSpool(t *testing.T) {
	const n = 700
	plain, _, _ := run(t, &list{n: n}, Config{}, split)
	want := fmt.Sprintf("%d records\n%s", strings.Count(plain, "\n"), plain)

	var direct bytes.Buffer
	sink := must.Get(NewSpool(&direct, joined{}))(t)
	if _, err := Run(t.Context(), Chain{Source: &list{n: n}, Stages: []Stage{split}, Outputs: []Output{{joined{}, sink}}}, Config{Job: Job{Workers: 3}}); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, sink.Close())
	if _, err := os.Stat(sink.file); !os.IsNotExist(err) || direct.String() != want {
		t.Errorf("%d bytes to a stream, want %d; temporary file: %v", direct.Len(), len(want), err)
	}

	out := filepath.Join(t.TempDir(), "out")
	broken := errors.New("broken off")
	start := PageState{}
	for starts := 0; ; starts++ {
		if starts > n {
			t.Fatal("the run makes no progress")
		}
		sink, err := OpenSpool(out, joined{}, start.Place(0).Length, start.Done)
		must.Succeed(t, err)
		src := &list{n: n}
		src.seek(t, start.Mark)
		_, err = Run(t.Context(), Chain{Source: src, Stages: []Stage{split}, Outputs: []Output{{joined{}, sink}}, Start: start, Save: func(s *PageState) error {
			if start = *s; s.Done || starts%3 == 0 {
				return nil
			}
			return broken
		}}, Config{BatchPages: 10, CheckpointPages: 1})
		if err == nil {
			if b := readFile(t, out); b != want {
				t.Errorf("after %d breaks: %d bytes, want %d", starts, len(b), len(want))
			}
			// Killed before the state is removed: nothing is packed again.
			must.Succeed(t, sink.Close())
			if sink, err = OpenSpool(out, joined{}, start.Place(0).Length, true); err != nil {
				t.Fatal(err)
			}
			must.Succeed(t, sink.Close())
			break
		}
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Fatal("an unfinished output is there")
		}
		sink.Close()
	}
	if _, err := os.Stat(out + spoolSuffix); !os.IsNotExist(err) {
		t.Error("the records are left")
	}
}

// TestSpoolBroken packs when the run was stopped, and when the records were
// damaged, and wants an error and no output.
func TestSpoolBroken(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	spool := func() *Spool {
		s := must.Get(OpenSpool(out, joined{}, 0, false))(t)
		t.Cleanup(func() { s.Close() })
		must.Succeed(t, s.Put(&Record{Bytes: []byte(strings.Repeat("record ", 1000))}))
		return s
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := spool()
	if err := s.Finish(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	s.Close()
	s = spool()
	at, err := s.Cut()
	if err = errors.Join(err, s.Sync()); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, os.Truncate(s.file, at.Length-3))
	must.Fail(t, s.Finish(t.Context()), "out.rows: ")
	if m, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*tmp*")); len(m) > 0 {
		t.Errorf("%v is left", m)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Error("there is an output")
	}
}
