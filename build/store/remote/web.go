package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chaffinch/build/store"
)

// web is a host from which files are read.
type web struct {
	cfg    *service
	root   string // scheme and host
	client *http.Client
}

func newWeb(root string, cfg *service) *web {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = dialIdle(t.DialContext, cfg.Idle)
	t.DisableCompression = true // bytes as stored
	t.MaxIdleConnsPerHost = 16  // as many connections as to a store: release programs lack HTTP/2, which shares one connection
	return &web{cfg: cfg, root: root, client: &http.Client{Transport: t}}
}

// String returns the host.
func (w *web) String() string { return w.root }

// ask makes a request once.
func (w *web) ask(ctx context.Context, method, name string, head http.Header) (*http.Response, error) {
	address := w.root + "/" + name
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header = head
	req.Header.Set("User-Agent", "chaffinch")
	res, err := w.client.Do(req)
	if err != nil {
		var of *url.Error
		if errors.As(err, &of) {
			err = of.Err // without method and address
		}
		return nil, &again{err: fmt.Errorf("%s: %w", address, err)}
	}
	switch code := res.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent:
		return res, nil
	case code == http.StatusNotFound, code == http.StatusGone:
		err = missing(address)
	case method == http.MethodHead && (code == http.StatusForbidden || code == http.StatusMethodNotAllowed || code == http.StatusNotImplemented):
		err = errNoHead
	case code == http.StatusPreconditionFailed, code == http.StatusRequestedRangeNotSatisfiable:
		err = fmt.Errorf("%s: %w", address, errChanged)
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		err = &again{err: fmt.Errorf("%s: the server says: %s", address, res.Status), wait: time.Duration(seconds) * time.Second}
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		err = fmt.Errorf("%s: the server says: %s: files of the web are read without a password; an address that is signed may have expired", address, res.Status)
	default:
		err = fmt.Errorf("%s: the server says: %s", address, res.Status)
	}
	res.Body.Close()
	return nil, err
}

// Stat returns the properties of a file.
func (w *web) Stat(ctx context.Context, name string) (o store.Object, err error) {
	err = w.cfg.retry(ctx, func(int) error {
		res, err := w.ask(ctx, http.MethodHead, name, http.Header{})
		if errors.Is(err, errNoHead) {
			res, err = w.ask(ctx, http.MethodGet, name, http.Header{"Range": {"bytes=0-0"}})
		}
		if err != nil {
			return err
		}
		res.Body.Close()
		size := res.ContentLength
		if res.StatusCode == http.StatusPartialContent {
			_, total, _ := strings.Cut(res.Header.Get("Content-Range"), "/")
			if size, err = strconv.ParseInt(total, 10, 64); err != nil {
				size = -1
			}
		}
		if size < 0 {
			return fmt.Errorf("%s/%s: the server does not report its size, so it cannot be read in parts", w.root, name)
		}
		changed, _ := http.ParseTime(res.Header.Get("Last-Modified"))
		o = store.Object{Name: name, Size: size, Tag: tagOf(res.Header), Changed: changed}
		return nil
	})
	return o, err
}

// errNoHead is the error of a server that refuses HEAD requests, such as S3 for an address that is signed for
// GET.
var errNoHead = errors.New("the server refuses HEAD requests")

// tagOf returns a tag that differs between versions of a file at the same address.
func tagOf(h http.Header) string {
	return first(strings.Trim(strings.TrimPrefix(h.Get("ETag"), "W/"), `"`), h.Get("Last-Modified"))
}

// Open opens a part of a file.
func (w *web) Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error) {
	o, n, err := extent(ctx, w, name, from, n)
	if err != nil {
		return nil, err
	}
	return newBody(ctx, w.cfg, w.root+"/"+name, from, n, func(ctx context.Context, from, n int64) (io.ReadCloser, error) {
		head := http.Header{}
		if from > 0 || n < o.Size {
			head.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from+n-1))
		}
		res, err := w.ask(ctx, http.MethodGet, name, head)
		if err != nil {
			return nil, err
		}
		if tagOf(res.Header) != o.Tag {
			err = fmt.Errorf("%s/%s: %w", w.root, name, errChanged)
		} else if from > 0 && res.StatusCode == http.StatusOK {
			err = fmt.Errorf("%s/%s: the server does not support ranges: download the file, and name the copy", w.root, name)
		} else if e := begins(res.Header, from); e != nil {
			err = fmt.Errorf("%s/%s: %w", w.root, name, e)
		}
		if err != nil {
			res.Body.Close()
			return nil, err
		}
		return res.Body, nil
	})
}

// errReadOnly is the error of writes.
var errReadOnly = errors.New("files of the web are only read: wanted a folder, or s3://")

// List yields an error, because the web has no folders.
func (w *web) List(_ context.Context, prefix string) iter.Seq2[store.Object, error] {
	return func(yield func(store.Object, error) bool) {
		yield(store.Object{}, fmt.Errorf("%s/%s: the web has no folders: name files, or a list of paths (warc.paths.gz)", w.root, prefix))
	}
}

// Put returns an error.
func (w *web) Put(_ context.Context, name, _ string, _ bool) error {
	return fmt.Errorf("%s/%s: %w", w.root, name, errReadOnly)
}

// Remove returns an error.
func (w *web) Remove(_ context.Context, name string) error {
	return fmt.Errorf("%s/%s: %w", w.root, name, errReadOnly)
}
