package blocks

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// allBody returns the page of html, scored as if every block were certainly body.
func allBody(t *testing.T, html string) (*page.Page, *scratch) {
	t.Helper()
	p := cut(t, html)
	s := new(scratch)
	s.sheet.read(p)
	s.roles = make([]float32, s.sheet.n*Roles)
	s.keep = make([]float32, s.sheet.n)
	s.kept = make([]bool, s.sheet.n)
	for i := range s.sheet.n {
		s.roles[i*Roles+int(page.RoleBody)-1] = 1
		s.keep[i] = 1
	}
	return p, s
}

// rolesWith returns the roles of the blocks that contain a text.
func rolesWith(p *page.Page, s *scratch, text string) string {
	var names []string
	for i := range p.Blocks {
		if strings.Contains(p.Blocks[i].Text, text) {
			names = append(names, s.role(i, all).String())
		}
	}
	return strings.Join(names, " ")
}

// TestStreams checks which records after an article count as other articles.
func TestStreams(t *testing.T) {
	const title = "<title>The boat is found</title>"
	text := "<p>" + strings.Repeat("The mill stands by the water, and nobody has seen the miller. ", 3) + "</p>"
	own := "<h1>The boat is found</h1>" + text
	card := func(head string) string { return `<li class="card"><h3>` + head + "</h3>" + text + "</li>" }
	linked, plain := card(`<a href="/other">The ferry came back</a>`), card("The ferry came back")
	for _, c := range []struct{ name, html, want string }{
		{"a stream", title + own + "<ul>" + strings.Repeat(linked, 3) + "</ul>", "body related related related"},
		{"two records", title + own + "<ul>" + strings.Repeat(linked, 2) + "</ul>", "body body body"},
		{"sections of a list", title + own + "<ul>" + strings.Repeat(plain, 3) + "</ul>", "body body body body"},
		{"before the title", title + "<ul>" + strings.Repeat(linked, 3) + "</ul>" + own, "body body body body"},
		{"a front page", "<title>Gazette</title><ul>" + strings.Repeat(linked, 3) + "</ul>", "body body body"},
	} {
		p, s := allBody(t, c.html)
		s.settleStreams(generals[Article])
		must.Equal(t, rolesWith(p, s, "The mill stands"), c.want, c.name)
	}
}

// TestConsent checks which elements count as consent dialogs.
func TestConsent(t *testing.T) {
	const title, text = "<title>The boat is found</title>", "<h1>The boat is found</h1><p>" +
		"The fisherman of the other village found it in the morning, without oars, a mile off the cape. Nobody knows how it came there. It will be auctioned on Monday in the old harbour, and the money goes to the school."
	dialog := func(paragraphs ...string) string { return "<div><p>" + strings.Join(paragraphs, "<p>") + "</div>" }
	english := dialog("MARK We and our partners use cookies to store information on your device.", "MARK You may withdraw your consent at any time in the privacy preferences.")
	for _, c := range []struct{ name, html, want string }{
		{"English", title + text + english, "notice notice"},
		{"Polish", title + text + dialog("MARK Klikając, wyrażasz zgodę na przetwarzanie danych.", "MARK Używamy plików cookies razem z partnerami."), "notice notice"},
		{"Greek", title + text + dialog("MARK Εμείς και οι συνεργάτες χρησιμοποιούμε cookies.", "MARK Ανάκληση: η συγκατάθεση και οι σκοποί, σε κάθε συσκευή."), "notice notice"},
		{"one paragraph", title + text + dialog("MARK We and our partners use cookies."), "body"},
		{"biscuits", title + text + dialog("MARK Bake the cookies until golden.", "MARK Cookies keep for a week in a tin."), "body body"},
		{"inside the article", title + "<article>" + text + "<p>MARK We use cookies, says the partner.<p>MARK Without consent no cookies.</article>", "body body"},
		{"a known program", title + text + `<div id="onetrust-pc-sdk"><p>MARK These technologies help us understand our visitors.</div>`, "notice"},
		{"a known program around the page", title + `<div class="didomi-host">` + text + "<p>MARK Nobody knows.</div>", "body"},
		{"a page without a name", `<body class="cookieconsent-open"><p>MARK Nobody knows.</body>`, "body"},
		{"a policy", "<title>Cookies and consent</title><h1>Cookies and consent</h1>" + english, "body body"},
	} {
		p, s := allBody(t, c.html)
		s.settleConsent(p)
		must.Equal(t, rolesWith(p, s, "MARK"), c.want, c.name)
	}
}

// TestEmbeds checks the role of embedded posts and the policies that keep them.
func TestEmbeds(t *testing.T) {
	const html = `<p>The minister answered at once.</p><blockquote class="twitter-tweet"><p>MARK No comment.</p></blockquote>
<div class="wp-block instagram-media"><p>MARK A picture of the boat.</p></div><blockquote class="tweet"><p>MARK Quoted.</p></blockquote>`
	for keep, want := range map[string]float32{"body": 1, "article": 1, "text": 1, "main": 0, "body,-embed": 0, "embed": 1} {
		roles := must.Get(page.ParseRoles(keep))(t)
		p, s := allBody(t, html)
		s.settleEmbeds(roles)
		must.Equal(t, rolesWith(p, s, "MARK"), "embed embed body", "roles")
		if s.keep[1] != want || s.keep[2] != want || s.keep[0] != 1 || s.keep[3] != 1 {
			t.Errorf("%s: wanted with %v, want %v for the posts", keep, s.keep, want)
		}
	}
	p, s := allBody(t, html)
	s.move(1, readers, page.RoleRelated, generals[Article])
	s.settleEmbeds(generals[Article])
	if s.keep[1] != 0 {
		t.Errorf("a post among related content is wanted with %v", s.keep[1])
	}
	if got := rolesWith(p, s, "No comment"); got != "related" {
		t.Errorf("a post among related content is %s, want related", got)
	}
}

// TestThread checks when the comments of a page become posts.
func TestThread(t *testing.T) {
	board := `<p>Who?<div class="bbp-reply-content"><p>MARK Nobody that I know has seen the miller.</div><p id=postmessage_12>MARK He was at the market.<p>MARK The mill is a museum now.`
	const html = "<p>Who?<p>MARK Nobody that I know has seen the miller.<p>MARK He was at the market.<p>The mill."
	body := "<p>" + strings.Repeat("The mill stands by the water. ", 3)
	for _, c := range []struct {
		name, html     string
		forum, article float64 // log odds
		comment        float32 // probability of the blocks with MARK, beside post
		want           string
	}{
		{"a board", html, 2, -2, .9, "post post"},
		{"a board with a long question", body + html, 2, -2, .9, "post post"},
		{"perhaps a board", html, -2.5, -2, .9, "post post"},
		{"an article with comments", body + html, -2.5, -2, .9, "comment comment"},
		{"an article with many comments", html, -2.5, 2, .9, "comment comment"},
		{"posts of a board on an article", board, -9, 9, .9, "post post comment"},
		{"comments under answers", html, 1, -1, .6, "comment comment"},
		{"a model without page types", html, 0, 0, .9, "comment comment"},
	} {
		p, s := allBody(t, c.html)
		s.sheet.fill(colPageForum, c.forum)
		s.sheet.fill(colPageArticle, c.article)
		for i := range p.Blocks {
			if strings.HasPrefix(p.Blocks[i].Text, "MARK") {
				roles := s.rolesOf(i)
				clear(roles)
				roles[page.RoleComment-1], roles[page.RolePost-1] = c.comment, 1-c.comment
			}
		}
		s.settleThread(p)
		must.Equal(t, rolesWith(p, s, "MARK"), c.want, c.name)
	}
}

// TestReveal checks when hidden text belongs to the content.
func TestReveal(t *testing.T) {
	text := func(word string) string {
		return "<p>" + strings.Repeat(word+" mill stands by the water. ", 8) + "</p>"
	}
	visible, rest := text("The"), `<div style="display:none">`+text("Another")+text("Third")+"</div>"
	for _, c := range []struct {
		name, html string
		sure       float32
		want       bool
	}{
		{"the rest of an article", visible + rest, .9, true},
		{"uncertain text", visible + rest, .6, false},
		{"a small part", strings.Repeat(visible, 5) + rest, .9, false},
		{"a copy", text("Another") + text("Third") + rest, .9, false},
		{"blocks between visible text", `<div hidden>` + text("Another") + "</div>" + visible + `<div hidden>` + text("Third") + "</div>", .9, false},
		{"few words", visible + `<div hidden><p>The miller has gone to the market in the other village.</div>`, .9, false},
	} {
		_, s := allBody(t, c.html)
		for i := range s.kept {
			s.kept[i], s.keep[i] = true, c.sure
		}
		s.reveal()
		must.Equal(t, slices.Contains(s.revealed, true), c.want, c.name)
	}
}
