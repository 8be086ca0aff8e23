package charset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// index reads an index of the Encoding standard: the code point of each pointer.
func index(t *testing.T, dir, name string) map[int]rune {
	t.Helper()
	b := must.Read(t, filepath.Join(dir, "index-"+name+".txt"))
	m := map[int]rune{}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "#" {
			continue
		}
		at, err := strconv.Atoi(f[0])
		r, err2 := strconv.ParseUint(f[1], 0, 32)
		if err != nil || err2 != nil {
			t.Fatalf("%s: %q", name, line)
		}
		m[at] = rune(r)
	}
	return m
}

// TestEncodingIndexes decodes each pointer of the indexes of the Encoding standard.
func TestEncodingIndexes(t *testing.T) {
	dir := testkit.Suite(t, "encoding")
	found, ran := map[string]string{}, 0
	check := func(name string, raw []byte, want string) {
		ran++
		if r, ok := DecodeAs(raw, name); !ok || r.Text != want {
			found[fmt.Sprintf("%s %x", name, raw)] = fmt.Sprintf("%+q, want %+q", r.Text, want)
		}
	}
	trail := func(n, gap int) byte { // bytes from 40 on, without 7F
		if n >= gap {
			n++
		}
		return byte(0x40 + n)
	}
	for _, c := range codecs {
		if c.single == nil || !c.web {
			continue
		}
		m := index(t, dir, c.name)
		for i := range 128 {
			if r, ok := m[i]; ok {
				check(c.name, []byte{byte(0x80 + i)}, string(r))
			} else {
				check(c.name, []byte{byte(0x80 + i)}, "\uFFFD")
			}
		}
	}
	for at, r := range index(t, dir, "big5") {
		n := at % 157
		if n >= 0x3F {
			n += 0x62 - 0x40
		}
		check("big5", []byte{byte(0x81 + at/157), byte(0x40 + n)}, string(r))
	}
	for at, s := range map[int]string{1133: "\u00CA\u0304", 1135: "\u00CA\u030C", 1164: "\u00EA\u0304", 1166: "\u00EA\u030C"} {
		n := at % 157
		if n >= 0x3F {
			n += 0x62 - 0x40
		}
		check("big5", []byte{byte(0x81 + at/157), byte(0x40 + n)}, s)
	}
	for at, r := range index(t, dir, "euc-kr") {
		check("euc-kr", []byte{byte(0x81 + at/190), byte(0x41 + at%190)}, string(r))
	}
	for at, r := range index(t, dir, "gb18030") {
		check("gb18030", []byte{byte(0x81 + at/190), trail(at%190, 0x3F)}, string(r))
	}
	ranges := index(t, dir, "gb18030-ranges")
	for at := range 39420 { // pointers of the Basic Multilingual Plane
		from := -1
		for p := range ranges {
			if p <= at && p > from {
				from = p
			}
		}
		if r := ranges[from] + rune(at-from); at == 7457 {
			check("gb18030", four(at), "\uE7C7")
		} else if r <= 0xFFFF {
			check("gb18030", four(at), string(r))
		}
	}
	for _, r := range []rune{0x10000, 0x1F600, 0x10FFFF} {
		check("gb18030", four(189000+int(r-0x10000)), string(r))
	}
	for at, r := range index(t, dir, "jis0208") {
		if at < 94*94 {
			check("euc-jp", []byte{byte(0xA1 + at/94), byte(0xA1 + at%94)}, string(r))
			check("iso-2022-jp", []byte{0x1B, '$', 'B', byte(0x21 + at/94), byte(0x21 + at%94)}, string(r))
		}
		lead := 0x81 + at/188
		if at/188 >= 0x1F {
			lead += 0xC1 - 0x81
		}
		if at < 8836 || at > 10715 { // the characters of the user
			check("shift_jis", []byte{byte(lead), trail(at%188, 0x3F)}, string(r))
		}
	}
	for at, r := range index(t, dir, "jis0212") {
		check("euc-jp", []byte{0x8F, byte(0xA1 + at/94), byte(0xA1 + at%94)}, string(r))
	}
	testkit.Differences(t, ran, found, nil)
}

// four returns the four bytes of a pointer of GB 18030.
func four(at int) []byte {
	return []byte{byte(0x81 + at/12600), byte(0x30 + at/1260%10), byte(0x81 + at/10%126), byte(0x30 + at%10)}
}

// labelIntended are labels that mean another encoding here.
var labelIntended = same(map[string]string{
	"its superset is read: the standard decodes both alike":                                      "gbk gb2312 gb_2312 gb_2312-80 x-gbk chinese csgb2312 csiso58gb231280 iso-ir-58",
	"a page whose declaration can be read byte by byte is not in UTF-16, as for meta in HTML":    "utf-16 utf-16le utf-16be unicode unicodefeff unicodefffe csunicode ucs-2 iso-10646-ucs-2",
	"the encoding is decoded: what it has in UTF-8 is safe, unlike a script that browsers would": "iso-2022-kr csiso2022kr hz-gb-2312",
	"it is decoded as nothing by browsers; the bytes decide here":                                "iso-2022-cn iso-2022-cn-ext replacement",
	"as for meta in HTML": "x-user-defined",
})

// same returns the reasons of cases, of which several have the same.
func same(cases map[string]string) map[string]string {
	reasons := map[string]string{}
	for reason, names := range cases {
		for name := range strings.FieldsSeq(names) {
			reasons[name] = reason
		}
	}
	return reasons
}

// TestEncodingLabels resolves the labels of the Encoding standard.
func TestEncodingLabels(t *testing.T) {
	b := must.Read(t, testkit.Suite(t, "encoding/encodings.json"))
	var groups []struct {
		Encodings []struct {
			Name   string
			Labels []string
		}
	}
	must.Succeed(t, json.Unmarshal(b, &groups))
	found, ran := map[string]string{}, 0
	for _, g := range groups {
		for _, e := range g.Encodings {
			for _, label := range e.Labels {
				ran++
				if got := resolve(label); got != strings.ToLower(e.Name) {
					found[label] = fmt.Sprintf("%q, want %q", got, strings.ToLower(e.Name))
				}
			}
		}
	}
	testkit.Differences(t, ran, found, labelIntended)
}

// encodingIntended are cases of html5lib-tests that are meant to differ.
var encodingIntended = same(map[string]string{
	"nothing is declared, and the page is in ASCII: it is said to be in UTF-8, not in windows-1252, and reads the same": "tests1:1 tests1:7 tests1:12 tests1:13 tests1:14 tests1:15 tests1:16 " +
		"tests1:17 tests1:18 tests1:19 tests1:20 tests1:21 tests1:25 tests1:29 tests1:30 tests1:31 tests1:34 tests1:35 tests1:36 tests2:1 tests2:2 tests2:3 tests2:4 tests2:5 tests2:9 tests2:10 tests2:12 tests2:13 tests2:14 tests2:16",
	"a stray quotation mark after a label is forgiven":                               "tests1:11 tests1:26",
	"what is declared is evidence: between quotation marks þ reads as Icelandic":     "tests1:54",
	"what is declared is evidence: the file of the suite is in UTF-8, not in EUC-JP": "test-yahoo-jp:1",
	"scripts do not run": "scripted/tests1:1",
})

// TestHTML5LibEncoding detects the encodings of the pages of html5lib-tests.
func TestHTML5LibEncoding(t *testing.T) {
	dir := testkit.Suite(t, "html5lib-tests/encoding")
	found, ran := map[string]string{}, 0
	for _, name := range []string{"tests1.dat", "tests2.dat", "test-yahoo-jp.dat", "scripted/tests1.dat"} {
		b := must.Read(t, filepath.Join(dir, name))
		for i, c := range bytes.Split(b, []byte("#data\n"))[1:] {
			data, rest, ok := bytes.Cut(c, []byte("\n#encoding\n"))
			if !ok {
				t.Fatalf("%s: case %d has no encoding", name, i)
			}
			want, _, _ := strings.Cut(string(rest), "\n")
			ran++
			r := Decode(data, "")
			if want = resolve(want); !strings.EqualFold(r.Name, want) {
				found[fmt.Sprintf("%s:%d", strings.TrimSuffix(name, ".dat"), i+1)] = fmt.Sprintf("%s (%s), want %s: %q", r.Name, r.From, want, data[:min(len(data), 160)])
			}
		}
	}
	b := must.Read(t, filepath.Join(dir, "chardet/test_big5.txt"))
	if ran++; Decode(b, "").Name != "big5" {
		found["chardet/test_big5.txt"] = Decode(b, "").Name
	}
	testkit.Differences(t, ran, found, encodingIntended)
}
