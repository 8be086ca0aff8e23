package gold

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"chaffinch/page"
)

// RoleSpan is a range of a page with its annotated role.
type RoleSpan struct {
	// Start and End delimit a byte range of the decoded HTML, as in [page.Block].
	Start, End int
	Role       page.Role
	// Further is set for the full text of a further article on the page.
	Further bool
}

// RolePage is a page with annotated roles of its blocks.
type RolePage struct {
	// Set and ID identify the page.
	Set, ID string
	// SHA256 is the prefix of the SHA-256 of the page's bytes, as returned by [RoleHash].
	SHA256 string
	// Spans are ordered by start. They overlap where blocks of the page overlap, such as a list
	// that opens inside a label. Adjacent blocks of one role are one span.
	Spans []RoleSpan
}

// Key returns the name of the page in tables, such as "wcxb-dev/0042".
func (p *RolePage) Key() string { return p.Set + "/" + p.ID }

// Check returns an error if the bytes of g are not the annotated ones.
func (p *RolePage) Check(g *Page) error {
	if got := RoleHash(g.SHA256); got != p.SHA256 {
		return fmt.Errorf("page %s: the SHA-256 of its bytes begins with %q, wanted %q of the annotated page: use the version of the set that was annotated", p.Key(), got, p.SHA256)
	}
	return nil
}

// RoleHash returns the part of a hexadecimal SHA-256 in tables of roles: its first 16 digits.
func RoleHash(sha256 string) string { return sha256[:min(len(sha256), roleHashDigits)] }

// RoleHashOf returns the RoleHash of the bytes of a page.
func RoleHashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return RoleHash(hex.EncodeToString(sum[:]))
}

const roleHashDigits = 16

// RolesOf returns the role of each block of p: the role of the span that covers most of it, of
// several the one that begins last, or [page.NoRole] without one. It returns nil if there are no
// spans. Blocks and spans must be in page order.
func RolesOf(p *page.Page, spans []RoleSpan) []page.Role {
	if len(spans) == 0 {
		return nil
	}
	out := make([]page.Role, len(p.Blocks))
	at := 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for at < len(spans) && spans[at].End <= b.Start {
			at++
		}
		most := 0
		for _, s := range spans[at:] {
			if s.Start >= b.End {
				break
			}
			if n := min(s.End, b.End) - max(s.Start, b.Start); n > 0 && n >= most {
				most, out[i] = n, s.Role
			}
		}
	}
	return out
}

// pageMark is the first field of the line of a page in a table of roles.
const pageMark = "page"

// ReadRolePages reads a table of roles. Fields are separated by tabs. A line "page", SET/ID, hash
// ([RoleHash]) starts a page. Lines START, END, ROLE follow, with a star after the role of a
// further article. Lines that begin with # are comments.
func ReadRolePages(path string) ([]RolePage, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r roleReader
	sc := bufio.NewScanner(f)
	n := 0
	for sc.Scan() {
		n++
		line := strings.TrimRight(sc.Text(), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := r.line(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
	}
	if len(r.pages) == 0 {
		return nil, fmt.Errorf("%s: no page: wanted lines %q, SET/ID, hash and START, END, ROLE, separated by tabs", path, pageMark)
	}
	return r.pages, nil
}

// roleReader is the state of reading a table of roles.
type roleReader struct {
	pages []RolePage
	seen  map[string]bool
}

func (r *roleReader) line(line string) error {
	fields := strings.Split(line, "\t")
	if len(fields) != 3 {
		return fmt.Errorf("%d fields, wanted 3 separated by tabs: %q, SET/ID, hash, or START, END, ROLE", len(fields), pageMark)
	}
	if fields[0] == pageMark {
		return r.page(fields[1], fields[2])
	}
	if len(r.pages) == 0 {
		return fmt.Errorf("a span before the first line that begins with %q", pageMark)
	}
	s, err := parseRoleSpan(fields[0], fields[1], fields[2])
	if err != nil {
		return err
	}
	p := &r.pages[len(r.pages)-1]
	if k := len(p.Spans); k > 0 && s.Start < p.Spans[k-1].Start {
		return fmt.Errorf("span %d to %d begins before the one above it, at %d: wanted spans in page order", s.Start, s.End, p.Spans[k-1].Start)
	}
	p.Spans = append(p.Spans, s)
	return nil
}

func (r *roleReader) page(key, hash string) error {
	set, id, ok := strings.Cut(key, "/")
	if !ok || set == "" || id == "" {
		return fmt.Errorf("page %q: wanted SET/ID", key)
	}
	if _, err := hex.DecodeString(hash); err != nil || len(hash) != roleHashDigits {
		return fmt.Errorf("page %s: hash %q: wanted the first %d hexadecimal digits of the SHA-256 of its bytes", key, hash, roleHashDigits)
	}
	if r.seen[key] {
		return fmt.Errorf("page %s occurs twice in the table", key)
	}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[key] = true
	r.pages = append(r.pages, RolePage{Set: set, ID: id, SHA256: hash})
	return nil
}

func parseRoleSpan(start, end, role string) (s RoleSpan, err error) {
	if s.Start, err = strconv.Atoi(start); err != nil || s.Start < 0 {
		return s, fmt.Errorf("start %q: wanted a byte offset", start)
	}
	if s.End, err = strconv.Atoi(end); err != nil || s.End <= s.Start {
		return s, fmt.Errorf("end %q: wanted a byte offset after the start, %d", end, s.Start)
	}
	s.Role, s.Further, err = ParseRole(role)
	return s, err
}

// ParseRole parses the name of a role. A star after it marks the full text of a further article.
func ParseRole(s string) (role page.Role, further bool, err error) {
	name, further := strings.CutSuffix(s, "*")
	role, ok := page.RoleOf(name)
	if !ok {
		return 0, false, fmt.Errorf("role %q: wanted one of %s, with a star if it belongs to a further article", s, strings.Join(page.AllRoles.Names(), ", "))
	}
	return role, further, nil
}

// WriteRolePages writes a table for [ReadRolePages].
func WriteRolePages(w io.Writer, pages []RolePage) error {
	out := bufio.NewWriter(w)
	for _, p := range pages {
		fmt.Fprintf(out, "%s\t%s\t%s\n", pageMark, p.Key(), p.SHA256)
		for _, s := range p.Spans {
			star := ""
			if s.Further {
				star = "*"
			}
			fmt.Fprintf(out, "%d\t%d\t%s%s\n", s.Start, s.End, s.Role, star)
		}
	}
	return out.Flush()
}
