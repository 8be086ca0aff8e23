package mail

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const head = "From: Ann Lee <ann@example.org>\nDate: Tue, 3 Feb 2026 10:00:00 +0100\nSubject: =?utf-8?q?Caf=C3=A9?=\n =?utf-8?b?IG9wZW4=?=\n"

const start = "<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>Café open</title><meta name=\"author\" content=\"Ann Lee\"><meta name=\"date\" content=\"2026-02-03\"></head>\n<body>\n" +
	"<h1>Café open</h1>\n<header class=\"fields\"><p>From: Ann Lee &lt;ann@example.org&gt;</p>\n<p>Date: Tue, 3 Feb 2026 10:00:00 +0100</p>\n</header>\n"

// bodies contains fields of the header and bodies, with the HTML that is read from them.
var bodies = []struct{ name, raw, want string }{
	{"wrapped lines", "\nThe ferry left the harbour at noon and it carried forty passengers and\ntwo cars to the island.\n\nShort.\nLines.\n",
		"<p>The ferry left the harbour at noon and it carried forty passengers and two cars to the island.</p>\n<p>Short.<br>Lines.</p>\n"},
	{"quote", "\nOn 3 Feb 2026, Bob <b@example.org>\nwrote:\n> one\n>> two\n> three\n\nMine.\n",
		"<p class=\"fields\">On 3 Feb 2026, Bob &lt;b@example.org&gt; wrote:</p>\n<blockquote class=\"quote\"><p>one</p>\n<blockquote class=\"quote\"><p>two</p>\n</blockquote>\n<p>three</p>\n</blockquote>\n<p>Mine.</p>\n"},
	{"introduction in another language", "\nAm 3. Februar 2026 schrieb Bob:\n> eins\n\nZwei.\n", "<p class=\"fields\">Am 3. Februar 2026 schrieb Bob:</p>\n<blockquote class=\"quote\"><p>eins</p>\n</blockquote>\n<p>Zwei.</p>\n"},
	{"signature", "\nText.\n-- \nAnn\nHarbour office\n", "<p>Text.</p>\n<div class=\"signature\"><p>Ann<br>Harbour office</p>\n</div>\n"},
	{"flowed", "Content-Type: text/plain; format=flowed; delsp=yes\n\nThe fer \nry left.\n> a \n> b\n  stuffed\n", "<p>The ferry left.</p>\n<blockquote class=\"quote\"><p>ab</p>\n</blockquote>\n<p>stuffed</p>\n"},
	{"flowed lines", "Content-Type: text/plain; format=flowed\n\na \nb \nc\n\nd \ne \nf\n", "<p>a b c</p>\n<p>d e f</p>\n"},
	{"quoted-printable", "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 so=\nft =zz\n", "<p>café soft =zz</p>\n"},
	{"base64", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nY2Fmw6\nk=\n", "<p>café</p>\n"},
	{"base64 in parts", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nT25lLgo=\nVHdvLg==\n\nIFRocmVl\n____\nlist mailing list\n", "<p>One.<br>Two. Three</p>\n"},
	{"HTML", "Content-Type: text/html\n\n<html><head><style>x</style></head><body onload=x><p>one<blockquote type=\"cite\">two</blockquote><div class=\"gmail_signature\" dir=x>Ann</div></body></html>\n",
		"<div><p>one<blockquote class=\"quote\">two</blockquote><div class=\"signature\" dir=x>Ann</div></div>\n"},
	{"alternative", "Content-Type: multipart/alternative; boundary=\"x\"\n\npreamble\n--x\nContent-Type: text/plain\n\nplain text\n--x\nContent-Type: text/html\n\n<p>rich text</p>\n--x--\n", "<p>plain text</p>\n"},
	{"stub", "Content-Type: multipart/alternative; boundary=x\n\n--x\n\nSee HTML\n--x\nContent-Type: text/html\n\n<p>" + "The_ferry_left_the_harbour_at_noon_and_it_carried_forty_passengers." + "</p>\n--x--\n",
		"<div><p>The_ferry_left_the_harbour_at_noon_and_it_carried_forty_passengers.</p></div>\n"},
	{"forwarded", "\nSee below.\n\n----- Forwarded message -----\nFrom: Bob\nDate: today\n\nHello.\n",
		"<p>See below.</p>\n<p class=\"fields\">From: Bob Date: today</p>\n<blockquote class=\"quote\"><p>Hello.</p>\n</blockquote>\n"},
	{"armor", "\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nSigned.\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n", "<p>Signed.</p>\n"},
	{"attachment", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nText.\n--x\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\nfile\n--x--\n", "<p>Text.</p>\n"},
	{"columns", "\na    1\nb    2\n", "<pre>a    1\nb    2\n</pre>\n"},
	{"list", "\n- one\n- two\n", "<p>- one<br>- two</p>\n"},
}

func TestRead(t *testing.T) {
	for _, c := range bodies {
		for _, raw := range []string{head + c.raw, strings.ReplaceAll(head+c.raw, "\n", "\r\n")} {
			d := must.Get(Read(context.Background(), []byte(raw), document.Default))(t)
			if want := start + c.want + "</body></html>\n"; d.HTML != want || d.Drop != page.None || d.Cut != page.None {
				t.Errorf("%s: drop %q, cut %q\ngot  %q\nwant %q", c.name, d.Drop, d.Cut, d.HTML, want)
			}
			if has := len(d.Notes) > 0; has != (c.name == "attachment") {
				t.Errorf("%s: notes %v", c.name, d.Notes)
			}
		}
	}
}

func TestBad(t *testing.T) {
	deep := strings.Builder{}
	for i := range 50 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=x%d\n\n--x%d\n", i, i)
	}
	for name, c := range map[string]struct {
		raw       string
		drop, cut page.Reason
	}{
		"empty":     {"", page.Damaged, page.None},
		"text":      {"no header here", page.Damaged, page.None},
		"encrypted": {head + "Content-Type: multipart/encrypted; boundary=x\n\n--x\n\nabc\n--x--\n", page.Encrypted, page.None},
		"armored":   {head + "\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n", page.Encrypted, page.None},
		"S/MIME":    {head + "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nabc\n", page.Encrypted, page.None},
		"cut":       {head + "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nText", page.None, page.Truncated},
		"deep":      {deep.String(), page.None, page.TooDeep},
		"parts":     {head + "Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\na\n", 10000), page.None, page.Truncated},
		"quotes":    {head + "\n" + strings.Repeat(">", 100000) + "a\n", page.None, page.None},
	} {
		d := must.Get(Read(context.Background(), []byte(c.raw), document.Default))(t)
		if d.Drop != c.drop || d.Cut != c.cut {
			t.Errorf("%s: drop %q, cut %q", name, d.Drop, d.Cut)
		}
	}
	long := head + "Content-Type: text/html\n\n" + strings.Repeat("<p>é", 10000)
	d := must.Get(Read(context.Background(), []byte(long), document.Limits{MaxHTML: 2000}))(t)
	if d.Cut != page.TooLarge || len(d.HTML) > 3500 {
		t.Errorf("cut %q, %d bytes", d.Cut, len(d.HTML))
	}
}

func TestBegins(t *testing.T) {
	for raw, want := range map[string]bool{
		"From ann@example.org Tue Feb  3 10:00:00 2026\nFrom: Ann\n":                   true,
		"From - Tue Feb 03 10:00:00 2026\nX-Mozilla-Status: 0001\n":                    true,
		"From ann at example.org  Tue Feb  3 10:00:00 2026\r\nFrom: ann\r\n":           true,
		"From MAILER-DAEMON Tue Feb  3 10:00:00 2026\nReceived: x\n":                   true,
		"From Tuesday at 10:00 the ferry left. It was 2026\nand then\n":                false,
		"From ann@example.org Tue Feb  3 10:00:00 2026\nis a line that is quoted here": false,
		"#! rnews 120\nPath: a!b\n":                                                    true,
		"From here on\n":                                                               false,
	} {
		if got := Begins([]byte(raw)); got != want {
			t.Errorf("%q: %v", raw, got)
		}
	}
	got := Message([]byte("From a@b Tue Feb  3 10:00:00 2026\nMessage-ID: <1@x>\n\n>From here\n>>From there\n> From\n"))
	if want := "Message-ID: <1@x>\n\nFrom here\n>From there\n> From\n"; string(got) != want || ID(got) != "1@x" {
		t.Errorf("%q, ID %q", got, ID(got))
	}
}

// FuzzRead reads any bytes after fields of a header.
func FuzzRead(f *testing.F) {
	for _, c := range bodies {
		f.Add(c.raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		d := must.Get(Read(context.Background(), []byte(head+raw), document.Limits{MaxHTML: 1 << 16}))(t)
		if d.Drop == page.None && (!strings.HasPrefix(d.HTML, "<!doctype html>") || !strings.HasSuffix(d.HTML, "</body></html>\n") || len(d.HTML) > 1<<18) {
			t.Errorf("HTML %q", d.HTML)
		}
		Message([]byte(raw))
	})
}
