package crawl

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/weburl"
)

// seed begins a crawl with its seeds.
func (c *crawl) seed() error {
	links, err := Seeds(c.cfg.Seeds)
	if err != nil {
		return err
	}
	if c.previous != nil {
		old, err := oldSeeds(c.previous.dir)
		if err != nil {
			return err
		}
		links = append(old, links...)
	}
	if len(links) == 0 {
		return errors.New("a crawl needs seeds: URLs to begin with")
	}
	e := event{At: c.now(), Seed: links}
	if _, err := c.note(e); err != nil {
		return err
	}
	return c.apply(e)
}

// Begun reports whether the crawl in a folder was begun with all of these seeds.
func Begun(dir string, seeds []string) (bool, error) {
	links, err := Seeds(seeds)
	if err != nil {
		return false, err
	}
	old, err := oldSeeds(dir)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(links, func(l schedule.Link) bool { return !slices.Contains(old, l) }), nil
}

// Seeds reads URLs as people write them: "https://" may be missing.
func Seeds(list []string) (links []schedule.Link, err error) {
	for _, s := range list {
		whole := s
		if !strings.Contains(s, "://") {
			whole = "https://" + s
		}
		u, err := weburl.Parse(whole, nil)
		if err == nil && whole != s && !strings.Contains(u.Host(), ".") {
			err = errors.New("wanted a URL, or a host with a dot")
		}
		if err != nil {
			return nil, fmt.Errorf("seed %q: %w", s, err)
		}
		n := len(links)
		if links = appendLink(links, u, 1); len(links) == n {
			return nil, fmt.Errorf("seed %q: looks like one of endlessly many URLs: %v", s, u.Normalize().Trap())
		}
	}
	return links, nil
}

// retryAfter returns what the field Retry-After asks for (RFC 9110, section
// 10.2.3), 0 if it asks for nothing that can be read.
func retryAfter(resp *fetch.Result) time.Duration {
	v := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if n, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(at.Sub(resp.Start.Add(resp.Total)), 0)
	}
	return 0
}
