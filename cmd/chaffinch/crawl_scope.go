package main

import (
	"fmt"
	"os"
	"slices"

	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
)

// siteQueue is the most queued URLs of a host in a crawl of whole sites.
const siteQueue = 20_000_000

// scope sets the rules for URLs by the flags. Flags that are left out keep the rules of cfg.
func (c *crawlCmd) scope(cfg *crawl.Config, con *console) (err error) {
	if c.Site {
		if c.Policy != "" && c.Policy != schedule.Site.Name {
			return fmt.Errorf("--site and --policy %s: --site has the order %s: leave out one of them", c.Policy, schedule.Site.Name)
		}
		cfg.Schedule.Policy = schedule.Site
		if c.Within == "" && cfg.Scope.Within == "" && cfg.Scope.Sites == nil {
			cfg.Scope.Within = scope.Host
		}
	}
	if cfg.Schedule.Policy.Name == schedule.Site.Name {
		cfg.Schedule.MaxHostQueue = siteQueue
	}
	switch c.Within {
	case "":
	case scope.Seeds, scope.Host, scope.Domain:
		cfg.Scope.Within, cfg.Scope.Sites = c.Within, nil
	default:
		if cfg.Scope.Within, cfg.Scope.Sites = "", nil; !isFile(c.Within) {
			return fmt.Errorf("--within %s: no such file: wanted %s, %s, %s or a file of patterns", c.Within, scope.Seeds, scope.Host, scope.Domain)
		}
		if cfg.Scope.Sites, err = readPatterns("--within", c.Within, con); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		args []string
		to   *[]string
	}{{"--include", c.Include, &cfg.Scope.Include}, {"--exclude", c.Exclude, &cfg.Scope.Exclude}} {
		if len(f.args) > 0 {
			if *f.to, err = patterns(f.name, f.args, con); err != nil {
				return err
			}
		}
	}
	if c.MaxDepth != nil {
		if d := *c.MaxDepth; d < 0 || d > schedule.MaxDepth {
			return fmt.Errorf("--max-depth %d: wanted 0 to %d", d, schedule.MaxDepth)
		}
		cfg.Schedule.MaxDepth = *c.MaxDepth
	}
	if c.MaxPagesPerHost < 0 {
		return fmt.Errorf("--max-pages-per-host %d: wanted at least 1", c.MaxPagesPerHost)
	}
	if c.MaxPagesPerHost > 0 {
		cfg.Schedule.MaxHostPages = c.MaxPagesPerHost
	}
	cfg.ExcludedSites, err = c.excludedSitesFlag.read(con)
	return err
}

// completeness describes the result of a crawl of whole sites.
func completeness(r *crawl.Result) string {
	switch {
	case r.Queued > 0:
		return fmt.Sprintf("incomplete: %s of the sites not fetched yet: the same command with a higher limit resumes", count(r.Queued, "known URL"))
	case r.Excluded[schedule.QueueLimit]+r.Excluded[schedule.HostLimit] > 0:
		return "incomplete: a limit was reached (see links not followed)"
	}
	return "complete: all known URLs of the sites were requested"
}

// excludedSitesFlag names the list of sites that asked to be excluded.
type excludedSitesFlag struct {
	ExcludedSites string `placeholder:"FILE" help:"Sites that asked to be excluded, one per line: example.org, with its subdomains, or example.org/private/. Crawls send no request to them, builds drop their pages. In the configuration file, every_command.excluded_sites applies it to all crawls and builds."`
}

// read returns the list, or nil if the flag is not given or the list is empty.
func (f *excludedSitesFlag) read(con *console) (*scope.List, error) {
	if f.ExcludedSites == "" {
		return nil, nil
	}
	list, err := readPatterns("--excluded-sites", f.ExcludedSites, con)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if err := checkExcluded(p); err != nil {
			return nil, fmt.Errorf("--excluded-sites %s: %w", f.ExcludedSites, err)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	return scope.NewList(list)
}

// patterns returns the patterns in arguments, and in the files that they name.
func patterns(flag string, args []string, con *console) (list []string, err error) {
	for _, arg := range args {
		if !isFile(arg) {
			if _, err := scope.NewList([]string{arg}); err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			list = append(list, arg)
			continue
		}
		more, err := readPatterns(flag, arg, con)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// isFile reports whether an argument names a file rather than a pattern.
func isFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

// readPatterns returns the patterns in a file, sorted.
func readPatterns(flag, name string, con *console) ([]string, error) {
	in, shut, err := openFile(name, anything, con)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer shut()
	list, err := scope.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, inFile(name, err))
	}
	if len(list) == 0 && flag != "--excluded-sites" {
		return nil, fmt.Errorf("%s %s: no patterns found: wanted one per line", flag, name)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
