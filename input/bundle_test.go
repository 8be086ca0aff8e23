package input_test

import (
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// TestBundles reads the messages of an mbox file and of a batch of news, and the articles of a dump.
func TestBundles(t *testing.T) {
	const (
		from = "From a@example.org Tue Feb  3 10:00:00 2026\n"
		dump = "<mediawiki>\n<siteinfo><base>https://wiki.example/wiki/Main</base></siteinfo>"
	)
	for name, c := range map[string]struct {
		raw  string
		want []string
	}{
		"a.mbox": {from + "Subject: 1\nContent-Length: 9999\n\n>From here\nFrom a@example.org Tue Feb  3 10:00:00 2026\nnot a header\n\n" + from + "Subject: 2\n\nb\n",
			[]string{`#0 message/rfc822 "Subject: 1\nContent-Length: 9999\n\nFrom here\nFrom a@example.org Tue Feb  3 10:00:00 2026\nnot a header\n\n" `, `#146 message/rfc822 "Subject: 2\n\nb\n" `}},
		"news": {"#! rnews 20\nPath: a\n\none\n#! rnews 20\nPath: b\n\ntwo\n", []string{`#0 message/rfc822 "Path: a\n\none\n" `, `#25 message/rfc822 "Path: b\n\ntwo\n" `}},
		"wiki.xml": {dump + "<page><title>A</title><ns>0</ns><text>a</text></page><page><title>B</title><ns>1</ns><text>b</text></page><page><title>C</title><ns>0</ns><redirect title=\"A\" /></page></mediawiki>",
			[]string{`#0 text/x-wiki "<page><title>A</title><ns>0</ns><text>a</text></page>" `}},
	} {
		dir := t.TempDir()
		write(t, dir, name, []byte(c.raw))
		ids, errs := told(t, open(t, input.Config{}, dir+"/"+name))
		for i := range ids {
			ids[i] = strings.TrimPrefix(ids[i], dir+"/"+name)
		}
		if strings.Join(ids, "|") != strings.Join(c.want, "|") || len(errs) > 0 {
			t.Errorf("%s: got\n%s\nwant\n%s\n%q", name, strings.Join(ids, "\n"), strings.Join(c.want, "\n"), errs)
		}
	}
	dir := t.TempDir()
	write(t, dir, "a.mbox", []byte(from+"Message-ID: <1@x>\n\n"+strings.Repeat("text\n", 1000)+"\n"+from+"Subject: 2\n\nb\n"))
	write(t, dir, "b.xml", []byte(dump+"<page><title>A</title><text>"+strings.Repeat("text\n", 1000)+"</text></page><page><title>B b</title></page>"))
	r := open(t, input.Config{MaxPageBytes: 100}, dir)
	var got []string
	for p, err := range r.All() {
		must.Succeed(t, err)
		got = append(got, p.Source.Record+p.URL+" "+p.Cut.String())
	}
	if s := strings.Join(got, "|"); s != "1@x too-large| |https://wiki.example/wiki/A too-large|https://wiki.example/wiki/B_b " {
		t.Error(s)
	}
}
