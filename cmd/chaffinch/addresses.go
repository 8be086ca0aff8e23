package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/store"
	"chaffinch/build/store/remote"
	"chaffinch/format/sniff"
	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/workdir"
)

// remoteFiles holds the inputs from addresses and the output to an address in a temporary folder.
type remoteFiles struct {
	work   *workdir.Folder
	pieces []input.Piece // the inputs; nil if no input is an address
	out    string        // address or file of the output
	to     string        // the address of the output, "" for none
}

// fetchAway prepares a command that is not run in ranks: inputs that are addresses are
// fetched, and an output that is one is written to a temporary file. pages makes WARC
// records of HTML pages. End it.
func fetchAway(ctx context.Context, inputs []string, out string, pages bool) (a *remoteFiles, err error) {
	a = &remoteFiles{out: out}
	remoteInput := slices.ContainsFunc(inputs, store.IsAddress)
	if !remoteInput && !store.IsAddress(out) {
		return a, nil
	}
	if a.work, err = workdir.Temp(); err != nil {
		return nil, err
	}
	if store.IsAddress(out) {
		if scheme, _, _ := strings.Cut(out, "://"); scheme == "http" || scheme == "https" {
			err = fmt.Errorf("-o %s: cannot write to the web: name a file, or s3://bucket/name", out)
		} else if base(out) == "" || strings.HasSuffix(out, "/") {
			err = fmt.Errorf("-o %s: name a file there, such as %scorpus.jsonl.zst", out, strings.TrimSuffix(out, "/")+"/")
		}
		a.to, a.out = out, filepath.Join(a.work.Path, "out", base(out))
		err = cmp.Or(err, disk.MkdirAll(filepath.Dir(a.out)))
	}
	for i, in := range inputs {
		if err != nil || !remoteInput {
			break
		}
		var list []input.Piece
		list, err = fetchInput(ctx, in, filepath.Join(a.work.Path, fmt.Sprint(i)), pages)
		a.pieces = append(a.pieces, list...)
	}
	if err != nil {
		return nil, errors.Join(err, a.work.Close())
	}
	return a, nil
}

// paths returns the files to be read in place of inputs.
func (a *remoteFiles) paths(inputs []string) []string {
	if a.pieces == nil {
		return inputs
	}
	var list []string
	for i := range a.pieces {
		list = append(list, a.pieces[i].Path())
	}
	return list
}

// end sends the output to its address, unless the command failed, and removes temporary
// files.
func (a *remoteFiles) end(ctx context.Context, failed error) error {
	if a.work == nil {
		return failed
	}
	if a.to != "" && (failed == nil || errors.As(failed, new(errNo))) {
		s, name, err := addresses()(a.to)
		if err == nil {
			err = s.Put(ctx, name, a.out, true)
		}
		failed = cmp.Or(err, failed)
	}
	if failed != nil && a.pieces != nil {
		failed = remoteError{failed, a.pieces}
	}
	return errors.Join(failed, a.work.Close())
}

// remoteError is an error that names addresses in place of the files that were fetched.
type remoteError struct {
	error
	pieces []input.Piece
}

func (e remoteError) Error() string {
	text := e.error.Error()
	for _, p := range e.pieces {
		if p.At != "" {
			text = strings.ReplaceAll(text, p.At, p.Name)
		}
	}
	return text
}

func (e remoteError) Unwrap() error { return e.error }

// fetchInput fetches what an input names, if that is an address, to a folder.
func fetchInput(ctx context.Context, in, dir string, pages bool) ([]input.Piece, error) {
	scheme, _, _ := strings.Cut(in, "://")
	_, name := packed.CutSuffix(in)
	switch {
	case in == "-":
		return nil, errors.New("standard input cannot be combined with addresses: save it to a file and name the file")
	case !store.IsAddress(in):
		return input.List([]string{in}), nil
	case scheme != "http" && scheme != "https", strings.HasSuffix(name, ".paths"):
		return cluster.Bring(ctx, []string{in}, addresses(), dir)
	}
	if err := disk.MkdirAll(dir); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, nameAt(in))
	start := time.Now()
	answer, err := remote.Download(ctx, remote.Default, in, file)
	if err != nil {
		return nil, err
	}
	p := input.Piece{Name: in, At: file, Named: true, Size: answer.Size}
	if !pages || answer.Size > maxRecord || !isPage(file, answer.Header) {
		return []input.Piece{p}, nil
	}
	if p.Size, err = asRecord(file, answer, start); err != nil {
		return nil, err
	}
	return []input.Piece{p}, nil
}

// maxRecord bounds a page that becomes a record, which is made in memory.
const maxRecord = 64 << 20

// nameAt returns a file name for the content of an address.
func nameAt(address string) string {
	if u, err := url.Parse(address); err == nil {
		if name := path.Base(u.Path); name != "/" && name != "." && len(name) < 200 {
			return name
		}
	}
	return "page"
}

// isPage reports whether an answer is an HTML page.
func isPage(file string, h http.Header) bool {
	switch media, _ := warc.MediaType(h.Get("Content-Type")); media {
	case "text/html", "application/xhtml+xml":
		return true
	case "", "text/plain", "application/xml", "text/xml":
		f, err := os.Open(file)
		if err != nil {
			return false
		}
		defer f.Close()
		head := make([]byte, sniff.Bytes)
		n, _ := f.ReadAt(head, 0)
		return sniff.Of(head[:n], file) == sniff.HTML
	}
	return false
}

// asRecord writes a fetched page as a WARC record, which preserves its address, its
// encoding and the server's restrictions on its use.
func asRecord(file string, a remote.Answer, start time.Time) (int64, error) {
	body, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	block := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	if err := a.Header.Write(block); err != nil {
		return 0, err
	}
	block.WriteString("\r\n")
	block.Write(body)
	var record bytes.Buffer
	w, err := warc.NewWriter(&record, warc.WriterConfig{})
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(warc.Entry{Type: "response", ID: a.Address, URI: a.Address, Date: start.UTC().Format(time.RFC3339), ContentType: "application/http; msgtype=response", Block: block.Bytes()}); err != nil {
		return 0, err
	}
	return int64(record.Len()), files.WriteFile(file, record.Bytes())
}
