package charset

// ebcdicSampled is the number of bytes that LooksEBCDIC reads.
const ebcdicSampled = 4 << 10

// ebcdicShortest is the length of the shortest text that is recognised.
const ebcdicShortest = 24

// LooksEBCDIC reports whether b begins like text in a code page of EBCDIC, which have the blank
// at 0x40 and the letters and digits of ASCII where no other encoding has them: every third to thirtieth
// byte is its blank or ends a line, there is hardly a blank or a line feed of
// ASCII, hardly a control character, and no zero byte.
func LooksEBCDIC(b []byte) bool {
	b = b[:min(len(b), ebcdicSampled)]
	blanks, others, controls := 0, 0, 0
	for _, c := range b {
		switch {
		case c == 0:
			return false
		case c == 0x40, c == 0x15, c == 0x25: // blank, new line, line feed
			blanks++
		case c == 0x20, c == 0x0A: // what ASCII has there; controls in EBCDIC
			if others++; others*200 > len(b) { // soon so in ASCII
				return false
			}
		case c < 0x40 && c != 0x0D && c != 0x05, c == 0xFF:
			controls++
		}
	}
	n := len(b)
	return n >= ebcdicShortest && blanks*30 >= n && blanks*3 <= n*2 && controls*50 <= n
}

// ebcdicASCII is the ASCII character of a byte where the code pages of the Latin
// script agree, '?' where they do not and for other characters.
var ebcdicASCII = func() (t [256]byte) {
	for i := range t {
		t[i] = '?'
	}
	put := func(at int, s string) { copy(t[at:], s) }
	put(0x81, "abcdefghi")
	put(0x91, "jklmnopqr")
	put(0xA2, "stuvwxyz")
	put(0xC1, "ABCDEFGHI")
	put(0xD1, "JKLMNOPQR")
	put(0xE2, "STUVWXYZ")
	put(0xF0, "0123456789")
	put(0x4B, ".<(+")
	put(0x5C, "*);")
	put(0x60, "-/")
	put(0x6B, ",%_>?")
	put(0x7A, ":")
	put(0x7D, "'=\"")
	t[0x40], t[0x50], t[0x5A], t[0x05], t[0x0D], t[0x15], t[0x25] = ' ', '&', '!', '\t', '\r', '\n', '\n'
	t[0x4F] = '!' // where 0x5A is a bracket
	return t
}()

// ASCIIOfEBCDIC returns b as ASCII, as far as it is known without the code page:
// enough to see what markup it has.
func ASCIIOfEBCDIC(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = ebcdicASCII[c]
	}
	return out
}
