package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"chaffinch/format/vertical"
	"chaffinch/internal/testkit/must"
)

// webSet are pages in eight languages, each once in an encoding that it declares
// and once in one that it does not.
var webSet = []struct{ lang, declared, silent string }{
	{"en", "windows-1252", "utf-8"},
	{"de", "windows-1252", "utf-8"},
	{"fr", "utf-8", "windows-1252"},
	{"cs", "iso-8859-2", "windows-1250"},
	{"ru", "windows-1251", "koi8-r"},
	{"el", "iso-8859-7", "utf-8"},
	{"ja", "shift_jis", "euc-jp"},
	{"zh", "gb18030", "big5"},
}

// menu and footer are the chaff of the pages.
const (
	menu   = `<ul class="nav"><li><a href="/">A</a></li><li><a href="/b">B</a></li><li><a href="/c">C</a></li></ul>`
	footer = `<div class="footer"><a href="/x">x</a> | <a href="/y">y</a> | <a href="/z">z</a> &copy; 2024</div>`
)

// TestWebSet turns a crawl in eight languages and many encodings into one
// vertical, in which every page has its language and its text.
func TestWebSet(t *testing.T) {
	var archive bytes.Buffer
	want := map[string]string{}    // by address: language
	texts := map[string][]string{} // paragraphs without spaces
	add := func(url, lang, charset, header, head, body string) {
		enc := must.Get(htmlindex.Get(charset))(t)
		page, err := enc.NewEncoder().String("<html><head>" + head + "<title>" + url + "</title></head><body>" + menu + "<div id=\"main\">" + body + "</div>" + footer + "</body></html>")
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		http := "HTTP/1.1 200 OK\r\nContent-Type: text/html" + header + "\r\n\r\n" + page
		fmt.Fprintf(&archive, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-05-01T10:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(http), http)
		want[url] = lang
		for _, p := range regexp.MustCompile(`<p>(.*)</p>`).FindAllStringSubmatch(body, -1) {
			texts[url] = append(texts[url], strings.Join(strings.Fields(p[1]), ""))
		}
	}
	for i, p := range webSet {
		b := must.Read(t, filepath.Join("testdata", "webset", p.lang+".html"))
		first, second, ok := strings.Cut(strings.TrimPrefix(string(b), "<h1>"), "<h1>")
		if !ok {
			t.Fatalf("%s: no second page", p.lang)
		}
		first, second = "<h1>"+first, "<h1>"+second
		if p.silent == "big5" { // which has the traditional characters only
			second = traditional.Replace(second)
		}
		header, head := "", `<meta charset="`+p.declared+`">`
		if i%2 == 1 {
			header, head = "; charset="+p.declared, ""
		}
		host := fmt.Sprintf("http://%s.example/", p.lang)
		if p.declared == "iso-8859-2" { // which has no such quotes
			first = strings.NewReplacer("„", `"`, "“", `"`).Replace(first)
		}
		add(host+"1", p.lang, p.declared, header, head, first)
		add(host+"2", p.lang, p.silent, "", "", second)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "crawl.warc"), filepath.Join(dir, "corpus.vert")
	must.Write(t, in, archive.Bytes())
	var errs bytes.Buffer
	if code := run([]string{"clean", in, "-o", out, "--format", "vertical", "-q"}, &console{strings.NewReader(""), io.Discard, &errs}); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	v := must.Read(t, out)
	if bytes.ContainsRune(v, '\ufffd') {
		t.Error("the vertical holds U+FFFD")
	}
	docs := documentsIn(t, v)
	if len(docs) != len(want) {
		t.Errorf("%d documents of %d pages", len(docs), len(want))
	}
	for url, lang := range want {
		d := docs[url]
		if got, _, _ := strings.Cut(d.lang, "-"); got != lang {
			t.Errorf("%s: language %q, want %s", url, d.lang, lang)
		}
		if len(texts[url]) != 3 {
			t.Errorf("%s: %d paragraphs went in", url, len(texts[url]))
		}
		for _, p := range texts[url] {
			if !strings.Contains(d.text, p) {
				t.Errorf("%s (%s): %s is not in\n%s", url, d.charset, p, d.text)
			}
		}
	}
}

type indexed struct{ lang, charset, text string }

// documentsIn reads a vertical and returns by address its documents, tokens without
// spaces between.
func documentsIn(t *testing.T, v []byte) map[string]indexed {
	t.Helper()
	docs := map[string]indexed{}
	r := vertical.NewReader(bytes.NewReader(v), vertical.ReaderConfig{Strict: true})
	url := ""
	for {
		l, err := r.Next()
		if err == io.EOF {
			return docs
		}
		must.Succeed(t, err)
		switch {
		case l.Kind == vertical.Open && string(l.Name) == "doc":
			url = string(l.Value("url"))
			docs[url] = indexed{lang: string(l.Value("lang")), charset: string(l.Value("charset"))}
		case l.Kind == vertical.Token:
			d := docs[url]
			d.text += string(l.Fields[0])
			docs[url] = d
		}
	}
}

// traditional turns the simplified characters of the Chinese pages into
// traditional ones.
var traditional = strings.NewReplacer(
	"业", "業", "两", "兩", "个", "個", "书", "書", "们", "們", "会", "會", "园", "園", "场", "場", "学", "學", "师", "師", "带", "帶", "旧", "舊", "时", "時", "条", "條", "来", "來", "毕", "畢", "现", "現", "着", "著", "见", "見", "读", "讀", "课", "課", "谁", "誰", "钟", "鐘", "镇", "鎮", "门", "門", "后", "後", "里", "裡", "几", "幾", "种", "種")
