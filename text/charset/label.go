package charset

import (
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// aliases maps labels in pages that are not WHATWG labels, and names of encodings in programs.
var aliases = map[string]string{
	"utf8mb4": "utf-8", "utf": "utf-8", "utf-8859-1": "utf-8", "utf8-bom": "utf-8", "uft-8": "utf-8", "uft8": "utf-8",
	"cp-1250": "windows-1250", "cp-1251": "windows-1251", "cp-1252": "windows-1252", "win-1250": "windows-1250",
	"win-1251": "windows-1251", "win1251": "windows-1251", "windows1251": "windows-1251", "windows1252": "windows-1252",
	"windows1250": "windows-1250", "windows-1252i": "windows-1252", "iso8859": "windows-1252", "iso-8859": "windows-1252",
	"iso": "windows-1252", "ansi": "windows-1252", "western": "windows-1252", "koi8r": "koi8-r",
	"cp936": "gb18030", "ms936": "gb18030", "cp950": "big5", "cp949": "euc-kr", "ms949": "euc-kr", "cp932": "shift_jis",
	"s-jis": "shift_jis", "shift-jis-2004": "shift_jis", "eucjp": "euc-jp", "euckr": "euc-kr",
	"hz-gb-2312": "hz-gb-2312", "hz": "hz-gb-2312", "hz-gb2312": "hz-gb-2312",
	"uhc": "euc-kr", "gb2312-80": "gb18030", "cp874": "windows-874", "thai8": "windows-874", "euc-jis-2004": "euc-jp", "euc-jisx0213": "euc-jp",
	"shift-jis": "shift_jis", "shift-jisx0213": "shift_jis", "big5hkscs": "big5", "cp951": "big5", "iso2022-jp": "iso-2022-jp",
	"iso-2022-kr": "iso-2022-kr", "iso2022-kr": "iso-2022-kr", "csiso2022kr": "iso-2022-kr",
	"maccyrillic": "x-mac-cyrillic", "mac-cyrillic": "x-mac-cyrillic", "macroman": "macintosh", "mac-roman": "macintosh",
	"maccentraleurope": "mac-latin2", "mac-centraleurope": "mac-latin2", "mac-centeuro": "mac-latin2", "x-mac-ce": "mac-latin2", "maccenteuro": "mac-latin2", "maclatin2": "mac-latin2",
	"macgreek": "mac-greek", "x-mac-greek": "mac-greek", "macturkish": "mac-turkish", "x-mac-turkish": "mac-turkish",
	"maciceland": "mac-iceland", "x-mac-icelandic": "mac-iceland", "maccroatian": "mac-croatian", "x-mac-croatian": "mac-croatian",
	"macromania": "mac-romanian", "mac-romania": "mac-romanian", "x-mac-romanian": "mac-romanian", "macromanian": "mac-romanian",
	"kz1048": "kz-1048", "strk1048-2002": "kz-1048", "rk1048": "kz-1048", "x-viscii": "viscii", "cp1361": "johab", "ms1361": "johab", "x-johab": "johab",
	"ebcdic-cp-us": "cp037", "ebcdic-cp-ca": "cp037", "ebcdic-cp-wt": "cp037", "ebcdic-cp-nl": "cp037", "ebcdic-cp-he": "cp424", "ebcdic-cp-be": "cp500", "ebcdic-cp-ch": "cp500",
	"cp37": "cp037", "ibm37": "cp037", "ibm01140": "cp1140",
	"euctw": "euc-tw", "x-euc-tw": "euc-tw", "koi8u": "koi8-u", "ascii": "windows-1252",
}

// resolve returns the WHATWG name for a label in a header or a meta tag, "" if it names no
// encoding. The GB family is decoded as its superset gb18030. A declared UTF-16 means UTF-8,
// because a declaration that can be read byte by byte is not in UTF-16.
func resolve(label string) string {
	label = strings.ToLower(strings.Trim(label, " \t\r\n\f\"'`;,"))
	label = strings.TrimPrefix(label, "charset=")
	if i := strings.IndexAny(label, ",; \t\"'"); i >= 0 {
		label = label[:i]
	}
	if label == "" || len(label) > 40 {
		return ""
	}
	name := named(label)
	if name == "" {
		name = named(strings.ReplaceAll(strings.ReplaceAll(label, "_", "-"), "iso8859", "iso-8859"))
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

// named returns the encoding with exactly the given label, "" if there is none.
func named(label string) string {
	if name, ok := aliases[label]; ok {
		return name
	}
	if enc, err := htmlindex.Get(label); err == nil {
		name, _ := htmlindex.Name(enc)
		return name
	}
	if codecOf[label] != nil {
		return label
	}
	for _, prefix := range [...]string{"ibm", "ibm-", "cp-", "x-cp", "x-ibm", "dos-", "dos"} {
		if number, ok := strings.CutPrefix(label, prefix); ok && codecOf["cp"+number] != nil {
			return "cp" + number
		}
	}
	return ""
}

// Known reports whether [Decode] accepts a label of a page or an HTTP header as an encoding.
// Common mistakes in labels are tolerated.
func Known(label string) bool { return resolve(label) != "" }

// Name returns the name, one of [Encodings], of the encoding with the given label or codec
// name; "" if there is none. Unlike in a page, utf-16 means UTF-16, little-endian.
func Name(label string) string {
	label = strings.ToLower(strings.TrimSpace(label))
	dashed := strings.ReplaceAll(label, "_", "-")
	switch dashed {
	case "utf-16", "utf-16-le", "utf-16le", "utf16", "utf-16be", "utf-16-be", "utf-32", "utf-32le", "utf-32-le", "utf-32be", "utf-32-be", "utf32":
		name := strings.Replace(strings.ReplaceAll(dashed, "-", ""), "utf", "utf-", 1)
		if !strings.HasSuffix(name, "e") {
			name += "le"
		}
		return name
	case "utf-8-sig":
		return "utf-8"
	}
	return resolve(label)
}

// DecodeAs decodes raw from the encoding with the given label or codec name (see [Name]). A
// byte-order mark is removed. ok reports whether the encoding exists.
func DecodeAs(raw []byte, name string) (r Result, ok bool) {
	name = Name(name)
	if name == "" {
		return Result{}, false
	}
	offset := 0
	for _, m := range marks {
		if m.name == name && hasPrefix(raw, m.mark) {
			raw, offset = raw[len(m.mark):], len(m.mark)
			break
		}
	}
	if c := codecOf[name]; c != nil {
		return decodeAs(c, raw, "", offset), true
	}
	var b strings.Builder
	r = Result{Name: name, Confidence: 1, FirstReplaced: -1}
	if r.Replaced, r.FirstReplaced = appendUTF8(&b, raw); r.Replaced == 0 {
		r.FirstReplaced = -1
	} else {
		r.FirstReplaced += offset
	}
	r.Text = b.String()
	return r, true
}
