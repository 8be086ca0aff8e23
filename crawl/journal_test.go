package crawl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/files"
	"chaffinch/internal/testkit/must"
)

// TestLongEvent rejects a line beyond the limit, reads holes as the end, and writes no event
// that could not be read.
func TestLongEvent(t *testing.T) {
	defer func(was int) { maxLine = was }(maxLine)
	maxLine = 3 << 20 // more than the reader's buffer
	event1 := string(files.Seal([]byte(`{"at":1}`)))
	long := string(files.Seal([]byte(`{"at":2,"failed":"` + strings.Repeat("x", 2<<20) + `"}`)))
	hole := strings.Repeat("\x00", 4<<20)
	for _, c := range []struct {
		rest, want string
		events     int
	}{
		{long + event1, "", 3},
		{long[:len(long)-1], "", 1}, // the program was killed
		{hole, "", 1},
		{strings.Repeat("x", 1000) + hole, "", 1},
		{strings.Repeat("x", 4<<20), "line too long", 1},
		{strings.Repeat("x", 4<<20) + "\n", "line too long", 1},
	} {
		n := 0
		length, err := readEvents("journal/1", strings.NewReader(event1+c.rest), 0, func(event) error { n++; return nil })
		if n != c.events || (err == nil) != (c.want == "") {
			t.Errorf("%d events, %v; want %d, %q", n, err, c.events, c.want)
		}
		if err != nil && (!strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "journal/1: byte ")) {
			t.Errorf("got %v, want %q", err, c.want)
		}
		if err != nil && length != int64(len(event1)) {
			t.Errorf("length %d, want %d", length, len(event1))
		}
	}

	dir := t.TempDir()
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "journal"), 0o777))
	j := must.Get(openJournal(dir, 1, 0))(t)
	defer j.file.Close()
	maxLine = maxTakenLine + 2000
	if _, err := j.write(event{Seed: []schedule.Link{{Path: strings.Repeat("x", 1000)}}}); err != nil {
		t.Error(err)
	}
	length := j.length
	if _, err := j.write(event{Seed: []schedule.Link{{Path: strings.Repeat("x", 3000)}}}); err == nil || !strings.Contains(err.Error(), "fewer seeds") || j.length != length {
		t.Errorf("length %d, was %d: %v", j.length, length, err)
	}
	if seeds, err := oldSeeds(dir); len(seeds) != 1 || err != nil {
		t.Errorf("%d seeds, %v", len(seeds), err)
	}
}
