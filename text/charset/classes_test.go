package charset

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"

	"chaffinch/internal/testkit/must"
)

// prose is a sentence or two in languages whose old encodings are tested.
var prose = map[string]string{
	"en": "The history of the town is long; nobody knows who built the first house here. It was a quiet place!",
	"de": "Über die Grenze führte früher eine schöne Straße, die größere Städte verband. Müller ging täglich dort spazieren.",
	"fr": "L'été dernier, nous avons visité une très vieille église près de la forêt; le curé était âgé.",
	"he": "העיר העתיקה נמצאת על גבעה גבוהה מעל הנהר, ואנשים רבים באים לבקר בה בכל שנה.",
	"ru": "Старый город стоит на высоком холме над рекой, и каждый год сюда приезжает много людей.",
	"ko": "이 도시의 역사는 아주 오래되었고 사람들은 해마다 강가에서 축제를 연다.",
	"ja": "昨日は友だちと駅前の市場に行きました。価格は①番が１００円です。",
	"zh": "这座城市的历史非常悠久，每年都有很多人来这里旅游。",
}

// asPage puts text into HTML.
func asPage(text string) string {
	return "<!DOCTYPE html>\n<html><head><title>x</title></head>\n<body><p>" + text + "</p>\n<p>" + text + "</p></body></html>\n"
}

// TestUTF32 reads UTF-32 in both orders, with and without a mark: it has zero
// bytes as UTF-16 has, but more.
func TestUTF32(t *testing.T) {
	for lang, text := range prose {
		for _, text := range []string{text, asPage(text), strings.Repeat(text+"\n", 9)} {
			for name, order := range map[string]binary.AppendByteOrder{"utf-32le": binary.LittleEndian, "utf-32be": binary.BigEndian} {
				var raw []byte
				for _, r := range text {
					raw = order.AppendUint32(raw, uint32(r))
				}
				if r := Decode(raw, ""); r.Name != name || r.Text != text {
					t.Errorf("%s: %s read as %s: %.60q", lang, name, r.Name, r.Text)
				}
				raw = append(order.AppendUint32(nil, 0xFEFF), raw...)
				if r := Decode(raw, ""); r.Name != name || r.Text != text || r.From != "bom" {
					t.Errorf("%s: %s with a mark read as %s: %.60q", lang, name, r.Name, r.Text)
				}
			}
		}
	}
}

// TestEBCDIC reads code pages of mainframes, which share no byte with ASCII.
func TestEBCDIC(t *testing.T) {
	pages := map[string][]string{"en": {"cp037", "cp500", "cp273", "cp1140"}, "de": {"cp037", "cp500", "cp273", "cp1140"}, "fr": {"cp037", "cp500", "cp1140"}, "he": {"cp424"}}
	for lang, names := range pages {
		for _, name := range names {
			bytes := map[rune]byte{}
			for b, r := range codecOf[name].ebcdic() {
				bytes[r] = byte(b)
			}
			for _, text := range []string{prose[lang], asPage(prose[lang]), strings.Repeat(prose[lang]+"\n", 9)} {
				raw := make([]byte, 0, len(text))
				for _, r := range text {
					b, ok := bytes[r]
					if !ok {
						t.Fatalf("%s lacks %q", name, r)
					}
					raw = append(raw, b)
				}
				for _, http := range []string{"", "utf-8", name} {
					r := Decode(raw, http)
					if r.Text != text || http == name && r.Name != name {
						t.Errorf("%s: %s with header %q read as %s: %.60q", lang, name, http, r.Name, r.Text)
					}
				}
			}
		}
	}
	// A label of EBCDIC on what is not.
	if r := Decode([]byte("caf\xE9 <b>au lait</b> et un croissant"), "cp037"); r.Name != "windows-1252" {
		t.Errorf("read as %s: %q", r.Name, r.Text)
	}
	if r := Decode([]byte("plain text <b>and tags</b> of a page"), "cp500"); r.Text != "plain text <b>and tags</b> of a page" {
		t.Errorf("read as %s: %q", r.Name, r.Text)
	}
}

// TestHalfWidthKana reads Shift_JIS as programs for DOS and Windows wrote it:
// kana of one byte, NEC's circled numbers and signs, IBM's further characters.
func TestHalfWidthKana(t *testing.T) {
	for i, text := range []string{
		"ﾌﾘｺﾐ ﾔﾏﾀﾞ ﾀﾛｳ ｻﾏ ｺﾞﾘﾖｳ ｱﾘｶﾞﾄｳ ｺﾞｻﾞｲﾏｽ 12345\r\nﾕｳﾋﾞﾝﾊﾞﾝｺﾞｳ 100-0001 ﾄｳｷｮｳﾄ ﾁﾖﾀﾞｸ 1-1\r\n",
		"ﾎｰﾑﾍﾟｰｼﾞへようこそ。ﾒｰﾙはこちら 更新情報：㈱山田商事 ①新着 ②ﾘﾝｸ集 ℡03-1234-5678 №5 平成㍻12年 ㎏ ㎜ ㏄ Ⅲ章 髙橋さん 﨑\r\n",
		"①②③④⑤ ⅠⅡⅢ ㌔㌢㌘ ㈱㈲ № ℡ ㍾㍽㍼ 注意事項を読んでください\r\n",
	} {
		for _, n := range []int{1, 6} {
			text := strings.Repeat(text, n)
			raw := must.Get(japanese.ShiftJIS.NewEncoder().Bytes([]byte(text)))(t)
			if r := Decode(raw, ""); r.Name != "shift_jis" || r.Text != text {
				t.Errorf("text %d, %d times: read as %s: %.60q", i, n, r.Name, r.Text)
			}
		}
	}
}

// TestUserCharacters: F040 to F9FC are the private characters U+E000 to U+E757
// (Encoding standard, Shift_JIS decoder).
func TestUserCharacters(t *testing.T) {
	for raw, want := range map[string]string{"\xF0\x40": "\uE000", "\xF0\x7E\xF0\x80": "\uE03E\uE03F", "\xF9\xFC": "\uE757", "\xF4\xA0a": "\uE34Fa"} {
		if r, _ := DecodeAs([]byte(raw), "cp932"); r.Text != want || r.Replaced != 0 {
			t.Errorf("%x: %q, want %q", raw, r.Text, want)
		}
	}
}

// TestJohab reads all that Johab writes with two bytes: the syllables and the
// rows of KS X 1001.
func TestJohab(t *testing.T) {
	bytes := map[rune]string{}
	for hi := 0x84; hi <= 0xF9; hi++ {
		for lo := 0x31; lo <= 0xFE; lo++ {
			if r := johabRune(byte(hi), byte(lo)); r != 0 {
				bytes[r] = fmt.Sprintf("%c%c", hi, lo)
			}
		}
	}
	syllables := 0
	for r := rune(0xAC00); r <= 0xD7A3; r++ {
		if bytes[r] != "" {
			syllables++
		}
	}
	if syllables != 11172 {
		t.Errorf("%d syllables, want 11172", syllables)
	}
	for _, text := range []string{prose["ko"], asPage(prose["ko"]), strings.Repeat(prose["ko"]+"\n", 9)} {
		var raw []byte
		for _, r := range text {
			if r < utf8.RuneSelf {
				raw = append(raw, byte(r))
				continue
			}
			for _, b := range bytes[r] {
				raw = append(raw, byte(b))
			}
		}
		if r := Decode(raw, ""); r.Name != "johab" || r.Text != text {
			t.Errorf("read as %s: %.60q", r.Name, r.Text)
		}
	}
}
