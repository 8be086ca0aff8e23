package job

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/input/records"
	"chaffinch/internal/hostname"
	"chaffinch/internal/sorts"
	"chaffinch/page/weburl"
)

// Site summarizes the documents of one host.
type Site struct {
	Host string
	// Docs and Words count the documents and their words. Dropped counts the dropped documents,
	// Rules by rule.
	Docs, Words, Dropped int64
	Rules                map[string]int64
	// Samples are the beginnings of documents, chosen by a hash of their ids.
	Samples []Sample
}

// Sample is the beginning of a document.
type Sample struct {
	ID, Text string
	hash     uint64
}

// Suspicion returns the share of dropped documents, reduced for sites with few documents.
func (s *Site) Suspicion() float64 { return float64(s.Dropped) / float64(s.Docs+5) }

// Limits on the data held in memory for sites. Further hosts are counted together.
const (
	maxSites    = 1 << 20
	maxPerSite  = 20
	sampleChars = 160
	otherSites  = "(others)"
)

// Sites counts the documents of each host that the rules drop. It returns the sites by
// suspicion times words, highest first. It uses the fields Inputs, Stdin, OnError, OnProgress,
// Input, Set and Lang of cfg.
func Sites(ctx context.Context, cfg Config) ([]*Site, error) {
	sites := map[string]*Site{}
	err := each(ctx, cfg, func(judge *judge, d *records.Doc) {
		host := hostOf(d.URL)
		s := sites[host]
		if s == nil && len(sites) >= maxSites {
			host = otherSites
			s = sites[host]
		}
		if s == nil {
			s = &Site{Host: host, Rules: map[string]int64{}}
			sites[host] = s
		}
		v := judge.do(d)
		s.Docs++
		s.Words += v.in.Words
		if v.rule != "" {
			s.Dropped++
			s.Rules[v.rule]++
		}
		s.sample(d)
	})
	if err != nil {
		return nil, err
	}
	list := slices.Collect(maps.Values(sites))
	slices.SortFunc(list, func(a, b *Site) int {
		return cmp.Or(cmp.Compare(b.Suspicion()*float64(b.Words), a.Suspicion()*float64(a.Words)), cmp.Compare(a.Host, b.Host))
	})
	return list, nil
}

// sample adds the document as a sample if its hash is among the smallest.
func (s *Site) sample(d *records.Doc) {
	h := xxh3.HashString(d.ID)
	at, _ := slices.BinarySearchFunc(s.Samples, h, func(x Sample, h uint64) int { return cmp.Compare(x.hash, h) })
	if at == maxPerSite {
		return
	}
	s.Samples = slices.Insert(s.Samples, at, Sample{strings.Clone(cmp.Or(d.URL, d.ID)), beginning(d, sampleChars), h})
	s.Samples = s.Samples[:min(len(s.Samples), maxPerSite)]
}

// hostOf returns the host of an address in ASCII and lower case, "" if it has none.
func hostOf(address string) string {
	if u, err := weburl.Parse(address[:min(len(address), weburl.MaxBytes)], nil); err == nil {
		return strings.Trim(u.Host(), "[].")
	}
	return hostname.Of(address) // of another scheme
}

// siteOf returns the host that a list names, in the form of hostOf.
func siteOf(name string) string {
	name = strings.ToLower(strings.Trim(name, " \"."))
	if strings.ContainsAny(name, "/?#@:") {
		return name // no host, and of no document
	}
	return cmp.Or(hostOf("http://"+name), name)
}

// The columns of a list of sites that are parsed. Other columns inform the user.
const (
	columnKeep = "keep"
	columnSite = "site"
)

// WriteSites writes sites as a tab-separated table with an empty column keep, which users fill
// in.
func WriteSites(w io.Writer, sites []*Site) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\t%s\tscore\tdocuments\tdropped\twords\trules", columnKeep, columnSite)
	for i := range maxPerSite {
		fmt.Fprintf(b, "\tsample %d", i+1)
	}
	b.WriteByte('\n')
	for _, s := range sites {
		fmt.Fprintf(b, "\t%s\t%.0f\t%d\t%d\t%d\t", s.Host, s.Suspicion()*float64(s.Words), s.Docs, s.Dropped, s.Words)
		for i, rule := range sorts.ByValue(s.Rules) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%s %d", rule, s.Rules[rule])
		}
		for _, x := range s.Samples {
			fmt.Fprintf(b, "\t%s: %s", strings.Join(strings.Fields(x.ID), " "), x.Text)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// SiteList is a list of hosts whose documents are dropped, including the documents of their
// subdomains.
type SiteList struct {
	hosts map[string]bool
	sum   uint64
	// Open is the number of sites without a decision.
	Open int
}

// ParseSites parses a table of [WriteSites] with yes or no in the column keep, or a list of
// hosts, one per line. A line of the list is a plain host, a line of a hosts file (0.0.0.0
// host), or a line of a filter list (||host^). # and ! begin comments.
func ParseSites(name string, text []byte) (*SiteList, error) {
	l := &SiteList{hosts: map[string]bool{}, sum: xxh3.Hash(text)}
	keep, site := -1, -1
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		n++
		row := strings.TrimRight(string(line), "\r\n")
		if n == 1 && strings.Contains(row, "\t") {
			columns := strings.Split(row, "\t")
			keep, site = slices.Index(columns, columnKeep), slices.Index(columns, columnSite)
			if keep < 0 || site < 0 {
				return nil, fmt.Errorf("%s: line 1: found columns %s, wanted %s and %s among them", name, strings.Join(columns, ", "), columnKeep, columnSite)
			}
			continue
		}
		if keep < 0 {
			if err := l.line(row); err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
			}
			continue
		}
		cells := strings.Split(row, "\t")
		if row == "" || len(cells) <= max(keep, site) {
			continue
		}
		switch answer := strings.ToLower(strings.Trim(cells[keep], " \"")); answer {
		case "":
			l.Open++
		case "yes", "y":
		case "no", "n":
			l.hosts[siteOf(cells[site])] = true
		default:
			return nil, fmt.Errorf("%s: line %d: found %q in the column %s, wanted yes, no or nothing", name, n, answer, columnKeep)
		}
	}
	return l, nil
}

// line parses a line of a list of hosts.
func (l *SiteList) line(row string) error {
	row, _, _ = strings.Cut(row, "#")
	row = strings.TrimSpace(row)
	if row == "" || row[0] == '!' || row[0] == '[' {
		return nil
	}
	fields := strings.Fields(row)
	host := fields[len(fields)-1]
	if len(fields) > 2 || len(fields) == 2 && fields[0] != "0.0.0.0" && fields[0] != "127.0.0.1" && fields[0] != "::" && fields[0] != "::1" {
		return fmt.Errorf("found %.80q, wanted a host", row)
	}
	if h, ok := strings.CutPrefix(host, "||"); ok {
		host = strings.TrimSuffix(h, "^")
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || strings.ContainsAny(host, "/*?=$|^@,;:\"' ") {
		return fmt.Errorf("found %.80q, wanted a host such as shop.example", row)
	}
	l.hosts[siteOf(host)] = true
	return nil
}

// hash returns a hash that identifies the list.
func (l *SiteList) hash() uint64 {
	if l == nil {
		return 0
	}
	return l.sum
}

// Len returns the number of hosts whose documents are dropped.
func (l *SiteList) Len() int { return len(l.hosts) }

// drops reports whether documents of an address are dropped.
func (l *SiteList) drops(address string) bool {
	for host := hostOf(address); host != ""; {
		if l.hosts[host] {
			return true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return false
}
