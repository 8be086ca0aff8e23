package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"chaffinch/internal/disk"
	"chaffinch/internal/readers"
)

// MaxUnsized is the maximum size in bytes of a response without a stated length that
// [Download] accepts.
const MaxUnsized = 1 << 30

// Answer is the response of a server to a download.
type Answer struct {
	// Address is the address of the file, after redirects.
	Address string
	Header  http.Header
	Size    int64
}

// Download writes the response for an http or https address to a file. Unlike a
// [store.Store] it requires neither a stated length nor ranges, so it can also fetch pages.
func Download(ctx context.Context, cfg Config, address, file string) (a Answer, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return a, fmt.Errorf("address %s: wanted one such as https://host/name", address)
	}
	w := newWeb(u.Scheme+"://"+u.Host, &service{Config: cfg.withDefaults(), way: "wanted the address of a server"})
	defer w.client.CloseIdleConnections()
	_, name, _ := strings.Cut(strings.TrimPrefix(address, u.Scheme+"://"), "/")
	name, _, _ = strings.Cut(name, "#")
	err = w.cfg.retry(ctx, func(int) error {
		res, err := w.ask(ctx, http.MethodGet, name, http.Header{})
		if err != nil {
			return err
		}
		defer res.Body.Close()
		a = Answer{Address: res.Request.URL.String(), Header: res.Header}
		a.Size, err = save(file, res)
		return err
	})
	if err != nil && !strings.Contains(err.Error(), address) {
		err = fmt.Errorf("%s: %w", address, err)
	}
	return a, err
}

// save writes a response to a file.
func save(file string, res *http.Response) (n int64, err error) {
	out, err := disk.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	in := io.Reader(res.Body)
	if res.ContentLength < 0 {
		in = io.LimitReader(in, MaxUnsized+1)
	}
	n, err = io.Copy(out, in)
	switch {
	case err != nil && errors.Is(err, res.Request.Context().Err()):
		return n, err
	case err != nil:
		return n, &again{err: fmt.Errorf("the connection breaks at byte %d: %w", n, readers.Unexpected(err))}
	case res.ContentLength < 0 && n > MaxUnsized:
		return n, fmt.Errorf("more than %d bytes, and the server does not state how many", MaxUnsized)
	}
	return n, nil
}
