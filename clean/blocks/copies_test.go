package blocks

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestDropCopies holds the dropped text of a page of which all text is kept.
func TestDropCopies(t *testing.T) {
	words := func(of string, n int) string { return strings.TrimSpace(strings.Repeat(of+" ", n)) }
	one, two, three := "<p>"+words("one", 20), "<p>"+words("two", 20), "<p>"+words("three", 20)
	short := "<p>cash or card<p>next day<p>" + words("no", 11)
	for _, c := range []struct{ name, html, kept string }{
		{"nothing twice", one + two + three, "xxx"},
		{"all of it again", one + two + three + one + two + three, "xxx..."},
		{"once more", one + two + one + two + one + two, "xx...."},
		{"a part of it, with something between", one + two + three + "<p>more" + two + three, "xxxx.."},
		{"a heading in it", "<h2>head</h2>" + one + two + "<h2>head</h2>" + one + two, "xxx..."},
		{"a single block", one + two + one, "xxx"},
		{"in another order", one + two + three + two + one, "xxxxx"},
		{"short blocks", short + one + short + two + short, "xxxxxxxxxxx"},
		{"one of 20 words in short blocks", one + short + one + short, "xxxxxxxx"},
		{"what a post quotes", one + two + "<blockquote>" + one + "</blockquote>" + three, "xx.x"},
		{"a short quotation", short + "<blockquote><p>next day</blockquote>", "xxxx"},
		{"a meal plan", "<p>Monday" + one + two + "<p>a walk<p>Tuesday" + one + two + "<p>a swim<p>Wednesday" + one + two + "<p>rest", "xxxxxxxxxxxx"},
		{"rows of a list", "<ul><li>" + words("one", 20) + "<li>" + words("two", 20) + "<li>three<li>" + words("one", 20) + "<li>" + words("two", 20) + "<li>four</ul>", "xxxxxx"},
		{"a list twice", "<ul><li>" + words("one", 20) + "<li>" + words("two", 20) + "</ul><p>between<ul><li>" + words("one", 20) + "<li>" + words("two", 20) + "</ul>", "xxx.."},
		{"the first is not shown", `<div hidden>` + one + two + `</div>` + one + two, "xxxx"},
		{"the second is not shown", one + two + `<div hidden>` + one + two + `</div>`, "xxxx"},
	} {
		s := &scratch{sheet: *sheetOf(t, c.html)}
		s.causes = make([]cause, s.sheet.n)
		for range s.sheet.n {
			s.kept = append(s.kept, true)
		}
		s.dropCopies()
		got := ""
		for i, kept := range s.kept {
			if kept != (s.causes[i] == byItself) {
				t.Errorf("%s: block %d: kept %v because of %d", c.name, i, kept, s.causes[i])
			}
			got += map[bool]string{true: "x", false: "."}[kept]
		}
		must.Equal(t, got, c.kept, c.name)
	}
}

// TestCopiesByPolicy: a policy with comments keeps a thread with its quotations.
func TestCopiesByPolicy(t *testing.T) {
	html := strings.Repeat("<p>"+strings.Repeat("one ", 20)+"<p>"+strings.Repeat("two ", 20), 2)
	for policy, want := range map[string]bool{Text: true, Main: false, Article: false, "body,comment": true, "body": false} {
		l := must.Get(New(Config{Keep: policy}))(t)
		s := scored(t, html, func(int) (float32, float32) { return .9, .05 })
		l.choose(s, l.want, l.policy)
		if s.kept[3] != want || !s.kept[0] {
			t.Errorf("%s: the first kept %v, its copy %v, wanted true, %v", policy, s.kept[0], s.kept[3], want)
		}
	}
}
