package charset

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// special are decoders that the WHATWG table lacks or that serve a family
// better than its own member does.
var special = map[string]encoding.Encoding{
	"gb18030":    simplifiedchinese.GB18030,
	"hz-gb-2312": simplifiedchinese.HZGB2312,
}

// aliases are names seen in pages that are no WHATWG labels.
var aliases = map[string]string{
	"utf8mb4": "utf-8", "utf": "utf-8", "utf-8859-1": "utf-8", "utf8-bom": "utf-8", "uft-8": "utf-8", "uft8": "utf-8",
	"cp-1250": "windows-1250", "cp-1251": "windows-1251", "cp-1252": "windows-1252", "win-1250": "windows-1250",
	"win-1251": "windows-1251", "win1251": "windows-1251", "windows1251": "windows-1251", "windows1252": "windows-1252",
	"windows1250": "windows-1250", "windows-1252i": "windows-1252", "iso8859": "windows-1252", "iso-8859": "windows-1252",
	"iso": "windows-1252", "ansi": "windows-1252", "western": "windows-1252", "koi8r": "koi8-r",
	"cp936": "gb18030", "ms936": "gb18030", "cp950": "big5", "cp949": "euc-kr", "ms949": "euc-kr", "cp932": "shift_jis",
	"s-jis": "shift_jis", "shift-jis-2004": "shift_jis", "eucjp": "euc-jp", "euckr": "euc-kr",
	"hz-gb-2312": "hz-gb-2312", "hz": "hz-gb-2312",
}

// resolve returns the WHATWG name for a label as it stands in a header or a
// meta tag, "" if it names no encoding. The GB family is read as its superset
// gb18030. A declared UTF-16 means UTF-8: whoever could read the declaration
// byte by byte was not reading UTF-16.
func resolve(label string) string {
	label = strings.ToLower(strings.Trim(label, " \t\r\n\f\"'`;,"))
	label = strings.TrimPrefix(label, "charset=")
	if i := strings.IndexAny(label, ",; \t\"'"); i >= 0 {
		label = label[:i]
	}
	if label == "" || len(label) > 40 {
		return ""
	}
	name, ok := aliases[label]
	if !ok {
		enc, err := htmlindex.Get(label)
		if err != nil {
			dashed := strings.ReplaceAll(strings.ReplaceAll(label, "_", "-"), "iso8859", "iso-8859")
			if enc, err = htmlindex.Get(dashed); err != nil {
				return ""
			}
		}
		if name, err = htmlindex.Name(enc); err != nil {
			return ""
		}
	}
	switch name {
	case "gbk", "gb2312":
		return "gb18030"
	case "utf-16le", "utf-16be":
		return "utf-8"
	case "x-user-defined":
		return "windows-1252"
	case "replacement":
		return ""
	}
	return name
}

// declared returns the label of the first meta tag or XML declaration in head
// that has one, "" if there is none. Comments are passed over.
func declared(head []byte) string {
	if rest, ok := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<?xml")); ok {
		decl, _, _ := bytes.Cut(rest, []byte("?>"))
		if label := after(decl[:min(len(decl), 256)], "encoding"); label != "" {
			return label
		}
	}
	for {
		i := bytes.IndexByte(head, '<')
		if i < 0 {
			return ""
		}
		head = head[i+1:]
		if hasPrefix(head, "!--") {
			i := bytes.Index(head, []byte("-->"))
			if i < 0 {
				continue // never closed: look on inside
			}
			head = head[i+3:]
			continue
		}
		if len(head) < 5 || !bytes.EqualFold(head[:4], []byte("meta")) || head[4] > ' ' && head[4] != '/' {
			continue
		}
		tag := head[4:]
		if end := bytes.IndexByte(tag, '>'); end >= 0 {
			tag = tag[:end]
		}
		if label := after(tag[:min(len(tag), 1024)], "charset"); label != "" {
			return label
		}
	}
}

// after returns the value that follows name and "=" in tag, without quotes.
func after(tag []byte, name string) string {
	low := lowerASCII(tag)
	for {
		i := bytes.Index(low, []byte(name))
		if i < 0 {
			return ""
		}
		low, tag = low[i+len(name):], tag[i+len(name):]
		v := bytes.TrimLeft(tag, " \t\r\n")
		if len(v) == 0 || v[0] != '=' {
			continue
		}
		v = bytes.TrimLeft(v[1:], " \t\r\n\"'")
		if end := bytes.IndexAny(v, " \t\r\n\"';/>"); end >= 0 {
			v = v[:end]
		}
		return string(v)
	}
}

// lowerASCII returns b with A to Z in lower case. It has the length of b, which
// bytes.ToLower does not keep where b is no UTF-8.
func lowerASCII(b []byte) []byte {
	low := bytes.Clone(b)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return low
}
