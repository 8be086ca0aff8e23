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
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// seed starts a crawl with its seeds.
func (c *crawl) seed() error {
	links := ParseSeeds(c.cfg.Seeds, c.cfg.OnError)
	if c.previous != nil {
		links = slices.Concat(c.previous.seeds, links)
	}
	links = c.cfg.share.markFetched(c.refuseSeeds(links))
	switch {
	case len(links) > 0:
	case len(c.cfg.Seeds) > 0:
		return errors.New("no valid seed")
	default:
		return errors.New("no seeds: wanted at least one URL")
	}
	return c.record(event{At: c.now(), Seed: links})
}

// StartedWith reports whether the crawl in a folder was started with all of these seeds. Invalid seeds
// are ignored.
func StartedWith(dir string, seeds []string) (bool, error) {
	list, err := oldSeeds(dir)
	if err != nil {
		return false, err
	}
	old := make(map[schedule.Link]bool, len(list))
	for _, l := range list {
		old[l] = true
	}
	return !slices.ContainsFunc(ParseSeeds(seeds, nil), func(l schedule.Link) bool { return !old[l] }), nil
}

// ParseSeeds parses URLs with or without "https://". Invalid seeds are passed to onError, if it is set,
// and parsing continues.
func ParseSeeds(list []string, onError func(*page.Error)) (links []schedule.Link) {
	for _, s := range list {
		l, err := ParseSeed(s)
		if err == nil {
			links = append(links, l)
		} else if onError != nil {
			onError(&page.Error{Offset: -1, Err: err})
		}
	}
	return links
}

// ParseSeed parses a URL with or without "https://".
func ParseSeed(s string) (schedule.Link, error) {
	whole := s
	if !strings.Contains(s, "://") {
		whole = "https://" + s
	}
	u, err := weburl.Parse(whole, nil)
	if err == nil && whole != s && !strings.Contains(u.Host(), ".") {
		err = errors.New("wanted a URL, or a host with a dot")
	}
	if err != nil {
		return schedule.Link{}, fmt.Errorf("seed %q: %w", s, err)
	}
	u = u.Normalize()
	if trap := u.Trap(); trap != weburl.NoTrap {
		return schedule.Link{}, fmt.Errorf("seed %q: looks like a crawler trap: %v", s, trap)
	}
	return linkTo(u, 1), nil
}

// retryAfter returns the delay in the field Retry-After (RFC 9110, section 10.2.3); 0 if the field
// is missing or invalid.
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
