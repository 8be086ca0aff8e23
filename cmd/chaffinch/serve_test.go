package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestServe starts a server as a person does, asks it, and ends it by a signal.
func TestServe(t *testing.T) {
	addresses, out := io.Pipe()
	var msg strings.Builder
	ended := make(chan int, 1)
	go func() {
		ended <- run([]string{"serve", "--listen", "127.0.0.1:0", "--token", "finch"}, &console{strings.NewReader(""), out, &msg})
	}()
	lines := bufio.NewScanner(addresses)
	if !lines.Scan() {
		t.Fatal(msg.String())
	}
	address := lines.Text()
	base, token, ok := strings.Cut(address, "/?token=")
	if !ok || token != "finch" {
		t.Fatalf("address %q", address)
	}
	for path, want := range map[string]int{"/healthz": 200, "/v1/about": 401} {
		a := must.Get(http.Get(base + path))(t)
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("%s: status %d, wanted %d", path, a.StatusCode, want)
		}
	}
	terminate(t)
	if code := <-ended; code != 0 {
		t.Errorf("code %d: %s", code, msg.String())
	}
}

// terminate asks this process to end, as kill does.
func terminate(t *testing.T) {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Signal(syscall.SIGTERM)
	}
	if err != nil {
		t.Error(err)
	}
}

// TestServeUsedPort: the error names a way to a free port.
func TestServeUsedPort(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	if _, errs := runs(t, 2, "serve", "--listen", l.Addr().String()); !strings.Contains(errs, "or --listen 127.0.0.1:0 for a free one") {
		t.Error(errs)
	}
}

// TestServeRefuses: an address that others reach needs a token or --open, and a name.
func TestServeRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--listen 0.0.0.0:0", "other machines can reach this address: set a token"},
		{"--listen :0", "other machines can reach this address: set a token"},
		{"--listen 0.0.0.0:0 --open", "name the server with --host"},
		{"--host https://corpora.example.org", "wanted a host name without scheme"},
		{"--host corpora.example.org:8017", "wanted a host name without scheme, port"},
		{"--listen 192.0.2.1:0 --open", "listen tcp 192.0.2.1:0"},
		{"--listen 8017", "wanted an address and a port"},
		{"--open --token x", "can't be used together"},
		{"nothing.idx", "no such folder"},
		{"a/x.idx b/x.idx", "b/x.idx: same name as a/x.idx (x): rename one, such as other=b/x.idx"},
		{"a?b=x", "wanted a corpus name without"},
		{"--max-body lots", "lots"},
		{"--log everything", "must be one of"},
		{"--blank", "need --annotate DIR"},
		{"--annotate no-such-folder", "wanted a set under annotation; --pages FILE,... creates a new set"},
		{"--annotate x --pages no-such-file", "no-such-file"},
		{"--annotate x --pages .", "one is inside the other"},
		{"--annotate x --labels colours", "must be one of"},
		{"--scheme registers", "need --annotate DIR"},
		{"--annotate x --double 0.5", "--double and --random are for documents: add --scheme NAME"},
		{"--annotate x --input-format vertical", "--input-format vertical: blocks of pages are labelled"},
		{"--annotate x --scheme colours", "--annotate scheme colours: no such file: wanted a JSON file, or one of natural, quality, registers"},
		{"--annotate x --scheme quality --blank", "--annotate x: --labels and --blank are for blocks of pages"},
		{"--annotate x --scheme quality", "--annotate x: no documents.jsonl: wanted a set of documents under annotation; --pages FILE,... creates a new set"},
		{"--annotate x --scheme quality --pages no-such-file", "no-such-file: no such file"},
		{"--annotate x --scheme quality --random 2", "--random: 2 (wanted 0 to 1)"},
		{"--queue 0", "--queue: 0 (wanted at least 1)"},
		{"--user-corpora 0", "--user-corpora: 0 (wanted at least 1)"},
		{"--page-time 0s", "--page-time: 0s (wanted above 0)"},
		{"--reports no-such-folder", "no-such-folder: no such file or directory: wanted a folder with reports"},
	} {
		var msg strings.Builder
		code := run(append([]string{"serve"}, strings.Fields(c.args)...), &console{strings.NewReader(""), io.Discard, &msg})
		if code != 2 || !strings.Contains(msg.String(), c.says) {
			t.Errorf("chaffinch serve %s: code %d: %s", c.args, code, msg.String())
		}
	}
}
