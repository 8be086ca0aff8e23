//go:build unix

package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestPrepare fails if a worker is started while another one is idle.
func TestPrepare(t *testing.T) {
	log := filepath.Join(t.TempDir(), "starts")
	r := &Reader{Workers: 3, Command: []string{"sh", "-c", `echo >>"$0"; printf '\0\0\0\0\0'; exec cat >/dev/null`, log}}
	defer r.Close()
	starts := func(want int) {
		t.Helper()
		if n := bytes.Count(must.Read(t, log), []byte("\n")); n != want {
			t.Errorf("%d workers were started, want %d", n, want)
		}
	}
	for range 5 {
		must.Succeed(t, r.Prepare(t.Context()))
	}
	starts(1)
	p := must.Get(r.take(t.Context()))(t)
	must.Succeed(t, r.Prepare(t.Context()))
	r.give(p)
	must.Succeed(t, r.Prepare(t.Context()))
	starts(2)
	r.Close()
	must.Succeed(t, r.Prepare(t.Context()))
	starts(3)
	missing := &Reader{Command: []string{"/nowhere/worker"}, Workers: 1}
	for range 2 {
		if err := missing.Prepare(t.Context()); err == nil || errors.Is(err, errTimeout) {
			t.Errorf("missing worker: error %v", err)
		}
	}
}

// shortLived returns the command of a worker that answers a request for a document of 9 pages and one for
// a page, and ends. With once set, it starts once.
func shortLived(t *testing.T, raw []byte, once bool) []string {
	t.Helper()
	p := ocrPage(&wire.Page{Width: 595, Height: 842}, textLines(strings.Repeat("The ships left the harbour at dawn, and nobody believed that they would come back.\n", 9)))
	text := must.Get(p.Encode())(t)
	var answers bytes.Buffer
	for _, b := range [][]byte{nil, []byte(`{"Pages":9}`), text} {
		must.Succeed(t, wire.WriteResponse(&answers, wire.OK, b))
	}
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "answers"), answers.String())
	const head = 9 // bytes of a request without a payload
	script := fmt.Sprintf(`cd "$0" && cat answers && head -c %d >/dev/null`, head+len(raw)+head)
	if once {
		script += " && rm answers"
	}
	return []string{"sh", "-c", script, dir}
}

// TestFailures reads a document whose worker ends after each page: the first pages are kept and the
// document is cut. A worker that cannot be started again is an error.
func TestFailures(t *testing.T) {
	raw := []byte("%PDF-1.7\n")
	r := &Reader{Workers: 1, Rules: true, Command: shortLived(t, raw, false)}
	defer r.Close()
	d := must.Get(r.Read(t.Context(), raw, document.Limits{}))(t)
	if d.Drop != page.None || d.Cut != page.Truncated || !strings.Contains(d.HTML, "harbour") {
		t.Errorf("drop %v, cut %v: %s", d.Drop, d.Cut, d.HTML)
	}
	r = &Reader{Workers: 1, Rules: true, Command: shortLived(t, raw, true)}
	defer r.Close()
	must.Fail(t, must.Err(r.Read(t.Context(), raw, document.Limits{})), "starting a worker of PDF")
}
