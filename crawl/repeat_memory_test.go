package crawl

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"chaffinch/crawl/fetch"
	"chaffinch/page/weburl"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/testkit/must"
)

// TestAgainMemory wants the body that an earlier crawl has stored to wait in its archive while
// the server is asked, and an archive that is gone by then to be named.
func TestAgainMemory(t *testing.T) {
	const bodyBytes = 9 << 20
	u := must.Get(weburl.Parse("http://h.example/", nil))(t)
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\n\r\n"
	answer := &fetch.Result{Status: 200, Response: append([]byte(head), bytes.Repeat([]byte("x"), bodyBytes)...), Head: len(head)}
	w := newPacker()
	w.add(u, answer, nil)
	packed := must.Get(w.finish())(t)
	answer = nil
	dir := t.TempDir()
	archive := filepath.Join(dir, "warc", archiveBase(1))
	must.Succeed(t, os.Mkdir(filepath.Dir(archive), 0o777))
	must.Write(t, archive, packed)
	place := binary.BigEndian.AppendUint64(nil, xxh3.HashString(u.String()))
	place = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(place, 1), 0)
	place = binary.BigEndian.AppendUint64(place, 0) // time of the visit
	p := &previous{archives: folderArchives(dir), places: place, reading: make(chan struct{}, 1)}

	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	copies := make([]*priorPage, 4)
	for i := range copies {
		if copies[i] = p.find(u); copies[i] == nil {
			t.Fatal("the answer is not found")
		}
	}
	if after := heap(); after > before+bodyBytes {
		t.Errorf("%d copies hold %d bytes", len(copies), after-before)
	}
	resp, err := copies[0].merge(u, &fetch.Result{Status: 304})
	if err != nil || len(resp.Body) != bodyBytes || resp.Status != 200 {
		t.Errorf("merged: %v", err)
	}
	must.Succeed(t, os.Remove(archive))
	must.Fail(t, must.Err(copies[0].merge(u, &fetch.Result{Status: 304})), archive)
}
