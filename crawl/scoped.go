package crawl

import (
	"fmt"

	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// addSeeds adds seeds to the scope.
func (c *crawl) addSeeds(list []schedule.Link) {
	for _, l := range list {
		c.scope.AddSeed(l.Origin, l.Path)
	}
}

// inScope returns the links of a finished task that are in the scope, and counts the others. The
// target of a seed that redirects permanently becomes a seed.
func (c *crawl) inScope(e event) (kept []schedule.Link) {
	list := e.Done.Links
	if e.Page != nil && e.Page.Moved {
		c.addSeeds(list)
		c.moved = append(c.moved, list...)
	}
	deep := e.Page != nil && !e.Done.Redirected && e.Page.Depth >= c.cfg.Schedule.MaxDepth
	for _, l := range list {
		excludes := c.scope.Excludes
		if l.List {
			excludes = c.scope.ExcludesList
		}
		rule := excludes(l.Origin, l.Path)
		if rule == "" && deep && !l.List {
			rule = schedule.DepthLimit
		}
		if rule == "" {
			kept = append(kept, l)
			continue
		}
		c.exclude(rule, 1)
	}
	return kept
}

// denyAll is the robots.txt of a site that asked to be excluded, in place of the site's own.
const denyAll = "User-agent: *\nDisallow: /\n"

// excludeSite completes the task of r without a request if the site asked to be excluded. It
// reports whether it did.
func (c *crawl) excludeSite(u weburl.URL, r *result) bool {
	origin, target := scope.Origin(u)
	l := c.cfg.ExcludedSites
	switch {
	case r.task.Kind == schedule.Page && l.Match(origin, target) != "":
		r.page = &pageEvent{URL: u.String(), Depth: r.task.Depth, Reason: excludedSite}
	case r.task.Kind == schedule.Page || l.MatchHost(origin) == "":
		return false
	case r.task.Kind == schedule.Resolve:
		r.outcome.Address = u.Host()
	default:
		r.setRobots([]byte(denyAll))
	}
	return true
}

// exclude counts n links or URLs that a rule excludes.
func (c *crawl) exclude(rule string, n int64) {
	count(c.status.Excluded, rule, n)
	count(c.excluded, rule, n)
}

// maxRules is the most rules that are counted separately, since a list may have any number.
const maxRules = 100

const otherRules = "other patterns"

func count(counts map[string]int64, rule string, n int64) {
	if _, ok := counts[rule]; !ok && len(counts) >= maxRules {
		rule = otherRules
	}
	counts[rule] += n
}

// noteExcluded adds the number of links and URLs that were excluded since the last call to the
// journal, for its readers.
func (c *crawl) noteExcluded() error {
	for rule, n := range c.sched.Excluded() {
		c.exclude(rule, n)
	}
	if len(c.excluded) == 0 {
		return nil
	}
	_, err := c.appendEvent(event{At: c.now(), Excluded: c.excluded})
	c.excluded = map[string]int64{}
	return err
}

// refuseSeeds removes the seeds that patterns of the scope exclude, and reports them to OnError.
func (c *crawl) refuseSeeds(list []schedule.Link) (kept []schedule.Link) {
	for _, l := range list {
		rule := c.scope.Refuses(l.Origin, l.Path)
		if rule == "" {
			kept = append(kept, l)
			continue
		}
		c.exclude(rule, 1)
		if c.cfg.OnError != nil {
			c.cfg.OnError(&page.Error{Offset: -1, Err: fmt.Errorf("seed %s%s: excluded by %s", l.Origin, l.Path, rule)})
		}
	}
	return kept
}

// restoreScope adds the seeds of a resumed crawl to its scope.
func (c *crawl) restoreScope(moved []schedule.Link) error {
	if !c.scope.UsesSeeds() {
		return nil
	}
	list, err := oldSeeds(c.cfg.Dir)
	if err != nil {
		return err
	}
	c.moved = moved
	c.addSeeds(list)
	c.addSeeds(moved)
	return nil
}
