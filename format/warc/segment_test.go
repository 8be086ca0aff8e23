package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// segmentOf returns a record that is a segment of a block, with some fields more.
func segmentOf(kind, id string, number int, more, block string) string {
	return crlf(fmt.Sprintf("WARC/1.1\nWARC-Type: %s\nWARC-Record-ID: <%s>\nWARC-Date: 2026-01-02T03:04:05Z\nWARC-Target-URI: http://a.example/\nWARC-Segment-Number: %d\n%sContent-Length: %d\n\n", kind, id, number, more, len(block))) +
		block + "\r\n\r\n"
}

const origin = "WARC-Segment-Origin-ID: <u:1>\n"

// TestSegments joins the segments of a block that follow each other.
func TestSegments(t *testing.T) {
	first := segmentOf("response", "u:1", 1, "", "HTTP/1.1 200 OK\r\n\r\none, ")
	second := segmentOf("continuation", "u:2", 2, origin, "two, ")
	third := segmentOf("continuation", "u:3", 3, origin+"WARC-Segment-Total-Length: 34\n", "three")
	other := segmentOf("resource", "u:9", 1, "WARC-Segment-Total-Length: 5\n", "other")
	for name, c := range map[string]struct {
		file, block string
		whole       bool
		rest        string // ids of the records that follow
	}{
		"all":          {first + second + third + other, "one, two, three", true, "u:9"},
		"at the end":   {first + second + third, "one, two, three", true, ""},
		"last missing": {first + second, "one, two, ", false, ""},
		"none":         {first + other + second, "one, ", false, "u:9 u:2"},
		"one missing":  {first + third + other, "one, ", false, "u:3 u:9"},
		"wrong total":  {first + second + strings.Replace(third, "34", "35", 1), "one, two, three", false, ""},
		"of another":   {first + strings.Replace(second, "<u:1>", "<u:7>", 1) + third, "one, ", false, "u:2 u:3"},
		"cut":          {first + second[:len(second)-7], "one, tw", false, ""},
	} {
		r := newReader(t, strings.NewReader(c.file))
		rec, err := r.Next()
		if err != nil || !rec.Segmented() {
			t.Fatal(rec, err)
		}
		s := r.Segments(rec)
		b, err := io.ReadAll(s)
		if err != nil || string(bytes.TrimPrefix(b, []byte("HTTP/1.1 200 OK\r\n\r\n"))) != c.block || s.Whole() != c.whole || !s.Ended() {
			t.Errorf("%s: %q, %v, whole: %t", name, b, err, s.Whole())
		}
		if err := s.Close(); (err != nil) != (name == "cut") {
			t.Errorf("%s: %v", name, err)
		}
		at := r.Pos()
		var ids []string
		all, _ := readAll(t, r)
		for _, x := range all {
			ids = append(ids, x.rec.ID)
		}
		if got := strings.Join(ids, " "); got != c.rest {
			t.Errorf("%s: then %q, want %q", name, got, c.rest)
		}
		if len(all) > 0 && all[0].rec.Pos != at {
			t.Errorf("%s: the next record is said to be at %v, it is at %v", name, at, all[0].rec.Pos)
		}
	}
}

// TestSegmentsPart leaves segments that are not read to the caller of Next.
func TestSegmentsPart(t *testing.T) {
	r := newReader(t, strings.NewReader(segmentOf("response", "u:1", 1, "", "one, ")+segmentOf("continuation", "u:2", 2, origin, "two")))
	rec := must.Get(r.Next())(t)
	s := r.Segments(rec)
	s.Read(make([]byte, 2))
	if err := s.Close(); err != nil || s.Ended() || s.Whole() {
		t.Errorf("%v, ended: %t", err, s.Ended())
	}
	if rec, err := r.Next(); err != nil || rec.ID != "u:2" {
		t.Errorf("then %v, %v", rec, err)
	}
}

// TestCheckSegments reports wrong numbers of segments, and no digests of a payload that
// is in several.
func TestCheckSegments(t *testing.T) {
	file := segmentOf("response", "u:1", 1, "WARC-Payload-Digest: sha1:AAAA\n", "one") + segmentOf("continuation", "u:2", 2, origin, "two") +
		segmentOf("continuation", "u:3", 1, "", "two") + segmentOf("continuation", "u:4", 2, "", "two") + segmentOf("resource", "u:5", 2, "", "x") +
		segmentOf("resource", "u:6", 1, "WARC-Concurrent-To: <a>\nWARC-Concurrent-To: <b>\nwarc-date: 2026-01-02\n", "x")
	var got []string
	must.Succeed(t, must.Err(Check(newReader(t, strings.NewReader(file)), func(f Finding) { got = append(got, f.Record+" "+f.What) })))
	want := []string{`u:3 WARC-Segment-Number "1" of a continuation record, wanted 2 or more`, "u:4 no field WARC-Segment-Origin-ID, which a continuation record needs",
		`u:5 WARC-Segment-Number "2" of the record that begins a block, wanted 1`, "u:6 field warc-date more than once"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOddHeads reads records whose version is in lower case, and heads with line ends
// that were converted twice.
func TestOddHeads(t *testing.T) {
	record := func(version, id, block string) string {
		return fmt.Sprintf("%s\r\nWARC-Type: resource\r\nWARC-Record-ID: <%s>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", version, id, len(block), block)
	}
	twice := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }
	for name, file := range map[string]string{
		"lower case":     record("warc/1.0", "u:1", "one") + record("warc/1.0", "u:2", "two"),
		"mixed case":     record("WARC/1.0", "u:1", "one") + record("warc/1.0", "u:2", "two"),
		"CR CR LF":       twice(record("WARC/1.0", "u:1", "one")) + twice(record("WARC/1.0", "u:2", "two")),
		"too long":       strings.Replace(record("warc/1.0", "u:1", "one"), "Length: 3", "Length: 90", 1) + record("warc/1.0", "u:2", "two"),
		"without length": strings.Replace(record("warc/1.0", "u:1", "one"), "Content-Length: 3", "X: y", 1) + record("warc/1.0", "u:2", "two"),
		"garbage":        record("warc/1.0", "u:1", "one") + "garbage\r\n" + record("warc/1.0", "u:2", "two"),
	} {
		all, errs := readAll(t, newReader(t, strings.NewReader(file)))
		if len(all) != 2 || all[1].rec.ID != "u:2" || string(all[1].block) != "two" {
			t.Errorf("%s: %d records, errors %v", name, len(all), errs)
			continue
		}
		if sound := strings.Contains(name, "case") || strings.Contains(name, "CR"); sound != (len(errs) == 0) || sound && string(all[0].block) != "one" {
			t.Errorf("%s: block %q, errors %v", name, all[0].block, errs)
		}
	}
}

// TestARCWithoutVersion reads ARC files that begin with a page, or with a version block
// whose fields are odd.
func TestARCWithoutVersion(t *testing.T) {
	pages := arcFile[strings.Index(arcFile, "http://example.org/a"):]
	for name, file := range map[string]string{
		"none": pages, "blank lines": "\n\n" + pages, "dashes": "filedesc:// - - - 7\n1 0 Test\n" + pages,
		"media type with blanks": strings.Replace(pages, "text/html 47", "text/html; charset=utf-8 47", 1),
	} {
		all, _ := readAll(t, newReader(t, strings.NewReader(file)))
		if len(all) < 3 || all[len(all)-3].rec.URI != "http://example.org/a b?c=d e" || !strings.HasSuffix(string(all[len(all)-3].block), "one") {
			t.Errorf("%s: %d records", name, len(all))
		}
	}
}

// TestDate accepts the dates of WARC 1.1.
func TestDate(t *testing.T) {
	for stated, want := range map[string]string{
		"2026-01-02T03:04:05Z": "2026-01-02T03:04:05Z", "2026-01-02t03:04:05z": "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456789Z": "2026-01-02T03:04:05.123456789Z",
		"2026": "2026", "2026-01": "2026-01", "2026-01-02": "2026-01-02", "2026-01-02T03:04Z": "2026-01-02T03:04Z",
		"blue monday": "", "": "", "9999-99-99T99:99:99Z": "", "20260102030405": "",
	} {
		if got := Date(stated); got != want {
			t.Errorf("%q: %q, want %q", stated, got, want)
		}
	}
	for stated, want := range map[string]string{"200012120739": "2000-12-12T07:39:00Z", "2000121207394211": "2000-12-12T07:39:42Z", "20001212": "2000-12-12T00:00:00Z", "-": "-"} {
		if got := arcDate(stated); got != want {
			t.Errorf("%q: %q, want %q", stated, got, want)
		}
	}
}

// TestFalseVersions finds the first version line after lines that only begin like one: a
// search that began again at each of them would not end.
func TestFalseVersions(t *testing.T) {
	block := strings.Repeat("\nwarc/x", 1_000_000)
	looks := 0
	if i := indexVersion([]byte(block+"\nwarc/1.0\r"), func(int) bool { looks++; return true }); i != len(block)+1 || looks != 1 {
		t.Errorf("found at %d, want %d; %d looks", i, len(block)+1, looks)
	}
	if i := indexVersion([]byte("x\nWARC/1.0\r\nwarc/1.0\r"), func(at int) bool { return at > 2 }); i != 12 {
		t.Errorf("found at %d, want 12", i)
	}
}
