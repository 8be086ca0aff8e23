package warc

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

func TestSURT(t *testing.T) {
	for in, want := range map[string]string{
		"http://www.Example.org/A?b=2&a=1":                                   "org,example)/a?a=1&b=2",
		"https://www2.example.org:443/x/":                                    "org,example)/x",
		"http://example.org:8080":                                            "org,example:8080)/",
		"http://127.0.0.1/x":                                                 "1,0,0,127)/x",
		"http://a.b/c//d/../%7Eu?sid=0123456789abcdef0123456789abcdef&X=%41": "b,a)/c/~u?x=a",
		"http://b%C3%BCcher.example/%C3%BC":                                  "example,xn--bcher-kva)/%c3%bc",
		"http://a≠b.example/":                                                "example,xn--ab-miv)/",
		"http://user:pw@a.b.example.org/#top":                                "org,example,b,a)/",
		"http://wwwa.example.org./":                                          "org,example,wwwa)/",
		"urn:uuid:1":                                                         "urn:uuid:1",
	} {
		if got := SURT(in); got != want {
			t.Errorf("%s: %s, wanted %s", in, got, want)
		}
	}
}

func TestIndex(t *testing.T) {
	es := entries()
	var want []int64
	for _, p := range []Packing{Unpacked, Gzip, Zstd} {
		file, offsets := writeAll(t, WriterConfig{Packing: p}, es)
		ends := append(offsets, int64(len(file)))
		want = want[:0]
		for i, e := range es {
			if e.Type == "response" || e.Type == "resource" {
				want = append(want, offsets[i], ends[i+1]-offsets[i])
			}
		}
		var got []CDX
		err := Index(newReader(t, bytes.NewReader(file)), "x.warc", func(c CDX) error { got = append(got, c); return nil },
			func(err error) { t.Error(err) })
		if err != nil || 2*len(got) != len(want) {
			t.Fatalf("%d lines, %v", len(got), err)
		}
		for i, c := range got {
			if parseLength(c.Offset) != want[2*i] || parseLength(c.Length) != want[2*i+1] {
				t.Errorf("%q: line %d says %s+%s, wanted %d+%d", p, i, c.Offset, c.Length, want[2*i], want[2*i+1])
			}
		}
		line := `org,example)/1 20260102030405 {"url":"http://example.org/1","mime":"text/html","status":"200","digest":"sha1:`
		if !strings.HasPrefix(got[1].String(), line) {
			t.Errorf("line is %s", got[1])
		}
	}
	file, _ := writeAll(t, WriterConfig{}, es)
	bad := 0
	Index(newReader(t, bytes.NewReader(testkit.Gzip(file))), "x", func(CDX) error { return nil }, func(err error) {
		must.Is(t, err, ErrShared)
		bad++
	})
	if bad != 1 {
		t.Errorf("ErrShared comes %d times, wanted once", bad)
	}
}

func TestCheck(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
	rec := func(extra string) string {
		return crlf("WARC/1.0\nWARC-Type: response\nWARC-Record-ID: <urn:x:1>\nWARC-Date: 2026-01-02T03:04:05Z\nWARC-Target-URI: http://a.b/\n"+
			"Content-Type: application/http\n"+extra+"Content-Length: 60\n\n") + block + "\r\n\r\n"
	}
	for extra, want := range map[string]string{
		"": "",
		"WARC-Block-Digest: " + Digest([]byte(block)) + "\n":                     "",
		"WARC-Payload-Digest: " + Digest([]byte("abc")) + "\n":                   "",
		"WARC-Payload-Digest: " + Digest([]byte("3\r\nabc\r\n0\r\n\r\n")) + "\n": "",
		"WARC-Payload-Digest: sha1:a9993e364706816aba3e25717850c26c9cd0d89d\n":   "",
		"WARC-Payload-Digest: md5:kAFQmDzST7DWlj99KOF/cg==\n":                    "",
		"WARC-Payload-Digest: crc:1\n":                                           "payload digest \"crc:1\" of an unknown kind",
		"WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n":             "block digest is " + Digest([]byte(block)) + ", stated is sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	} {
		var got []string
		_, err := Check(newReader(t, strings.NewReader(rec(extra))), func(f Finding) { got = append(got, f.What) })
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %q, wanted %q", extra, got, want)
		}
	}
	bad := "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: yesterday\r\nContent-Length: 0\r\n\r\n"
	n, _ := Check(newReader(t, strings.NewReader(bad)), func(f Finding) {})
	if n.Findings != 4 { // no id, no address, no date, no line breaks
		t.Errorf("%d findings, wanted 4", n.Findings)
	}
}
