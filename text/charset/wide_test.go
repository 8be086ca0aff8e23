package charset

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

func encodeUTF16(s string, order binary.ByteOrder) []byte {
	b := make([]byte, 0, 2*len(s))
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, 0, 0)
		order.PutUint16(b[len(b)-2:], u)
	}
	return b
}

// TestUTF16 reads text of many scripts in both orders, and nothing that is no text.
func TestUTF16(t *testing.T) {
	for _, s := range []string{
		"Een zin met blanks.", "Привет, мир", "今天 天气 很好。\n一二三", "日本語の文章。\n", "สวัสดี ชาวโลก", "مرحبا بالعالم", "አማርኛ ነው ።", "བོད་ཡིག ག", "नमस्ते दुनिया", "한국어 문장", "😀 😀 emoji", "ქართული ენა",
	} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			got, out := UTF16(encodeUTF16(s, order))
			if got != order || len(out) != len([]rune(s)) {
				t.Errorf("%q: %v, want %v", s, got, order)
			}
		}
	}
	for _, s := range []string{
		"", "short", "plain text without a zero byte in it", "<html>\x00<p>a\x00b", "<p>a\x00b<\x00p>c", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x00", "\x00\x01\x02\x03\x04\x05\x06\a",
		"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00", "GIF89a\x40\x01\xf0\x00\xf7\x00\x00\x00",
		"RIFF\x24\x08\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00", "caf\xe9 \x00 \x00 d\xe9j\xe0 vu, en latin un",
	} {
		if order, out := UTF16([]byte(s)); out != nil {
			t.Errorf("%q is read as text, %v: %q", s, order, out)
		}
	}
}
