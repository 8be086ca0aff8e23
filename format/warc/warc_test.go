package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func testDictionary(t testing.TB) []byte {
	t.Helper()
	var samples [][]byte
	for i := range 50 {
		samples = append(samples, testkit.Words(uint64(i), 500))
	}
	return must.Get(zstd.BuildDict(zstd.BuildDictOptions{ID: 7, Contents: samples, History: testkit.Words(99, 5000), Offsets: [3]int{1, 4, 8}}))(t)
}

func TestWriteAndRead(t *testing.T) {
	es := entries()
	for _, cfg := range []WriterConfig{{}, {Version: "WARC/1.0", Packing: Gzip}, {Packing: Gzip, Level: 1}, {Packing: Zstd},
		{Packing: Zstd, Dictionary: testDictionary(t)}} {
		file, offsets := writeAll(t, cfg, es)
		if again, _ := writeAll(t, cfg, es); !bytes.Equal(file, again) {
			t.Errorf("%v: written twice, the bytes differ", cfg.Packing)
		}
		r := newReader(t, bytes.NewReader(file))
		all, errs := readAll(t, r)
		if len(errs) > 0 || len(all) != len(es) {
			t.Fatalf("%q: %d records of %d, errors %v", cfg.Packing, len(all), len(es), errs)
		}
		for i, s := range all {
			if s.rec.Pos != (Pos{Offset: offsets[i]}) {
				t.Errorf("record %d is at %v, written at %d", i, s.rec.Pos, offsets[i])
			}
			if s.rec.Type != es[i].Type || s.rec.URI != es[i].URI || s.rec.Date != es[i].Date || !bytes.Equal(s.block, es[i].Block) {
				t.Errorf("record %d came back as %v with %d bytes", i, s.rec.Header, len(s.block))
			}
			if s.rec.Size != int64(len(es[i].Block)) || s.rec.Tail != 4 {
				t.Errorf("record %d: size %d, %d bytes behind it", i, s.rec.Size, s.rec.Tail)
			}
			if end := append(offsets, int64(len(file)))[i+1]; r.EndOffset(&all[i].rec) != end && i < len(all)-1 {
				t.Errorf("record %d ends at %d, wanted %d", i, r.EndOffset(&all[i].rec), end)
			}
		}
		for _, i := range []int{7, 0, len(es) - 1, 3} {
			must.Succeed(t, r.Seek(all[i].rec.Pos))
			rec, err := r.Next()
			if err != nil || rec.ID != all[i].rec.ID {
				t.Fatalf("after Seek to record %d: %v", i, err)
			}
			rec.Close()
			if i+1 < len(es) && r.Pos() != all[i+1].rec.Pos {
				t.Errorf("behind record %d: Pos %v, wanted %v", i, r.Pos(), all[i+1].rec.Pos)
			}
			var b bytes.Buffer
			if err := r.CopyRecord(&b, rec); err != nil || !strings.HasPrefix(b.String(), "WARC/1.") || !bytes.HasSuffix(b.Bytes(), append(bytes.Clone(es[i].Block), "\r\n\r\n"...)) {
				t.Errorf("CopyRecord %d: %v, %.40q", i, err, b.String())
			}
		}
		sound := func(f Finding) { t.Errorf("%q: Check: %v", cfg.Packing, f) }
		if n, err := Check(newReader(t, bytes.NewReader(file)), sound); err != nil || n.Records != len(es) || n.Digests != 2*len(es)-2 {
			t.Errorf("Check: %+v, %v", n, err)
		}
	}
}

// TestNotByMember reads archives whose members are not their records.
func TestNotByMember(t *testing.T) {
	es := entries()
	file, offsets := writeAll(t, WriterConfig{}, es)
	var slices []byte // members of 1000 bytes
	for b := file; len(b) > 0; {
		n := min(len(b), 1000)
		slices = append(slices, testkit.Gzip(b[:n])...)
		b = b[n:]
	}
	for name, f := range map[string][]byte{"one member": testkit.Gzip(file), "one frame": testkit.Zstd(file), "slices": slices, "twice": testkit.Gzip(testkit.Zstd(file))} {
		r := newReader(t, bytes.NewReader(f))
		all, errs := readAll(t, r)
		if len(errs) > 0 || len(all) != len(es) {
			t.Fatalf("%s: %d records of %d, errors %v", name, len(all), len(es), errs)
		}
		for i, s := range all {
			if !bytes.Equal(s.block, es[i].Block) {
				t.Errorf("%s: block %d differs", name, i)
			}
			if want := (Pos{0, offsets[i]}); name != "slices" && s.rec.Pos != want {
				t.Errorf("%s: record %d at %v, wanted %v", name, i, s.rec.Pos, want)
			}
			must.Succeed(t, r.Seek(s.rec.Pos))
			if rec, err := r.Next(); err != nil || rec.ID != s.rec.ID {
				t.Errorf("%s: after Seek to %v: %v", name, s.rec.Pos, err)
			}
		}
	}
}

// describeAll prints what a reader gives, for comparing with a table.
func describeAll(t testing.TB, r *Reader) string {
	t.Helper()
	all, errs := readAll(t, r)
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s %q\n", s.rec.Type, s.block)
	}
	for _, e := range errs {
		fmt.Fprintf(&b, "! %v\n", e)
	}
	return b.String()
}

const rec1 = "WARC/1.0\nWARC-Type: resource\nContent-Length: 3\n\none\n\n"
const rec2 = "WARC/1.1\nwarc-type: Resource\nCONTENT-LENGTH: 3\n\ntwo\n\n"

var tolerant = []struct{ name, in, want string }{
	{"crlf", crlf(rec1 + rec2), "resource \"one\"\nresource \"two\"\n"},
	{"lf only", rec1 + rec2, "resource \"one\"\nresource \"two\"\n"},
	{"no line breaks behind", strings.TrimRight(rec1, "\n") + rec2, "resource \"one\"\nresource \"two\"\n"},
	{"many line breaks", "\n\n" + rec1 + "\n\n\n\n\n" + rec2 + "\n\n\n", "resource \"one\"\nresource \"two\"\n"},
	{"folded field", crlf("WARC/1.0\nWARC-Type:\n resource\nno colon here\nContent-Length: 3\n\none\n\n"), "resource \"one\"\n"},
	{"header only, at the end", "WARC/1.0\nWARC-Type: resource\nContent-Length: 0\n", "resource \"\"\n"},
	{"empty", "", ""},
	{"garbage before", "some words\nmore\n" + rec1, "resource \"one\"\n! byte 0: no record header: found \"some words\\nmore\\nWARC/1.0\\nWARC-Ty\", wanted a line that begins with WARC/1\n"},
	{"garbage between", rec1 + "words\n" + rec2, "resource \"one\"\nresource \"two\"\n! byte 0: wrong length: 3 bytes, then \"words\\nWARC/1.1\\nwarc-type\" instead of a record; 6 bytes passed\n"},
	{"length too short", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: 2\n\none\n\n" + rec2),
		"resource \"on\"\nresource \"two\"\n! byte 0: wrong length: 2 bytes, then \"e\\r\\n\\r\\nWARC/1.1\\r\\nwarc-type\" instead of a record; 5 bytes passed\n"},
	{"length too long", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: 20\n\none\n\n" + rec2 + rec1),
		"resource \"one\\r\\n\\r\\nWARC/1.1\\r\\nwar\"\nresource \"two\"\nresource \"one\"\n! byte 0: wrong length: length 20, but the next record begins after 3 bytes\n"},
	{"length into the version line", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: 11\n\none\n\n" + rec2),
		"resource \"one\\r\\n\\r\\nWARC\"\nresource \"two\"\n! byte 0: wrong length: length 11, but the next record begins after 3 bytes\n"},
	{"length far too long", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: 999999999999\n\none\n\n" + rec2),
		"resource " + fmt.Sprintf("%q", crlf("one\n\n"+rec2)) + "\nresource \"two\"\n! byte 0: wrong length: length 999999999999, but the next record begins after 3 bytes\n"},
	{"no length", crlf("WARC/1.0\nWARC-Type: resource\n\none\n\n" + rec2),
		"resource \"one\"\nresource \"two\"\n! byte 0: wrong length: Content-Length \"\"; the block is taken to end after 3 bytes, where the next record begins\n"},
	{"length is no number", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: -3\n\none\n\n" + rec2),
		"resource \"one\"\nresource \"two\"\n! byte 0: wrong length: Content-Length \"-3\"; the block is taken to end after 3 bytes, where the next record begins\n"},
	{"a record in a block", crlf("WARC/1.0\nWARC-Type: resource\nContent-Length: " + fmt.Sprint(len(crlf(rec2))) + "\n\n" + rec2 + "\n\n" + rec1),
		"resource " + fmt.Sprintf("%q", crlf(rec2)) + "\nresource \"one\"\n"},
	{"ends in the block", crlf("WARC/1.0\nWARC-Record-ID: <urn:x:1>\nWARC-Type: resource\nContent-Length: 30\n\none"),
		"resource \"one\"\n! byte 0, record urn:x:1: ends early: 3 of 30 bytes\n"},
	{"ends in the header", crlf(rec1) + "WARC/1.0\r\nWARC-Ty", "resource \"one\"\n! byte 59: ends early: the file ends inside the header\n"},
	{"ends in the version", rec1 + "WAR", "resource \"one\"\n! byte 0: wrong length: 3 bytes, then \"WAR\" instead of a record; 3 bytes passed\n"},
}

func TestTolerant(t *testing.T) {
	for _, c := range tolerant {
		for _, way := range []string{"plain", "gzip", "pipe"} {
			var in io.Reader = strings.NewReader(c.in)
			if way == "gzip" && c.in != "" {
				in = bytes.NewReader(testkit.Gzip([]byte(c.in)))
			}
			if way == "pipe" {
				in = io.MultiReader(in) // cannot go back
			}
			want := c.want
			if way == "gzip" { // the same places, counted inside the member
				want = strings.ReplaceAll(want, "byte 59", "byte 0+59")
			}
			if got := describeAll(t, newReader(t, in)); got != want {
				t.Errorf("%s, %s: got\n%s\nwanted\n%s", c.name, way, got, want)
			}
		}
	}
}

// TestSoundInput reads without errors what pipes deliver in small pieces.
func TestSmallPieces(t *testing.T) {
	es := entries()
	file, _ := writeAll(t, WriterConfig{Packing: Gzip}, es)
	all, errs := readAll(t, newReader(t, io.MultiReader(&trickle{b: file})))
	if len(errs) > 0 || len(all) != len(es) {
		t.Errorf("%d records of %d, errors %v", len(all), len(es), errs)
	}
}

// trickle gives one, two, three bytes at a time.
type trickle struct {
	b []byte
	n int
}

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	r.n = r.n%3 + 1
	n := copy(p[:min(len(p), r.n)], r.b)
	r.b = r.b[n:]
	return n, nil
}

func TestDamagedMember(t *testing.T) {
	es := entries()
	for _, p := range []Packing{Gzip, Zstd} {
		file, offsets := writeAll(t, WriterConfig{Packing: p}, es)
		const k = 8 // a response of 100000 bytes
		for i := range 30 {
			file[int(offsets[k])+2000+i] ^= 0x77
		}
		for _, in := range []io.Reader{bytes.NewReader(file), io.MultiReader(bytes.NewReader(file))} {
			all, errs := readAll(t, newReader(t, in))
			if len(errs) != 1 || errs[0].(*Error).Pos.Offset != offsets[k] {
				t.Errorf("%s: errors %v, wanted one at %d", p, errs, offsets[k])
			}
			ids := map[string]int{}
			for _, s := range all {
				ids[s.rec.Type+s.rec.URI] = len(s.block)
			}
			for i, e := range es {
				n, ok := ids[e.Type+e.URI]
				if !ok && i != k || ok && i != k && n != len(e.Block) {
					t.Errorf("%s: record %d is lost behind the damage", p, i)
				}
			}
		}
	}
}

func TestCut(t *testing.T) {
	es := entries()
	for _, p := range []Packing{Unpacked, Gzip, Zstd} {
		file, offsets := writeAll(t, WriterConfig{Packing: p}, es)
		for i := 1; i < len(es); i++ {
			cut := int(offsets[i] + (append(offsets, int64(len(file)))[i+1]-offsets[i])/2)
			all, errs := readAll(t, newReader(t, bytes.NewReader(file[:cut])))
			if len(errs) != 1 || len(all) < i || len(all) > i+1 || errs[0].(*Error).Pos.Offset != offsets[i] {
				t.Errorf("%q cut inside record %d at %d: %d records, errors %v", p, i, cut, len(all), errs)
			}
		}
	}
}

func TestOversizeHeader(t *testing.T) {
	in := "WARC/1.0\r\nX: " + strings.Repeat("a", 3<<20) + "\r\n\r\n" + crlf(rec2)
	got := describeAll(t, newReader(t, strings.NewReader(in)))
	if want := "resource \"two\"\n! byte 0: no record header: more than 1048576 bytes without an empty line\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestFarTooLong goes back behind a block that has swallowed more than is kept
// in memory.
func TestFarTooLong(t *testing.T) {
	testkit.Slow(t)
	var b bytes.Buffer
	const n = 40
	for i := range n {
		fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:%d>\r\nContent-Length: 123456789\r\n\r\n%s\r\n\r\n", i, testkit.Words(uint64(i), 200000))
	}
	for _, c := range []struct {
		in    io.Reader
		least int
	}{
		{bytes.NewReader(b.Bytes()), n},
		{bytes.NewReader(testkit.Gzip(b.Bytes())), n},
		{io.MultiReader(bytes.NewReader(b.Bytes())), 1},
	} {
		all, errs := readAll(t, newReader(t, c.in))
		if len(all) < c.least || len(errs) != len(all) {
			t.Errorf("%d records, wanted %d at least; %d errors", len(all), c.least, len(errs))
		}
		for i, s := range all[:c.least] {
			if s.rec.ID != fmt.Sprintf("urn:x:%d", i) || i < len(all)-1 && s.rec.Size != 200000 {
				t.Errorf("record %d is %s with %d bytes", i, s.rec.ID, s.rec.Size)
			}
		}
	}
}
