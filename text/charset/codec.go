package charset

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// codec is an encoding that can be decoded.
type codec struct {
	// name is the name in the WHATWG Encoding standard, otherwise the usual name.
	name string
	// web reports whether the encoding is in the Encoding standard, so that browsers support
	// it.
	web bool
	// rare is the evidence, in bits, required to prefer the encoding to a more common one. It
	// is not based on counts.
	rare float64

	// One of these fields is set: the character of each byte, the form of the sequences, or a
	// stateful decoder.
	single func() *[256]rune
	multi  *multi
	state  encoding.Encoding
	wide   *wide
	// ebcdic is the character of each byte of an EBCDIC code page, in which no byte agrees with
	// ASCII: see [Detector.ebcdicByReading].
	ebcdic func() *[256]rune
}

// decode decodes raw and returns the text. unknown is the number of characters that the encoding
// does not have, first the offset of the first of them, -1 if there is none.
func (c *codec) decode(raw []byte) (text string, unknown, first int) {
	switch {
	case c.single != nil:
		return decodeSingle(raw, c.controls())
	case c.ebcdic != nil:
		return decodeSingle(raw, c.ebcdic())
	case c.wide != nil:
		return c.wide.decode(raw)
	case c.multi != nil:
		return c.multi.decode(raw)
	}
	out, err := c.state.NewDecoder().Bytes(raw)
	if err != nil {
		return "", len(raw), 0
	}
	first = -1
	for i := 0; i < len(out); {
		if out[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError {
			if unknown++; first < 0 {
				first = min(i, len(raw))
			}
		}
		i += n
	}
	return strings.ToValidUTF8(string(out), "\uFFFD"), unknown, first
}

// controls returns the character of each byte, with the control characters that the Encoding
// standard assigns to unused bytes 80 to 9F. They occur in no text, so they are used only for
// decoding, not as evidence.
func (c *codec) controls() *[256]rune {
	t := c.single()
	if !c.web {
		return t
	}
	with := *t
	for b := 0x80; b < 0xA0; b++ {
		if with[b] == utf8.RuneError {
			with[b] = rune(b)
		}
	}
	return &with
}

// codecs lists all encodings except UTF-8, in the order of preference for equal readings.
var codecs = []*codec{
	{name: "windows-1252", web: true, single: fromCharmap(charmap.Windows1252)},
	{name: "windows-1251", web: true, single: fromCharmap(charmap.Windows1251)},
	{name: "windows-1250", web: true, rare: 1, single: fromCharmap(charmap.Windows1250)},
	{name: "iso-8859-2", web: true, rare: 1.5, single: fromCharmap(charmap.ISO8859_2)},
	{name: "windows-1254", web: true, rare: 2, single: fromCharmap(charmap.Windows1254)},
	{name: "windows-1253", web: true, rare: 2, single: fromCharmap(charmap.Windows1253)},
	{name: "iso-8859-7", web: true, rare: 2.5, single: fromCharmap(charmap.ISO8859_7)},
	{name: "windows-1255", web: true, rare: 2, single: fromCharmap(charmap.Windows1255)},
	{name: "iso-8859-8", web: true, rare: 4, single: fromCharmap(charmap.ISO8859_8)},
	{name: "windows-1256", web: true, rare: 2, single: fromCharmap(charmap.Windows1256)},
	{name: "iso-8859-6", web: true, rare: 4, single: fromCharmap(charmap.ISO8859_6)},
	{name: "windows-1257", web: true, rare: 3, single: fromCharmap(charmap.Windows1257)},
	{name: "iso-8859-13", web: true, rare: 5, single: fromCharmap(charmap.ISO8859_13)},
	{name: "windows-1258", web: true, rare: 3, single: fromCharmap(charmap.Windows1258)},
	{name: "windows-874", web: true, rare: 2, single: fromCharmap(charmap.Windows874)},
	{name: "koi8-r", web: true, rare: 1, single: fromCharmap(charmap.KOI8R)},
	{name: "koi8-u", web: true, rare: 3, single: fromCharmap(charmap.KOI8U)},
	{name: "iso-8859-5", web: true, rare: 3, single: fromCharmap(charmap.ISO8859_5)},
	{name: "iso-8859-15", web: true, rare: 3, single: fromCharmap(charmap.ISO8859_15)},
	{name: "iso-8859-4", web: true, rare: 6, single: fromCharmap(charmap.ISO8859_4)},
	{name: "iso-8859-3", web: true, rare: 6, single: fromCharmap(charmap.ISO8859_3)},
	{name: "iso-8859-16", web: true, rare: 8, single: fromCharmap(charmap.ISO8859_16)},
	{name: "iso-8859-10", web: true, rare: 7, single: fromCharmap(charmap.ISO8859_10)},
	{name: "iso-8859-14", web: true, rare: 7, single: fromCharmap(charmap.ISO8859_14)},
	{name: "ibm866", web: true, rare: 5, single: fromCharmap(charmap.CodePage866)},
	{name: "macintosh", web: true, rare: 6, single: fromCharmap(charmap.Macintosh)},
	{name: "x-mac-cyrillic", web: true, rare: 5, single: fromCharmap(charmap.MacintoshCyrillic)},

	{name: "shift_jis", web: true, rare: 1, multi: &multi{enc: japanese.ShiftJIS, kana: true}},
	{name: "euc-jp", web: true, rare: 1, multi: &multi{enc: japanese.EUCJP, three: 0x8F}},
	{name: "gb18030", web: true, rare: 1, multi: &multi{enc: simplifiedchinese.GB18030, four: true}},
	{name: "big5", web: true, rare: 1, multi: &multi{enc: traditionalchinese.Big5}},
	{name: "euc-kr", web: true, rare: 1, multi: &multi{enc: korean.EUCKR}},
	{name: "johab", rare: 6, multi: &multi{pair: johabRune}},
	{name: "euc-tw", rare: 6, multi: &multi{pair: eucTWRune, plane: eucTWPlane2}},

	{name: "iso-2022-jp", web: true, state: japanese.ISO2022JP},
	{name: "hz-gb-2312", state: simplifiedchinese.HZGB2312},
	{name: "iso-2022-kr", state: iso2022KR{}},

	{name: "utf-16le", web: true, rare: 2, wide: &wide{size: 2}},
	{name: "utf-16be", web: true, rare: 2, wide: &wide{size: 2, big: true}},
	{name: "utf-32le", rare: 6, wide: &wide{size: 4}},
	{name: "utf-32be", rare: 6, wide: &wide{size: 4, big: true}},

	{name: "cp850", rare: 6, single: fromCharmap(charmap.CodePage850)},
	{name: "cp858", rare: 7, single: fromCharmap(charmap.CodePage858)},
	{name: "cp437", rare: 6, single: fromCharmap(charmap.CodePage437)},
	{name: "cp852", rare: 6, single: fromCharmap(charmap.CodePage852)},
	{name: "cp855", rare: 7, single: fromCharmap(charmap.CodePage855)},
	{name: "cp737", rare: 6, single: fromUpper("cp737")},
	{name: "cp857", rare: 7, single: fromUpper("cp857")},
	{name: "cp862", rare: 6, single: fromCharmap(charmap.CodePage862)},
	{name: "cp775", rare: 7, single: fromUpper("cp775")},
	{name: "cp720", rare: 7, single: fromUpper("cp720")},
	{name: "cp861", rare: 8, single: fromUpper("cp861")},
	{name: "cp865", rare: 8, single: fromCharmap(charmap.CodePage865)},
	{name: "cp860", rare: 8, single: fromCharmap(charmap.CodePage860)},
	{name: "cp863", rare: 8, single: fromCharmap(charmap.CodePage863)},
	{name: "cp869", rare: 8, single: fromUpper("cp869")},
	{name: "mac-latin2", rare: 6, single: fromUpper("mac-latin2")},
	{name: "mac-greek", rare: 7, single: fromUpper("mac-greek")},
	{name: "mac-turkish", rare: 8, single: fromUpper("mac-turkish")},
	{name: "mac-iceland", rare: 8, single: fromUpper("mac-iceland")},
	{name: "mac-croatian", rare: 8, single: fromUpper("mac-croatian")},
	{name: "mac-romanian", rare: 8, single: fromUpper("mac-romanian")},
	{name: "kz-1048", rare: 5, single: fromUpper("kz-1048")},
	{name: "viscii", rare: 5, single: viscii},

	{name: "cp037", rare: 6, ebcdic: fromCharmap(charmap.CodePage037)},
	{name: "cp500", rare: 6, ebcdic: fromEBCDIC("cp500")},
	{name: "cp1140", rare: 7, ebcdic: fromCharmap(charmap.CodePage1140)},
	{name: "cp273", rare: 7, ebcdic: fromEBCDIC("cp273")},
	{name: "cp424", rare: 6, ebcdic: fromEBCDIC("cp424")},
	{name: "cp875", rare: 7, ebcdic: fromEBCDIC("cp875")},
	{name: "cp1026", rare: 8, ebcdic: fromEBCDIC("cp1026")},
}

var codecOf = func() map[string]*codec {
	m := make(map[string]*codec, len(codecs))
	for _, c := range codecs {
		m[c.name] = c
	}
	return m
}()

// Encodings returns the names of all supported encodings, UTF-8 first.
func Encodings() []string {
	names := []string{"utf-8"}
	for _, c := range codecs {
		names = append(names, c.name)
	}
	return names
}

// IsWeb reports whether the encoding called name, one of [Encodings], is in the WHATWG Encoding
// standard.
func IsWeb(name string) bool {
	c := codecOf[name]
	return name == "utf-8" || c != nil && c.web
}

// fromCharmap returns the table of a charmap of golang.org/x/text.
// Inlining it would repeat its code for every encoding.
//
//go:noinline
func fromCharmap(cm *charmap.Charmap) func() *[256]rune {
	return sync.OnceValue(func() *[256]rune {
		var t [256]rune
		for i := range t {
			t[i] = cm.DecodeByte(byte(i))
		}
		return &t
	})
}

// fromUpper returns the table of an encoding in tables.go.
// Inlining it would repeat its code for every encoding.
//
//go:noinline
func fromUpper(name string) func() *[256]rune {
	return sync.OnceValue(func() *[256]rune { return table(upperHalf[name]) })
}

// fromEBCDIC returns the table of a code page in tables.go.
// Inlining it would repeat its code for every encoding.
//
//go:noinline
func fromEBCDIC(name string) func() *[256]rune {
	return sync.OnceValue(func() *[256]rune {
		var t [256]rune
		i := 0
		for _, r := range ebcdicRunes[name] {
			t[i] = r
			i++
		}
		return &t
	})
}

var viscii = sync.OnceValue(func() *[256]rune {
	t := table(visciiHigh)
	for b, r := range visciiLow {
		t[b] = r
	}
	return t
})

// table returns a table of ASCII and the 128 characters of high.
func table(high string) *[256]rune {
	var t [256]rune
	for i := range 128 {
		t[i] = rune(i)
	}
	i := 128
	for _, r := range high {
		t[i] = r
		i++
	}
	return &t
}
