package main

import (
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// serveHosts implements the script command "proxy DIR". It starts an HTTP proxy that answers
// requests to a host with the files in DIR/HOST, and sets $PROXY to its URL.
func serveHosts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: proxy DIR")
	}
	files := http.FileServerFS(os.DirFS(ts.MkAbs(args[0])))
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.Path = "/" + r.URL.Hostname() + r.URL.Path
		files.ServeHTTP(w, r)
	}))
	ts.Defer(proxy.Close)
	ts.Setenv("PROXY", proxy.URL)
}
