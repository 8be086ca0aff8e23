package serve

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"chaffinch/internal/testkit/must"
)

// deadlines is a connection that records its deadlines.
type deadlines struct {
	*httptest.ResponseRecorder
	body     io.Reader
	deadline time.Time // of the next read
	bare     int       // reads without a deadline
	ended    bool
	late     int // deadlines that were set after the end of the body
	written  int // since the last deadline of a write
	most     int // bytes that were written with one deadline
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	if d.deadline = t; d.ended && !t.IsZero() {
		d.late++
	}
	return nil
}

func (d *deadlines) SetWriteDeadline(time.Time) error {
	d.written = 0
	return nil
}

func (d *deadlines) EnableFullDuplex() error { return nil }

func (d *deadlines) Read(b []byte) (int, error) {
	if d.deadline.IsZero() {
		d.bare++
	}
	n, err := d.body.Read(b)
	if err == io.EOF {
		d.ended, d.deadline = true, time.Time{} // net/http waits for the next request from now on
	}
	return n, err
}

func (d *deadlines) Close() error { return nil }

func (d *deadlines) Write(b []byte) (int, error) {
	d.written += len(b)
	d.most = max(d.most, d.written)
	return d.ResponseRecorder.Write(b)
}

// TestBodyDeadlines: every read of a body has a deadline, so that no client holds a place by sending
// nothing, and none is set after the end of the body: it would cancel a request that takes long.
func TestBodyDeadlines(t *testing.T) {
	s := must.Get(New(Config{Token: "secret"}))(t)
	t.Cleanup(func() { s.Close() })
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, article)
	must.Succeed(t, z.Close())
	for name, c := range map[string]struct {
		path, kind, body string
		header           []string
		want             int
	}{
		"page":             {"/v1/clean", "text/html", article, nil, 200},
		"packed page":      {"/v1/clean", "text/html", packed.String(), []string{"Content-Encoding", "gzip"}, 200},
		"form with a file": {"/v1/clean", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=html\r\n\r\n" + article + "\r\n--x--\r\n", nil, 200},
		"form of fields":   {"/v1/explain", "application/x-www-form-urlencoded", "html=<p>A+page.</p>", nil, 200},
		"batch":            {"/v1/batch", "application/x-ndjson", strings.Repeat(`{"html":"<p>A page."}`+"\n", 3), nil, 200},
		"tool":             {"/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string{"Accept", "application/json, text/event-stream"}, 200},
		"token":            {"/", "application/x-www-form-urlencoded", "token=secret", []string{"Accept", "text/html", "Authorization", ""}, 303},
		"nothing":          {"/v1/nothing", "text/html", article, nil, 404},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1"+c.path, strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer secret")
		r.Header.Set("Content-Type", c.kind)
		for i := 0; i < len(c.header); i += 2 {
			r.Header.Set(c.header[i], c.header[i+1])
		}
		d := &deadlines{ResponseRecorder: httptest.NewRecorder(), body: iotest.DataErrReader(strings.NewReader(c.body))}
		r.Body = d
		s.Handler().ServeHTTP(d, r)
		if !d.ended && d.deadline.IsZero() {
			t.Errorf("%s: no deadline for the rest of the body", name) // which net/http reads
		}
		if d.Code != c.want || d.bare > 0 || d.late > 0 {
			t.Errorf("%s: status %d, %d reads without a deadline, %d deadlines after the end of the body", name, d.Code, d.bare, d.late)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1/v1/clean", http.NoBody)
	r.Header.Set("Authorization", "Bearer secret")
	d := &deadlines{ResponseRecorder: httptest.NewRecorder(), ended: true}
	if s.Handler().ServeHTTP(d, r); d.late > 0 {
		t.Errorf("without a body: %d deadlines", d.late)
	}
}

// TestAnswerDeadlines: a client has the idle time for each part of a long answer, not for all of it.
func TestAnswerDeadlines(t *testing.T) {
	s := start(t, Config{}).Server
	d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	all := bytes.Repeat([]byte("0123456789"), 1<<17)
	s.watched(http.NewServeMux(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n, err := w.Write(all); n != len(all) || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	})).ServeHTTP(d, httptest.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1/", nil))
	if !bytes.Equal(d.Body.Bytes(), all) || d.most > 1<<17 {
		t.Errorf("%d bytes with one deadline", d.most)
	}
}
