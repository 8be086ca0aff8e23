package charset

// ebcdicSampled is the number of bytes that LooksEBCDIC reads.
const ebcdicSampled = 4 << 10

// ebcdicShortest is the minimum length in bytes of a text that is recognized.
const ebcdicShortest = 24

// LooksEBCDIC reports whether b begins like text in an EBCDIC code page. These have the blank
// at 0x40, and ASCII letters and digits where no other encoding has them. Between one in thirty
// and two in three bytes must be EBCDIC blanks or line ends. There must be hardly any ASCII
// blank, line feed or control character, and no zero byte.
func LooksEBCDIC(b []byte) bool {
	b = b[:min(len(b), ebcdicSampled)]
	blanks, others, controls := 0, 0, 0
	for _, c := range b {
		switch {
		case c == 0:
			return false
		case c == 0x40, c == 0x15, c == 0x25: // blank, new line, line feed
			blanks++
		case c == 0x20, c == 0x0A: // blank and line feed of ASCII; controls in EBCDIC
			if others++; others*200 > len(b) { // soon true for ASCII
				return false
			}
		case c < 0x40 && c != 0x0D && c != 0x05, c == 0xFF:
			controls++
		}
	}
	n := len(b)
	return n >= ebcdicShortest && blanks*30 >= n && blanks*3 <= n*2 && controls*50 <= n
}

// ebcdicASCII maps bytes to ASCII characters on which the Latin EBCDIC code pages agree, '?'
// otherwise.
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

// ASCIIOfEBCDIC returns b as ASCII, as far as this is possible without the code page. It
// suffices to find markup.
func ASCIIOfEBCDIC(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = ebcdicASCII[c]
	}
	return out
}
