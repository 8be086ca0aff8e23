package extract

import (
	"slices"
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	const page = `<!doctype html><title>A <a href="/title">title</a></title>
<base href=" https://example.org/x/ "><base href="/second">
<meta charset=utf-8><meta name="robots" content="noindex &amp; more">
<link rel=alternate hreflang=gd href="/gd/">
<!-- <a href="/comment"> --><script>"<a href='/script'>"</script>
<p><a href="one?a=1&amp;b=2" rel="NoFollow ugc">one</a> <A HREF=two><img src=x></A>
<a name=anchor>none</a> <area href=" three
 "><iframe src=four></iframe><textarea>never closed <a href=five>`
	var got []Link
	var metas []string
	base := Links(page, func(l Link) {
		if !strings.HasPrefix(page[l.Start:], "<") {
			t.Errorf("%q starts at %d, which is no tag", l.URL, l.Start)
		}
		l.Start = 0
		got = append(got, l)
	}, func(name, content string) { metas = append(metas, name+"="+content) })
	want := []Link{
		{Element: "link", URL: "/gd/", Rel: "alternate", Lang: "gd"},
		{Element: "a", URL: "one?a=1&b=2", Rel: "NoFollow ugc"},
		{Element: "a", URL: "two"},
		{Element: "area", URL: "three"},
		{Element: "iframe", URL: "four"},
		{Element: "a", URL: "five"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("links are\n%+v, want\n%+v", got, want)
	}
	if !slices.Equal(metas, []string{"robots=noindex & more"}) {
		t.Errorf("meta elements are %q", metas)
	}
	if base != "https://example.org/x/" {
		t.Errorf("base is %q", base)
	}
}
