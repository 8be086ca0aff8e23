package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveHosts implements the script command "proxy DIR". It starts an HTTP proxy that answers
// requests to a host with the files in DIR/HOST, with their hashes as ETag, and sets $PROXY to its URL.
func serveHosts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: proxy DIR")
	}
	web := os.DirFS(ts.MkAbs(args[0]))
	files := http.FileServerFS(web)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/" + r.URL.Hostname() + r.URL.Path
		if b, err := fs.ReadFile(web, r.URL.Path[1:]); err == nil { // files may change within a second
			w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(b)))
		}
		files.ServeHTTP(w, r)
	}))
	ts.Defer(proxy.Close)
	ts.Setenv("PROXY", proxy.URL)
}
