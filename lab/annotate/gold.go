package annotate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"chaffinch/lab/gold"
	"chaffinch/page"
)

// GoldText returns the gold text of a page that was divided into blocks: the texts of the blocks
// with a role in keep, one per line. unread is the number of blocks that no span covers.
func GoldText(p *page.Page, spans []gold.RoleSpan, keep page.Roles) (text string, unread int) {
	roles := gold.RolesOf(p, spans)
	if roles == nil {
		return "", len(p.Blocks)
	}
	var out strings.Builder
	for i := range p.Blocks {
		switch r := roles[i]; {
		case r == page.NoRole:
			unread++
		case keep.Has(r):
			out.WriteString(oneLine(p.Blocks[i].Text))
			out.WriteByte('\n')
		}
	}
	return out.String(), unread
}

// PageInfo is the metadata of a page: its line in meta.jsonl.
type PageInfo struct {
	ID   string `json:"id"`
	Type string `json:"page_type,omitempty"`
	Lang string `json:"lang,omitempty"`
	URL  string `json:"url,omitempty"`
	// Site is the host of the page, or another name of its site in the form of a host, so that
	// [chaffinch/lab/gold/origin.Site] groups the pages of a site.
	Site string `json:"site,omitempty"`
}

// Line returns the page's line of meta.jsonl.
func (p PageInfo) Line() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(p)
	return b.Bytes(), err
}

// ReadPageInfo reads a table of pages: fields are separated by tabs, and the first line names them.
// It reads the columns id, which is required, type, lang, url and site.
func ReadPageInfo(path string) (map[string]PageInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]PageInfo{}
	var names []string
	sc := bufio.NewScanner(f)
	n := 0
	for sc.Scan() {
		n++
		fields := strings.Split(strings.TrimRight(sc.Text(), "\r"), "\t")
		if names == nil {
			if names = fields; !slices.Contains(names, "id") {
				return nil, fmt.Errorf("%s:%d: no column id: wanted a header with id and, optionally, type, lang, url and site, separated by tabs", path, n)
			}
			continue
		}
		if len(fields) != len(names) {
			return nil, fmt.Errorf("%s:%d: %d fields, wanted %d, as the first line names them", path, n, len(fields), len(names))
		}
		p := pageInfo(names, fields)
		if p.ID == "" {
			return nil, fmt.Errorf("%s:%d: the id is empty", path, n)
		}
		if _, twice := out[p.ID]; twice {
			return nil, fmt.Errorf("%s:%d: page %s occurs twice in the table", path, n, p.ID)
		}
		out[p.ID] = p
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
	}
	if names == nil {
		return nil, fmt.Errorf("%s: empty: wanted the names of the fields in the first line", path)
	}
	return out, nil
}

func pageInfo(names, fields []string) (p PageInfo) {
	for i, name := range names {
		switch name {
		case "id":
			p.ID = fields[i]
		case "type":
			p.Type = fields[i]
		case "lang":
			p.Lang = fields[i]
		case "url":
			p.URL = fields[i]
		case "site":
			p.Site = hostOf(fields[i])
		}
	}
	return p
}

// hostOf turns the name of a site into a unique host unless it is one: "owner/name" of a repository
// becomes "owner-name.invalid".
func hostOf(site string) string {
	if site == "" || strings.Contains(site, ".") && !strings.Contains(site, "/") {
		return site
	}
	return strings.NewReplacer("/", "-", ".", "-").Replace(strings.ToLower(site)) + ".invalid"
}
