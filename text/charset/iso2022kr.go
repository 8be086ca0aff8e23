package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/transform"
)

// iso2022KR implements ISO-2022-KR (RFC 1557). After a header, shift-out switches to pairs of
// KS X 1001 without their high bits, and shift-in back to ASCII.
type iso2022KR struct{}

// NewDecoder returns a decoder for one text.
func (iso2022KR) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: new(iso2022KRDecoder)}
}

// NewEncoder returns nil, because encoding is not supported.
func (iso2022KR) NewEncoder() *encoding.Encoder { return nil }

type iso2022KRDecoder struct{ out bool }

func (d *iso2022KRDecoder) Reset() { d.out = false }

func (d *iso2022KRDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	const header = "\x1B$)C"
	dec := korean.EUCKR.NewDecoder()
	for nSrc < len(src) {
		if nDst+4 > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		c, rest := src[nSrc], src[nSrc:]
		switch {
		case c == 0x1B && hasPrefix(rest, header):
			nSrc += len(header)
		case c == 0x1B && !atEOF && len(rest) < len(header):
			return nDst, nSrc, transform.ErrShortSrc
		case c == 0x0E || c == 0x0F:
			d.out = c == 0x0E
			nSrc++
		case c == '\n': // the shift ends with the line
			d.out = false
			fallthrough
		case !d.out || c <= 0x20 || c >= 0x7F:
			if c >= 0x80 {
				nDst += copy(dst[nDst:], "\uFFFD")
			} else {
				dst[nDst] = c
				nDst++
			}
			nSrc++
		case len(rest) < 2:
			if !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			nDst += copy(dst[nDst:], "\uFFFD")
			nSrc++
		default:
			var buf [8]byte
			dec.Reset()
			n, _, err := dec.Transform(buf[:], []byte{c | 0x80, rest[1] | 0x80}, true)
			if err != nil || rest[1] <= 0x20 {
				n = copy(buf[:], "\uFFFD")
			}
			if nDst+n > len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			nDst += copy(dst[nDst:], buf[:n])
			nSrc += 2
		}
	}
	return nDst, nSrc, nil
}
