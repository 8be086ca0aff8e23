package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestCrawlReplay starts the server, opens the printed address, and follows it to a page.
func TestCrawlReplay(t *testing.T) {
	dir := t.TempDir()
	writeWARC(t, filepath.Join(dir, "crawl.warc.gz"), 24, 5)
	addresses, out := io.Pipe()
	var msg strings.Builder
	ended := make(chan int, 1)
	go func() {
		code := run([]string{"crawl", "replay", dir, "--listen", "127.0.0.1:0", "--token", "finch"}, &console{strings.NewReader(""), out, &msg})
		out.Close()
		ended <- code
	}()
	lines := bufio.NewScanner(addresses)
	if !lines.Scan() {
		t.Fatal(msg.String())
	}
	address := lines.Text()
	jar := must.Get(cookiejar.New(nil))(t)
	browser := &http.Client{Jar: jar}
	read := func(address string) string {
		t.Helper()
		a := must.Get(browser.Get(address))(t)
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		if must.Succeed(t, err); a.StatusCode != 200 {
			t.Errorf("%s: status %d: %s", address, a.StatusCode, b)
		}
		return string(b)
	}
	base, _, _ := strings.Cut(address, "/?token=")
	if text := read(address); !strings.Contains(text, "https://pages.example/3") {
		t.Errorf("list:\n%s", text)
	}
	if text := read(base + "/archive/content?url=https://pages.example/3"); !strings.Contains(text, "<p>") {
		t.Errorf("page:\n%s", text)
	}
	if text := read(base + "/archive/blocks?url=https://pages.example/3"); !strings.Contains(text, `id="data"`) {
		t.Errorf("blocks:\n%.500s", text)
	}
	if a, err := http.Get(base + "/archive/"); err != nil || a.StatusCode != 401 {
		t.Errorf("without the token: %v, %v", a, err)
	}
	terminate(t)
	if code := <-ended; code != 0 {
		t.Errorf("code %d: %s", code, msg.String())
	}
}
