package roles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// pages are two pages of four blocks, the last one hidden.
var pages = map[string]string{
	"a": "<h1>One</h1><p>two three</p><p>four five six</p><p hidden>seven</p>",
	"b": "<h1>One</h1><p>eight nine</p><p>ten</p><p hidden>eleven</p>",
}

// span returns the roles of the blocks of a page, each of which stands once in
// its HTML.
func span(id string, roles map[string]page.Role) gold.RolePage {
	sum := sha256.Sum256([]byte(pages[id]))
	p := gold.RolePage{Set: "small", ID: id, SHA256: gold.RoleHash(hex.EncodeToString(sum[:]))}
	for text, r := range roles {
		at := strings.Index(pages[id], text)
		p.Spans = append(p.Spans, gold.RoleSpan{Start: at, End: at + len(text), Role: r})
	}
	slices.SortFunc(p.Spans, func(a, b gold.RoleSpan) int { return a.Start - b.Start })
	return p
}

func collect(t *testing.T) *gold.Collection {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	for id, html := range pages {
		must.WriteAll(t, dir, map[string]string{"html/" + id + ".html": html, "gold/" + id + ".txt": "One"})
	}
	s := must.Get(evalclean.Open("", dir))(t)
	c, failed, err := evalclean.Collect(t.Context(), []*evalclean.Set{s}, "", gold.CollectConfig{})
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	return c
}

func first() []gold.RolePage {
	return []gold.RolePage{
		span("a", map[string]page.Role{"One": page.RoleTitle, "two three": page.RoleBody, "four five six": page.RoleBody, "seven": page.RoleNotice}),
		span("b", map[string]page.Role{"One": page.RoleTitle, "eight nine": page.RoleByline, "ten": page.RoleBody, "eleven": page.RoleNotice}),
	}
}

func TestMeasure(t *testing.T) {
	c := collect(t)
	second := []gold.RolePage{span("b", map[string]page.Role{"One": page.RoleTitle, "eight nine": page.RoleBody, "ten": page.RoleBody})}
	s := must.Get(NewSet(c, first(), second, false))(t)
	o := &Output{Name: "ours", Roles: map[*gold.Item][]page.Role{
		s.Pages[0].Item: {page.RoleTitle, page.RoleBody, page.RoleCaption, page.NoRole},
		s.Pages[1].Item: {page.RoleBody, page.RoleByline, page.RoleBody, page.NoRole},
	}}
	r := Measure(s, o, Config{Samples: 50, Level: .9, Seed: 1})
	if r.Pages != 2 || r.Blocks.total() != 6 || r.Words.total() != 10 {
		t.Fatalf("%d pages, %d blocks, %d words; want 2, 6, 10", r.Pages, r.Blocks.total(), r.Words.total())
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	near("accuracy", r.Accuracy.Value, 4./6)
	near("word accuracy", r.WordAccuracy.Value, 6./10)
	// Gold: 2 title, 3 body, 1 byline; given: 1 title, 3 body, 1 byline, 1 caption.
	chance := (2.*1 + 3*3 + 1*1) / 36
	near("kappa", r.Kappa.Value, (4./6-chance)/(1-chance))
	near("macro F", r.MacroF.Value, (2./3+2*2./6+1)/3)
	if a := r.WordAccuracy; a.Low > a.Value || a.High < a.Value || a.Low == a.High {
		t.Errorf("interval of the accuracy by words %v", a)
	}
	by := map[page.Role]Figures{}
	for _, f := range r.Roles {
		by[f.Role] = f
	}
	if len(by) != 4 {
		t.Errorf("roles %v, want title, byline, body and caption", r.Roles)
	}
	near("title P", by[page.RoleTitle].Precision.Value, 1)
	near("title R", by[page.RoleTitle].Recall.Value, .5)
	near("body P by words", by[page.RoleBody].WordPrecision.Value, 3./4)
	near("body R by words", by[page.RoleBody].WordRecall.Value, 3./6)
	near("caption R", by[page.RoleCaption].Recall.Value, math.NaN())
	near("caption P", by[page.RoleCaption].Precision.Value, 0)
	if r.Blocks[page.RoleBody][page.RoleCaption] != 1 || r.Blocks[page.RoleTitle][page.RoleBody] != 1 {
		t.Errorf("matrix %v", r.Blocks)
	}
	if r.Second == nil || r.Second.Pages != 1 {
		t.Fatalf("second reading %v, want 1 page", r.Second)
	}
	near("accuracy of the second reading", r.Second.Accuracy.Value, 2./3)
	near("second F of body", by[page.RoleBody].Second, 2./3)
	near("second F of byline", by[page.RoleByline].Second, 0)

	groups := r.Groups("set")
	if len(groups) != 1 || groups[0].Value != "small" || groups[0].Accuracy.Value != r.Accuracy.Value {
		t.Errorf("groups %v", groups)
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, append([]*Result{r}, groups...)); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("JSON: %v\n%s", err, b.String())
	}
	b.Reset()
	must.Succeed(t, WriteErrors(&b, s, o))
	want := "page\tblock\tstart\tend\tgold\tsecond\tgiven\ttext\nsmall/a\t2\t31\t44\tbody\t\tcaption\tfour five six\nsmall/b\t0\t4\t7\ttitle\ttitle\tbody\tOne\n"
	must.Equal(t, b.String(), want, "errors")
}

// TestHidden: blocks that the page does not show count only if asked for.
func TestHidden(t *testing.T) {
	c := collect(t)
	for hidden, want := range map[bool]int{false: 3, true: 4} {
		s := must.Get(NewSet(c, first(), nil, hidden))(t)
		if n := len(s.Pages[0].Blocks); n != want {
			t.Errorf("hidden %v: %d blocks, want %d", hidden, n, want)
		}
	}
}

// TestNoOutput: pages and blocks without a role count as wrong, and are told of.
func TestNoOutput(t *testing.T) {
	s := must.Get(NewSet(collect(t), first(), nil, false))(t)
	r := Measure(s, &Output{Name: "mute"}, Config{})
	if r.Accuracy.Value != 0 || r.Blocks.given(page.NoRole) != 6 || !slices.Contains(r.Notes, "gives no block a role") || r.Second != nil {
		t.Errorf("accuracy %v, notes %q", r.Accuracy, r.Notes)
	}
	var b bytes.Buffer
	if err := WriteText(&b, r); err != nil || !strings.Contains(b.String(), "none") {
		t.Errorf("error %v, text:\n%s", err, b.String())
	}
}

func TestNewSetErrors(t *testing.T) {
	c := collect(t)
	spans := first()[0].Spans
	for _, r := range []struct {
		page gold.RolePage
		want string
	}{
		{gold.RolePage{Set: "small", ID: "a", SHA256: "0123456789abcdef", Spans: spans}, "page small/a: the SHA-256 of its bytes"},
		{gold.RolePage{Set: "small", ID: "z", SHA256: "0123456789abcdef", Spans: spans}, "page small/z is not in the set"},
		{gold.RolePage{Set: "other", ID: "a", Spans: spans}, "no annotated page is of the sets small: the annotations are of other"},
	} {
		must.Fail(t, must.Err(NewSet(c, []gold.RolePage{r.page}, nil, false)), r.want)
	}
	s, err := NewSet(c, []gold.RolePage{span("a", map[string]page.Role{"One": page.RoleTitle})}, nil, false)
	if err != nil || s.Unread != 2 || len(s.Pages[0].Blocks) != 1 {
		t.Errorf("a page annotated in part: error %v, set %+v", err, s)
	}
}
