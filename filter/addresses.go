package filter

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/page/weburl"
)

// AddressConfig configures the group addresses.
type AddressConfig struct {
	// Files are lists of hosts and addresses, one per line. An entry is a plain host or
	// address, a line of a hosts file (0.0.0.0 host), or a line of a filter list (||host^).
	Files []string `json:"files,omitempty"`
	// Listed are further hosts and addresses, each like a line of a file.
	Listed []string `json:"listed,omitempty"`
	// Regex are files of regular expressions (RE2), one per line. An address is listed if an
	// expression matches a part of it.
	Regex []string `json:"regex,omitempty"`
}

// addressList is a set of hosts, addresses and expressions.
type addressList struct {
	// hosts are listed with all of their subdomains and addresses. free are exceptions, which
	// override all other entries.
	hosts, free map[string]bool
	// paths are patterns, by host, of the address after host and port. freePaths are
	// exceptions.
	paths, freePaths map[string][]string
	exprs            []*regexp.Regexp
	sum              uint64 // of the files
}

// readAddresses reads the lists of the group addresses.
func (s *Set) readAddresses() (sums []uint64, err error) {
	cfg := s.cfg.Addresses
	if len(cfg.Files)+len(cfg.Regex)+len(cfg.Listed) == 0 {
		return nil, errors.New(`addresses: no list: a file of rules names some, as in {"use": ["addresses"], "addresses": {"files": ["hosts.txt"]}}`)
	}
	l := &addressList{hosts: map[string]bool{}, free: map[string]bool{}, paths: map[string][]string{}, freePaths: map[string][]string{}}
	s.addresses = l
	for i, name := range slices.Concat(cfg.Files, cfg.Regex) {
		read := l.line
		if i >= len(cfg.Files) {
			read = l.expression
		}
		if err := l.read(name, read); err != nil {
			return nil, fmt.Errorf("addresses: %w", err)
		}
	}
	for i, row := range cfg.Listed {
		if row == "" {
			return nil, fmt.Errorf("addresses: listed: entry %d: empty, wanted a host or an address", i+1)
		}
		if err := l.line(row); err != nil {
			return nil, fmt.Errorf("addresses: listed: entry %d: %w", i+1, err)
		}
		l.sum = l.sum*base + xxh3.HashString(row)
	}
	if len(l.hosts)+len(l.paths)+len(l.exprs) == 0 {
		return nil, fmt.Errorf("addresses: nothing listed in %s, wanted hosts or addresses, one a line", strings.Join(slices.Concat(cfg.Files, cfg.Regex), ", "))
	}
	return []uint64{l.sum}, nil
}

// maxAddressBytes is the maximum size of a list in bytes.
const maxAddressBytes = 256 << 20

func (l *addressList) read(name string, line func(string) error) error {
	text, sum, err := readList(name, "addresses", maxAddressBytes)
	if err != nil {
		return err
	}
	l.sum = l.sum*base + sum
	n := 0
	for row := range strings.Lines(text) {
		n++
		if row = strings.TrimSpace(row); row == "" || row[0] == '#' && !strings.HasPrefix(row, "##") {
			continue
		}
		if !utf8.ValidString(row) {
			return fmt.Errorf("%s: line %d: not UTF-8: wanted hosts or addresses, one a line", name, n)
		}
		if err := line(row); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	return nil
}

// expression parses a regular expression.
func (l *addressList) expression(row string) error {
	e, err := regexp.Compile(row)
	if err != nil {
		return err
	}
	l.exprs = append(l.exprs, e)
	return nil
}

// line parses a line of a list of hosts and addresses.
func (l *addressList) line(row string) error {
	switch {
	case row[0] == '!', row[0] == '[', strings.Contains(row, "##"), strings.Contains(row, "#@#"), strings.Contains(row, "#?#"), strings.Contains(row, "#$#"):
		return nil // comments and element-hiding rules of filter lists
	case len(row) > 2 && row[0] == '/' && strings.HasSuffix(row, "/"):
		return l.expression(row[1 : len(row)-1])
	case row[0] == '|', strings.HasPrefix(row, "@@"), strings.Contains(row, "$"):
		return l.filterLine(row)
	}
	if before, _, ok := strings.Cut(row, " #"); ok {
		row = strings.TrimSpace(before)
	}
	fields := strings.Fields(row)
	if len(fields) > 1 { // a hosts file
		if !slices.Contains([]string{"0.0.0.0", "127.0.0.1", "::", "::1", "255.255.255.255", "fe80::1%lo0", "ff00::0", "ff02::1", "ff02::2", "ff02::3"}, fields[0]) {
			return fmt.Errorf("found %.80q, wanted a host, an address, or 0.0.0.0 and a host", row)
		}
		for _, host := range fields[1:] {
			if strings.Contains(host, ".") { // not localhost or similar
				if err := l.plain(host); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return l.plain(row)
}

// plain parses a host or an address.
func (l *addressList) plain(row string) error {
	address := strings.TrimPrefix(strings.TrimPrefix(row, "*."), ".")
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	host, path, _ := strings.Cut(address, "/")
	host, err := hostName(host)
	if err != nil {
		return err
	}
	if path == "" {
		l.hosts[host] = true
		return nil
	}
	l.paths[host] = append(l.paths[host], "/"+path)
	return nil
}

// hostName returns a host in the form of addresses.
func hostName(host string) (string, error) {
	u, err := weburl.Parse("http://"+strings.TrimSuffix(host, "."), nil)
	if err != nil || u.Host() == "" || !strings.Contains(u.Host(), ".") || strings.ContainsAny(host, "*?@ ") {
		return "", fmt.Errorf("found %.80q, wanted a host such as shop.example, or an address", host)
	}
	return u.Host(), nil
}

// filterLine parses a line of a filter list. It ignores rules that do not concern a page as a
// whole: parts of pages, requests of other pages, and strings anywhere in an address.
func (l *addressList) filterLine(row string) error {
	hosts, paths := l.hosts, l.paths
	if rest, ok := strings.CutPrefix(row, "@@"); ok {
		row, hosts, paths = rest, l.free, l.freePaths
	}
	row, options, _ := strings.Cut(row, "$")
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "", "document", "doc", "all", "important", "popup":
		default:
			return nil
		}
	}
	rest, ok := strings.CutPrefix(row, "||")
	if !ok {
		if rest, ok = strings.CutPrefix(row, "|http"); ok {
			_, rest, ok = strings.Cut(rest, "://")
		}
	}
	if !ok {
		return nil
	}
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/^*?:|"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	host, err := hostName(host)
	if err != nil || strings.HasPrefix(path, "*") || strings.HasPrefix(path, ":") {
		return nil // a part of a name, or a port
	}
	if strings.Trim(path, "^/*|") == "" {
		hosts[host] = true
		return nil
	}
	paths[host] = append(paths[host], path)
	return nil
}

// find returns the entry that lists an address, "" if none does.
func (l *addressList) find(address string) string {
	u, err := weburl.Parse(address[:min(len(address), weburl.MaxBytes)], nil) // of a long address, the beginning
	if err != nil {
		return ""
	}
	host, target := strings.TrimSuffix(u.Host(), "."), u.Target()
	if l.has(l.free, l.freePaths, host, target) != "" {
		return ""
	}
	if entry := l.has(l.hosts, l.paths, host, target); entry != "" {
		return entry
	}
	for _, e := range l.exprs {
		if e.MatchString(u.String()) {
			return e.String()
		}
	}
	return ""
}

func (*addressList) has(hosts map[string]bool, paths map[string][]string, host, target string) string {
	for host != "" {
		if hosts[host] {
			return host
		}
		for _, pattern := range paths[host] {
			if matches(pattern, target) {
				return host + pattern
			}
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return ""
}

// matches reports whether a target begins with a pattern of filter lists. In a pattern, *
// matches any string, ^ matches a separator or the end, and a final | matches the end.
func matches(pattern, target string) bool {
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			pattern = strings.TrimLeft(pattern[i:], "*")
			if pattern == "" {
				return true
			}
			for k := range len(target) + 1 {
				if matches(pattern, target[k:]) {
					return true
				}
			}
			return false
		case c == '|' && i == len(pattern)-1:
			return target == ""
		case c == '^' && target == "":
			continue
		case target == "", c == '^' && !separates(target[0]), c != '^' && c != target[0]:
			return false
		}
		target = target[1:]
	}
	return true
}

// separates reports whether a byte is a separator of filter lists.
func separates(c byte) bool {
	return c < utf8.RuneSelf && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9') && !strings.ContainsRune("_-.%", rune(c))
}

// address computes the scores of the group addresses.
func address(s *Scorer, _ *doc, out []float64) {
	if s.in.URL == "" {
		return
	}
	out[0] = 0
	if s.listing = s.set.addresses.find(s.in.URL); s.listing != "" {
		out[0] = 1
	}
}

// listing returns the entry that lists the address of the document.
func listing(s *Scorer, _ string) string { return s.listing }
