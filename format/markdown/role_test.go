package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/format/markdown"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const thread = `<h1>Strike ends</h1><h3>By <i>Ann</i></h3><p>#1 today</p><h2>All is well.</h2><p>The ferry runs.</p>
<img src=i.png alt=Ship><h4>The <i>Anna</i>, <b>in</b> dock</h4><ul><li>one<li>two</ul><h2>2 comments</h2><p>first!<p>second!<p>More news`

// TestRoles wants by-lines and captions that are no headings, and a rule before
// the comments.
func TestRoles(t *testing.T) {
	p := pageOf(t, []byte(thread))
	for i, r := range []page.Role{page.RoleTitle, page.RoleByline, page.RoleByline, page.RoleStandfirst, page.RoleBody, page.RoleCaption,
		page.RoleBody, page.RoleBody, page.RoleComment, page.RoleComment, page.RoleComment, page.RoleRelated} {
		p.Blocks[i].Role = r
	}
	want := `# Strike ends

By *Ann*  
#1 today

All is well.

The ferry runs.

![Ship](https://example.org/dir/i.png)

*The Anna, **in** dock*

- one
- two

---

## 2 comments

first!

second!

---

More news
`
	if got := string(markdown.Encoder{}.Append(nil, p)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestAnyRoles: whatever roles the blocks have, the text of the page is read from
// its Markdown.
func TestAnyRoles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := func(p *page.Page) string {
		var out []string
		for i := range p.Blocks {
			out = append(out, strings.Fields(p.Blocks[i].Kept())...)
		}
		return strings.Join(out, " ")
	}
	for range 300 {
		p := pageOf(t, []byte(thread+`<blockquote><p>q*<p>=== <p>- r</blockquote><table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table><pre>x</pre>`))
		for i := range p.Blocks {
			p.Blocks[i].Role = page.Role(rnd.IntN(page.RoleCount + 1))
			if rnd.IntN(2) == 0 {
				p.Blocks[i].Role = page.RoleByline
			}
		}
		out := markdown.Encoder{}.Append(nil, p)
		q := must.Get(markdown.Page(out))(t)
		if got, want := words(q), words(p); got != want {
			t.Fatalf("%s\nwant\n%s\nin\n%s", got, want, out)
		}
	}
}
