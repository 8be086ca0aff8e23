package rtf

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const head = `{\rtf1\ansi\ansicpg1252\deff0\deflang1033{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 MS Mincho;}}` +
	`{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Titre 1;}{\s2\sbasedon1 Own;}{\s3 caption;}{\s4 toc 1;}}` +
	`{\*\listtable{\list{\listlevel\levelnfc23{\leveltext \'b7;}}{\listlevel\levelnfc0{\leveltext x;}}\listid77}}{\*\listoverridetable{\listoverride\listid77\ls1}}` +
	`{\info{\title A & B}{\author Ann \'c4}{\creatim\yr2026\mo1\dy2}}`

// texts contains texts of RTF with the HTML that is read from them.
var texts = []struct{ name, rtf, want string }{
	{"characters", `\pard a\~b\_c\-d\emdash\{e\}\line f\tab g \'e9\par`, "<p>a\u00a0b\u2011c\u00add—{e}<br>f\tg é</p>\n"},
	{"styles", `\pard a{\b b}\i c\i0 d{\super e}{\v hidden}{\deleted old}{\revised new}\par`, "<p>a<b>b</b><i>c</i>d<sup>e</sup>new</p>\n"},
	{"code pages", `\pard{\f1 \'cf\'f0\'e8}{\f2 ab}{\f3 \'82\'a0\'82\'a2}\f0 \'e9\par`, "<p>Приαβあいé</p>\n"},
	{"unicode", `\pard\uc1 \u1055?\u-10179?\u-8704?{\uc2 \u8217\'92xy}{\uc0\u233 z}\par`, "<p>П😀’yéz</p>\n"},
	{"headings", `\pard\s1 one\par\pard\s2 two\par\pard\outlinelevel1 three\par\pard\s3 Fig. 1\par\pard\s4 One 1\par`,
		"<h1>one</h1>\n<h1>two</h1>\n<h2>three</h2>\n<figcaption>Fig. 1</figcaption><nav role=\"doc-toc\"><p>One 1</p>\n</nav>"},
	{"lists", `\pard\ls1\ilvl0{\listtext\'b7}a\par\ilvl1 b\par\pard{\pntext 1.}{\*\pn\pnlvlbody}c\par\pard d\par`, "<ul><li>a<ol><li>b</li>\n</ol>\n</li>\n</ul>\n<ol><li>c</li>\n</ol>\n<p>d</p>\n"},
	{"table", `\trowd\trhdr\clmgf\cellx1000\clmrg\cellx2000\pard\intbl a\cell\cell\row\trowd\clvmgf\cellx1000\cellx2000\pard\intbl b\cell c\par c\cell\row\trowd\clvmrg\cellx1000\cellx2000\intbl\cell d\cell\row\pard e\par`,
		"<table><tr><th colspan=\"2\">a</th>\n</tr>\n<tr><td rowspan=\"2\">b</td>\n<td><p>c</p>\n<p>c</p>\n</td>\n</tr>\n<tr><td>d</td>\n</tr>\n</table>\n<p>e</p>\n"},
	{"columns", `\trowd\cellx2000\cellx3000\pard\intbl a\cell b\cell\row\trowd\cellx1000\cellx2000\cellx3000\intbl c\cell d\cell e\cell\row\pard`,
		"<table><tr><td colspan=\"2\">a</td>\n<td>b</td>\n</tr>\n<tr><td>c</td>\n<td>d</td>\n<td>e</td>\n</tr>\n</table>\n"},
	{"nested table", `\trowd\cellx1000\cellx2000\pard\intbl\itap1 a\cell\pard\intbl\itap2 b\nestcell c\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}\pard\intbl\itap1 d\cell\row\pard`,
		"<table><tr><td>a</td>\n<td><table><tr><td>b</td>\n<td>c</td>\n</tr>\n</table>\n<p>d</p>\n</td>\n</tr>\n</table>\n"},
	{"note and foot", `\pard\s1 a{\footnote\pard the note}\par{\footer\pard running foot\par}`,
		"<h1>a<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a></h1>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>the note</p>\n</aside>\n<footer role=\"doc-pagefooter\"><p>running foot</p>\n</footer>\n"},
	{"field", `\pard{\field{\*\fldinst{HYPERLINK "http://example.org/"}}{\fldrslt{a}}}{\field{\*\fldinst HYPERLINK "file:///x"}{\fldrslt b}}c\par`, "<p><a href=\"http://example.org/\">a</a>bc</p>\n"},
	{"destinations", `\pard a{\pict\bin4 }{}x}{\*\unknown b}{\*\bkmkstart c}{\object{\*\objdata 00}{\result d}}\par`, "<p>ad</p>\n"},
	{"text box", `\pard a{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt\pard box\par}}{\shprslt\pard box\par}}b\par`, "<p>box</p>\n<p>ab</p>\n"},
	{"language", `\pard\lang1036 un deux\par\pard\lang1033 one\par`, "<p lang=\"fr\">un deux</p>\n<p>one</p>\n"},
	{"mark inside a group", `\pard{a\*\cs7 b}\par`, "<p>ab</p>\n"},
}

func TestRead(t *testing.T) {
	for _, c := range texts {
		d := must.Get(Read(context.Background(), []byte(head+c.rtf+"}"), document.Default))(t)
		want := "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A &amp; B</title><meta name=\"author\" content=\"Ann Ä\"><meta name=\"date\" content=\"2026-01-02\"></head>\n<body>\n" + c.want + "</body></html>\n"
		if d.HTML != want || d.Drop != page.None || d.Cut != page.None {
			t.Errorf("%s: drop %q, cut %q\ngot  %q\nwant %q", c.name, d.Drop, d.Cut, d.HTML, want)
		}
	}
}

func TestBad(t *testing.T) {
	long := head + strings.Repeat(`\pard some words\par`, 10000)
	for name, c := range map[string]struct {
		raw       string
		drop, cut page.Reason
		text      string
	}{
		"text":           {"text", page.Damaged, page.None, ""},
		"empty":          {"", page.Damaged, page.None, ""},
		"cut":            {head + `\pard some words`, page.None, page.Truncated, "some words"},
		"deep":           {head + strings.Repeat("{", 1<<20) + "a" + strings.Repeat("}", 1<<20) + `\pard b\par}`, page.None, page.TooDeep, "<p>b</p>"},
		"binary":         {head + `\pard a\par\bin2000000000 x`, page.None, page.Truncated, "<p>a</p>"},
		"too many ends":  {head + `\pard a\par}}}}b`, page.None, page.None, "<p>a</p>"},
		"huge parameter": {head + `\pard\li99999999999999999999 a\u99999999999 ?\cellx-99999999999\par}`, page.None, page.None, "a"},
		"half a pair":    {head + `\pard a\u-10179?b\par}`, page.None, page.None, "a\ufffdb"},
	} {
		d := must.Get(Read(context.Background(), []byte(c.raw), document.Default))(t)
		if d.Drop != c.drop || d.Cut != c.cut || !strings.Contains(d.HTML, c.text) {
			t.Errorf("%s: drop %q, cut %q, %.500q", name, d.Drop, d.Cut, d.HTML)
		}
	}
	d := must.Get(Read(context.Background(), []byte(long), document.Limits{MaxHTML: 2000}))(t)
	if d.Cut != page.TooLarge || len(d.HTML) > 2500 {
		t.Errorf("cut %q, %d bytes", d.Cut, len(d.HTML))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, []byte(long), document.Default); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// FuzzRead reads any text after a sound beginning.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.rtf)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := must.Get(Read(context.Background(), []byte(head+text), document.Limits{MaxHTML: 1 << 16}))(t)
		if !strings.HasPrefix(d.HTML, "<!doctype html>") || !strings.HasSuffix(d.HTML, "</body></html>\n") {
			t.Errorf("HTML %q", d.HTML)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	raw := []byte(head + strings.Repeat(`\pard\s0\ql\f0\fs24 The quick {\b brown} fox jumps over \'e9 the lazy dog\par`+texts[6].rtf+"\n", 5000) + "}")
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(Read(context.Background(), raw, document.Default)))
	}
}
