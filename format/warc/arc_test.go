package warc

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

const arcFile = "filedesc://x.arc 127.0.0.1 20140216050221 text/plain 66\n" +
	"1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n\n" + "\n" +
	"http://example.org/a b?c=d e 127.0.0.1 20140216050222 text/html 47\n" +
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\none\n" + "\n" +
	"http://example.org/2 127.0.0.1 20140216050223 text/html abc\n" +
	"HTTP/1.1 200 OK\n\nlost\n\n" +
	"http://example.org/3 127.0.0.1 20140216050224 text/plain 5\n" +
	"three\n"

func TestARC(t *testing.T) {
	want := `warcinfo "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n"
response "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\none"
response ""
response "three"
! byte 240: wrong length: "abc" of http://example.org/2
`
	f := arcFile
	if got := describeAll(t, newReader(t, strings.NewReader(f))); got != want {
		t.Errorf("got\n%s\nwanted\n%s", got, want)
	}
	r := newReader(t, bytes.NewReader(testkit.Gzip([]byte(f))))
	all, _ := readAll(t, r)
	if len(all) != 4 || all[1].rec.URI != "http://example.org/a b?c=d e" || all[1].rec.Date != "2014-02-16T05:02:22Z" {
		t.Fatalf("%+v", all)
	}
	r = newReader(t, bytes.NewReader(testkit.Gzip([]byte(f))))
	must.Succeed(t, r.Seek(all[3].rec.Pos))
	if rec, err := r.Next(); err != nil || rec.URI != "http://example.org/3" {
		t.Errorf("after Seek: %v", err)
	}
}

func TestParseARC(t *testing.T) {
	for line, want := range map[string]string{
		"http://a.b/c 1.2.3.4 20140216050221 text/html 12":                          "http://a.b/c 12",
		"http://a.b/ c d 1.2.3.4 20140216050221 text/html 12":                       "http://a.b/ c d 12",
		"http://a.b/c 1.2.3.4 20140216050221 text/html 200 - - 55 x.arc.gz 12":      "http://a.b/c 12",
		"dns:a.b 1.2.3.4 20140216050221 text/dns 12\r":                              "dns:a.b 12",
		"no address here 1.2.3.4 20140216050221 text/html 12":                       "",
		"see http://a.b/c for more than four words":                                 "",
		"<a href=\"http://a.b/c\" title=\"x\"> 1.2.3.4 20140216050221 text/html 12": "",
	} {
		l, ok := parseARC(line)
		got := ""
		if ok {
			got = l.uri + " 12"
			if l.length != 12 {
				t.Errorf("%q: length %d", line, l.length)
			}
		}
		if got != want {
			t.Errorf("%q: %q, wanted %q", line, got, want)
		}
	}
}
