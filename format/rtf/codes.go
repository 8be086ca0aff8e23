package rtf

import (
	"strconv"

	"chaffinch/text/charset"
)

// charsets maps the character sets of fonts to encodings. Character sets 0 and 1 are the code page
// of the document.
var charsets = map[int]string{77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258", 177: "windows-1255",
	178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250", 255: "cp437"}

// codePage returns the encoding of a code page of Windows, "" if it is unknown.
func codePage(n int) string {
	switch n {
	case 932:
		return "shift_jis"
	case 936:
		return "gbk"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 10000:
		return "macintosh"
	case 10007:
		return "x-mac-cyrillic"
	case 65001:
		return "utf-8"
	}
	for _, prefix := range [...]string{"windows-", "cp"} {
		if name := charset.Name(prefix + strconv.Itoa(n)); name != "" {
			return name
		}
	}
	return ""
}

// languages maps primary languages of Windows to language tags.
var languages = map[int]string{
	0x01: "ar", 0x02: "bg", 0x03: "ca", 0x04: "zh", 0x05: "cs", 0x06: "da", 0x07: "de", 0x08: "el", 0x09: "en", 0x0a: "es", 0x0b: "fi", 0x0c: "fr", 0x0d: "he", 0x0e: "hu", 0x0f: "is",
	0x10: "it", 0x11: "ja", 0x12: "ko", 0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt", 0x17: "rm", 0x18: "ro", 0x19: "ru", 0x1a: "hr", 0x1b: "sk", 0x1c: "sq", 0x1d: "sv", 0x1e: "th",
	0x1f: "tr", 0x20: "ur", 0x21: "id", 0x22: "uk", 0x23: "be", 0x24: "sl", 0x25: "et", 0x26: "lv", 0x27: "lt", 0x28: "tg", 0x29: "fa", 0x2a: "vi", 0x2b: "hy", 0x2c: "az", 0x2d: "eu",
	0x2e: "hsb", 0x2f: "mk", 0x36: "af", 0x37: "ka", 0x38: "fo", 0x39: "hi", 0x3a: "mt", 0x3c: "ga", 0x3e: "ms", 0x3f: "kk", 0x40: "ky", 0x41: "sw", 0x43: "uz", 0x44: "tt", 0x45: "bn",
	0x46: "pa", 0x47: "gu", 0x48: "or", 0x49: "ta", 0x4a: "te", 0x4b: "kn", 0x4c: "ml", 0x4d: "as", 0x4e: "mr", 0x4f: "sa", 0x50: "mn", 0x52: "cy", 0x53: "km", 0x54: "lo", 0x56: "gl",
	0x5e: "am", 0x61: "ne", 0x63: "ps", 0x6e: "lb",
}

// languageOf returns the tag of a language of Windows, "" if it is unknown.
func languageOf(id int) string {
	switch id {
	case 0x0400:
		return ""
	case 0x081a, 0x0c1a, 0x181a, 0x1c1a, 0x241a, 0x281a, 0x2c1a, 0x301a:
		return "sr"
	case 0x141a, 0x201a:
		return "bs"
	}
	return languages[id&0x3ff]
}
