package gold

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const roleTable = "# made by hand\n" +
	"page\tset/a/1\t0123456789abcdef\n10\t20\tnavigation\n20\t35\ttitle\n40\t90\tbody*\n" +
	"page\tset/b\tfedcba9876543210\n0\t5\tpost\n"

func roleFile(t *testing.T, text string) string {
	t.Helper()
	path := must.File(t, "roles.tsv", text)
	return path
}

func TestReadRoles(t *testing.T) {
	pages := must.Get(ReadRolePages(roleFile(t, roleTable)))(t)
	got := map[string][]RoleSpan{}
	for _, p := range pages {
		got[p.Key()] = p.Spans
	}
	want := map[string][]RoleSpan{
		"set/a/1": {{10, 20, page.RoleNavigation, false}, {20, 35, page.RoleTitle, false}, {40, 90, page.RoleBody, true}},
		"set/b":   {{0, 5, page.RolePost, false}},
	}
	must.Same(t, got, want)
	var out bytes.Buffer
	must.Succeed(t, WriteRolePages(&out, pages))
	must.Equal(t, out.String(), strings.TrimPrefix(roleTable, "# made by hand\n"), "written")
}

func TestReadRolesErrors(t *testing.T) {
	const head = "page\tset/a\t0123456789abcdef\n"
	for _, c := range []struct{ text, want string }{
		{"", "no page"},
		{"1\t2\tbody\n", ":1: a span before the first line"},
		{head + "1\t2\n", ":2: 2 fields, wanted 3"},
		{head + "1\t2\tmain\n", `:2: role "main": wanted one of title, byline`},
		{head + "1\t2\tbody**\n", `:2: role "body**"`},
		{head + "x\t2\tbody\n", `:2: start "x"`},
		{head + "-1\t2\tbody\n", `:2: start "-1"`},
		{head + "2\t2\tbody\n", `:2: end "2"`},
		{head + "5\t9\tbody\n1\t12\ttitle\n", ":3: span 1 to 12 begins before the one above it, at 5"},
		{head + head, ":2: page set/a occurs twice in the table"},
		{"page\ta\t0123456789abcdef\n", `:1: page "a": wanted SET/ID`},
		{"page\tset/a\t0123\n", `:1: page set/a: hash "0123"`},
		{"page\tset/a\t0123456789abcdeg\n", "wanted the first 16 hexadecimal digits"},
	} {
		path := roleFile(t, c.text)
		_, err := ReadRolePages(path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want the path and %q", c.text, err, c.want)
		}
	}
}

func TestRolesOf(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{{Start: 0, End: 8}, {Start: 12, End: 20}, {Start: 18, End: 30}, {Start: 30, End: 60}, {Start: 95, End: 99}}}
	spans := []RoleSpan{{10, 20, page.RoleNavigation, false}, {20, 35, page.RoleTitle, false}, {40, 90, page.RoleBody, true}}
	want := []page.Role{page.NoRole, page.RoleNavigation, page.RoleTitle, page.RoleBody, page.NoRole}
	must.Same(t, RolesOf(p, spans), want)
	// A block inside another one has its own role, and so has what follows it.
	p = &page.Page{Blocks: []page.Block{{Start: 10, End: 50}, {Start: 20, End: 25}, {Start: 30, End: 35}, {Start: 60, End: 70}}}
	spans = []RoleSpan{{10, 50, page.RoleNavigation, false}, {20, 25, page.RoleOther, false}, {30, 70, page.RoleNotice, false}}
	want = []page.Role{page.RoleNavigation, page.RoleOther, page.RoleNotice, page.RoleNotice}
	must.Same(t, RolesOf(p, spans), want, "overlapping")
	if got := RolesOf(p, nil); got != nil {
		t.Errorf("without spans: got %v, want nil", got)
	}
}

// TestRolePageCheck fails when a page with other bytes passes for the one that
// was annotated.
func TestRolePageCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	must.WriteAll(t, dir, map[string]string{"html/a.html": "<p>A</p>", "gold/a.txt": "A"})
	s := must.Get(Open("", dir))(t)
	p := RolePage{Set: "set", ID: "a", SHA256: RoleHash(fmt.Sprintf("%x", sha256.Sum256([]byte("<p>A</p>"))))}
	must.Succeed(t, p.Check(s.Pages[0]))
	p.SHA256 = RoleHash(fmt.Sprintf("%x", sha256.Sum256([]byte("<p>B</p>"))))
	must.Fail(t, p.Check(s.Pages[0]), "page set/a: the SHA-256")
}
