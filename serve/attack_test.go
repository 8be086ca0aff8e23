package serve

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// attacked is a server on a socket with small limits.
func attacked(t *testing.T) (address string, s *Server) {
	t.Helper()
	s = must.Get(New(Config{Token: "secret", Limits: Limits{Workers: 2, Queue: 4, Body: 1 << 20, Idle: 300 * time.Millisecond}}))(t)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		s.Close()
	})
	return l.Addr().String(), s
}

// packedZeros is a body of gzip that unpacks to so many bytes.
func packedZeros(t *testing.T, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("<p>The ferry leaves the island at nine in the morning.</p>"))
	if _, err := io.CopyN(z, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	z.Close()
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestAttacks sends what no client sends that means well. Each connection comes to an
// end, by an answer or by being shut; nothing is left at work; and the server answers
// the next one.
func TestAttacks(t *testing.T) {
	address, s := attacked(t)
	const head = "Host: 127.0.0.1\r\nAuthorization: Bearer secret\r\n"
	post := func(path, kind, more string, body []byte) string {
		return "POST " + path + " HTTP/1.1\r\n" + head + "Content-Type: " + kind + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n" + more + "\r\n" + string(body)
	}
	packed := packedZeros(t, 64<<20)
	many := strings.Repeat("X-A: b\r\n", 20_000)
	deep := bytes.Repeat([]byte("["), 1<<19)
	record := "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 99999999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>x"
	for _, c := range []struct {
		name, send string
		want       string // beginnings of the status, with | between; "" for a connection that is shut
	}{
		{"slow headers", "GET /healthz HTTP/1.1\r\n" + head, "|408"},
		{"half a request line", "GET /heal", "|408|400"},
		{"slow body", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>", "4|5|"},
		{"slow body in chunks", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n", "4|5|"},
		{"slow line of a batch", "POST /v1/batch HTTP/1.1\r\n" + head + "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"h\r\n", "200|4|"},
		{"slow call of a tool", "POST /mcp HTTP/1.1\r\n" + head + "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{", "4|5|"},
		{"a huge header", "GET /v1/about HTTP/1.1\r\n" + head + "X-A: " + strings.Repeat("a", 1<<18) + "\r\n\r\n", "431"},
		{"many headers", "GET /v1/about HTTP/1.1\r\n" + head + many + "\r\n", "431"},
		{"a huge address", "GET /" + strings.Repeat("a", 1<<18) + " HTTP/1.1\r\n" + head + "\r\n", "431|414"},
		{"a huge chunk header", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("0", 1<<16) + "\r\n", "400"},
		{"a chunk header that is no number", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n<p>\r\n0\r\n\r\n", "400"},
		{"a chunk longer than its header says", "POST /v1/tokenize HTTP/1.1\r\n" + head + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n", "400"},
		{"two lengths", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Length: 5\r\nContent-Length: 50\r\n\r\n<p>ab", "400"},
		{"a length and chunks", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "4|200"},
		{"no name of a host", "GET /v1/about HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n", "400"},
		{"two names of a host", "GET /v1/about HTTP/1.1\r\n" + head + "Host: evil.example\r\n\r\n", "400"},
		{"another name in the address", "GET http://evil.example/v1/about HTTP/1.1\r\n" + head + "\r\n", "403"},
		{"an old client without a host", "GET /v1/about HTTP/1.0\r\nAuthorization: Bearer secret\r\n\r\n", "403|400"},
		{"a tunnel", "CONNECT example.org:443 HTTP/1.1\r\n" + head + "\r\n", "4"},
		{"a length above the limit", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nContent-Length: 99999999999\r\n\r\n<p>", "413"},
		{"a negative length", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Length: -1\r\n\r\n", "400"},
		{"chunks above the limit", "POST /v1/clean HTTP/1.1\r\n" + head + "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("10000\r\n"+strings.Repeat("a", 0x10000)+"\r\n", 40), "413"},
		{"a line of a batch above the limit", post("/v1/batch", "application/x-ndjson", "", append([]byte(`{"html":"`), bytes.Repeat([]byte("a"), 3<<20)...)), "200|413"},
		{"a page that unpacks to 64 MB", post("/v1/clean", "text/html", "", packed), "200|4"},
		{"a page that unpacks to 64 MB, as encoded content", post("/v1/clean", "text/html", "Content-Encoding: gzip\r\n", packed), "200|4"},
		{"a record longer than its file", post("/v1/clean", "application/warc", "", []byte(record)), "200|4"},
		{"JSON without an end to its depth", post("/v1/clean", "application/json", "", deep), "400"},
		{"a batch of such JSON", post("/v1/batch", "application/x-ndjson", "", append(deep, '\n')), "200"},
		{"a tool called with such JSON", post("/mcp", "application/json", "Accept: application/json, text/event-stream\r\n", deep), "4"},
		{"elements without an end to their depth", post("/v1/clean", "text/html", "", bytes.Repeat([]byte("<div>"), 200_000)), "200"},
		{"a form without its end", post("/v1/explain", "multipart/form-data; boundary=x", "", []byte("--x\r\nContent-Disposition: form-data; name=\"html\"\r\n\r\n<p>")), "4"},
		{"a form of a million fields", post("/v1/explain", "application/x-www-form-urlencoded", "", bytes.Repeat([]byte("a&"), 1<<18)), "4|200"},
		{"out of the folder of the page", "GET /assets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\r\n" + head + "\r\n", "404"},
		{"out of the folder, plainly", "GET /assets/../../../../etc/passwd HTTP/1.1\r\n" + head + "\r\n", "404|301|307"},
		{"a corpus out of the folder", "GET /v1/corpora/..%2f..%2fetc/hits?patt=a HTTP/1.1\r\n" + head + "\r\n", "404|422"},
		{"reports where there are none", "GET /v1/reports/view?path=/etc/passwd HTTP/1.1\r\n" + head + "\r\n", "404"},
		{"an id for the log with controls", "GET /v1/about HTTP/1.1\r\n" + head + "X-Request-Id: a\x1b[31m\"\r\n\r\n", "200|400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := must.Get(net.Dial("tcp", address))(t)
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(time.Minute))
			go io.WriteString(conn, c.send) // the server may answer before it has read all
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			status := ""
			if err == nil {
				status = strconv.Itoa(answer.StatusCode)
				b, _ := io.ReadAll(answer.Body)
				if strings.Contains(string(b), "root:") || len(b) > 4<<20 {
					t.Errorf("%d bytes: %.100q", len(b), b)
				}
			} else if ne, ok := err.(net.Error); ok && ne.Timeout() {
				t.Fatal("the connection stays open")
			}
			good := false
			for w := range strings.SplitSeq(c.want, "|") {
				good = good || w == status || w != "" && strings.HasPrefix(status, w)
			}
			if !good {
				t.Errorf("status %q, wanted %s", status, c.want)
			}
			well(t, address, s)
		})
	}
	t.Run("two hundred connections that say nothing", func(t *testing.T) {
		for range 200 {
			conn := must.Get(net.Dial("tcp", address))(t)
			defer conn.Close()
		}
		well(t, address, s)
	})
	t.Run("a client that reads nothing", func(t *testing.T) {
		conn := must.Get(net.Dial("tcp", address))(t)
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/batch HTTP/1.1\r\n%sContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n", head)
		line, _ := json.Marshal(map[string]string{"html": "<p>" + strings.Repeat("The ferry leaves the island at nine in the morning. ", 400)})
		for { // until the server has shut the connection
			if _, err := fmt.Fprintf(conn, "%x\r\n%s\n\r\n", len(line)+1, line); err != nil {
				break
			}
		}
		well(t, address, s)
	})
}

// well wants the server to answer, with nothing at work that was begun before.
func well(t *testing.T, address string, s *Server) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if g := s.gate.Stats(); g.Working == 0 && g.Waiting == 0 && g.BodyBytes == 0 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("left at work: %+v", g)
		}
	}
	r := must.Get(http.NewRequestWithContext(t.Context(), "POST", "http://"+address+"/v1/clean", strings.NewReader(article)))(t)
	r.Header.Set("Authorization", "Bearer secret")
	r.Header.Set("Content-Type", "text/html")
	a := must.Get(http.DefaultClient.Do(r))(t)
	defer a.Body.Close()
	if b, _ := io.ReadAll(a.Body); a.StatusCode != 200 || !bytes.Contains(b, []byte("The chaffinch comes")) {
		t.Errorf("afterwards: %d %s", a.StatusCode, b)
	}
}

// TestForged: whatever another site can send in the name of a person whose browser
// has the cookie is refused, on every path that takes a body.
func TestForged(t *testing.T) {
	s := start(t, Config{Token: "secret"})
	_, body := s.do(t, bearer(t, "GET", s.URL+"/openapi.json"))
	var api struct {
		Paths map[string]map[string]any
	}
	must.Succeed(t, json.Unmarshal([]byte(body), &api))
	api.Paths["/mcp"] = map[string]any{"post": nil}
	cookie := s.login(t, "secret")
	r := bearer(t, "GET", s.URL+"/v1/about")
	r.Header.Del("Authorization")
	r.AddCookie(cookie)
	if a, b := s.do(t, r); a.StatusCode != 200 {
		t.Fatalf("the cookie: status %d: %s", a.StatusCode, b)
	}
	for path, methods := range api.Paths {
		if _, ok := methods["post"]; !ok {
			continue
		}
		for name, header := range map[string][2]string{"from another site": {"Sec-Fetch-Site", "cross-site"}, "from a neighbour": {"Sec-Fetch-Site", "same-site"}, "of another origin": {"Origin", "https://evil.example"}, "of no origin": {"Origin", "null"}} {
			t.Run(path+" "+name, func(t *testing.T) {
				for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"} {
					r := must.Get(http.NewRequestWithContext(t.Context(), "POST", s.URL+path, strings.NewReader("html=<p>x")))(t)
					r.Header.Set("Content-Type", kind)
					r.Header.Set(header[0], header[1])
					r.AddCookie(cookie)
					if a, b := s.do(t, r); a.StatusCode != 403 {
						t.Errorf("%s: status %d: %s", kind, a.StatusCode, b)
					}
				}
			})
		}
	}
}

// login returns the cookie of a browser that opens the server with a token.
func (s *testServer) login(t *testing.T, token string) *http.Cookie {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), "GET", s.URL+"/?token="+token, nil))(t)
	a := must.Get(http.DefaultTransport.RoundTrip(r))(t)
	must.Succeed(t, a.Body.Close())
	if len(a.Cookies()) != 1 {
		t.Fatalf("cookies %v", a.Cookies())
	}
	return a.Cookies()[0]
}

func bearer(t *testing.T, method, url string) *http.Request {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, url, nil))(t)
	r.Header.Set("Authorization", "Bearer secret")
	return r
}

// TestHostileFiles chooses files in the browser whose names and content would like to be
// more than text: nothing becomes an element, no script runs.
func TestHostileFiles(t *testing.T) {
	s := start(t, Config{})
	b := testkit.Open(t, s.URL+"/", 1000, "Content Security Policy", "sandboxed", "ERR_BLOCKED_BY_CSP")
	b.Eval(`window.alert = () => { document.body.dataset.ran = "yes" }; 0`)
	dir := t.TempDir()
	var files []string
	for i, name := range []string{`<img src=x onerror=alert(1)>.html`, `"><script>alert(2)<.txt`, "javascript:alert(3).html", "${alert(4)}.html", `'onload='alert(5).html`, "\u202egpj.html"} {
		text := `<title><img src=x onerror=parent.alert(6)></title><meta name=author content="<script>alert(7)</script>"><p onclick="alert(8)" id="` + name + `"><svg onload=top.alert(9)></svg>
The ferry leaves the island at nine in the morning, and nobody has seen it late.<script>top.document.body.dataset.ran = "yes"; alert(10)</script><a href="javascript:alert(11)">a</a>
<iframe srcdoc="<script>top.alert(12)</script>"></iframe><base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example"></p>`
		if strings.HasSuffix(name, ".txt") {
			text = "<script>alert(13)</script> in plain text that is long enough to be kept as a line of text, at nine in the morning."
		}
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "∕"))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(i, err)
		}
		files = append(files, file)
	}
	b.Files("#files", files...)
	b.Wait(`document.querySelectorAll(".walk tbody a").length === ` + strconv.Itoa(len(files)))
	for at := range files {
		for _, view := range []string{"page", "text", "diff", "rules"} {
			b.Eval(fmt.Sprintf(`location.hash = "#clean?view=%s&at=%d"`, view, at))
			b.Wait(`!document.querySelector("#view-clean .out [role=status]") && document.querySelector("#view-clean .told").innerText.length > 5`)
			if made := b.Eval(`[document.querySelectorAll("#view-clean :is(.walk, .told, .out) :is(img, script, svg:not(.plot svg), base, meta)").length, document.body.dataset.ran || "no"].join()`); made != "0,no" {
				t.Errorf("file %d, view %s: %s elements made, a script ran", at, view, made)
			}
		}
	}
}
