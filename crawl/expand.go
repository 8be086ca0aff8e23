package crawl

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/sorts"
	"chaffinch/page/weburl/registered"
)

// Proposal is a host that a crawl knows only from links.
type Proposal struct {
	// URL is the first linked page of the host.
	URL string
	// Expected is the expected yield, computed from the yields of the linking hosts.
	Expected float64
	// Sites is the number of registered domains that link to it. From is one of their pages.
	Sites int
	From  string
}

const (
	// maxLinkers is the number of sites whose links to a host count.
	maxLinkers = 64
	// priorSites is the number of virtual sites with the yield of the whole crawl that are added to the
	// sites linking to a host, since one link proves little.
	priorSites = 2
)

// linkers holds the sites that link to a host.
type linkers struct {
	proposal Proposal
	sites    map[string]linker
}

type linker struct {
	host    *Site
	promise float64
}

// Expand returns the hosts that a crawl has links to but has not requested, by expected
// yield in descending order. They are candidates for seeds. Each linking site counts once.
func Expand(ctx context.Context, dir string) ([]Proposal, error) {
	of := map[*Site]*linkers{}
	h, err := readHistory(ctx, dir, func(l seenLink) error {
		if l.from == l.to || l.to.Pages > 0 || l.to.Failures > 0 || l.to.RobotsAt > 0 {
			return nil
		}
		from, to := siteOf(l.from.Origin), siteOf(l.to.Origin)
		if from == to {
			return nil
		}
		v := of[l.to]
		if v == nil {
			v = &linkers{proposal: Proposal{URL: l.Origin + l.Path, From: l.page.Origin + l.page.Path}, sites: map[string]linker{}}
			of[l.to] = v
		}
		if old, ok := v.sites[from]; ok && old.promise >= float64(l.Promise) || !ok && len(v.sites) == maxLinkers {
			return nil
		}
		v.sites[from] = linker{l.from, float64(l.Promise)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	totals := h.Snapshot().Totals
	mean := totals.Yield()
	var list []Proposal
	for host, v := range of {
		if host.Pages > 0 || host.Failures > 0 || host.RobotsAt > 0 { // requested in the meantime
			continue
		}
		p := v.proposal
		p.Sites = len(v.sites)
		yields, promises := make([]float64, 0, p.Sites), make([]float64, 0, p.Sites)
		for _, x := range v.sites {
			yields, promises = append(yields, schedule.Expected(x.host.Clean, x.host.Bytes, mean)), append(promises, x.promise)
		}
		slices.Sort(yields) // so that sums do not depend on the order of a map
		slices.Sort(promises)
		yield, promise := priorSites*mean, 0.
		for i := range yields {
			yield, promise = yield+yields[i], promise+promises[i]
		}
		p.Expected = yield / float64(p.Sites+priorSites) * (.5 + promise/float64(p.Sites))
		list = append(list, p)
	}
	sorts.Func(list, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Expected, a.Expected), cmp.Compare(b.Sites, a.Sites), strings.Compare(a.URL, b.URL))
	})
	return list, nil
}

// siteOf returns the registered domain of an origin.
func siteOf(origin string) string { return registered.Domain(schedule.HostName(origin)) }
