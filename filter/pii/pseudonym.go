package pii

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"net/netip"
	"strings"
	"unicode"
)

// minKey is the minimum length of a key in bytes.
const minKey = 16

// Pseudonyms replaces personal data by pseudonyms. A value has the same pseudonym wherever it
// occurs, regardless of its layout. Pseudonyms are derived from the value by HMAC-SHA-256: to
// compute or check a pseudonym requires the key.
//
//   - An e-mail address becomes an address of example.org.
//   - An IP address becomes a private (10.0.0.0/8) or documentation (2001:db8::/32) address.
//   - A telephone number keeps its layout and country code, followed by zeros that no number has.
//   - Other numbers keep their layout, and their check is invalid.
//   - Each word of a name becomes a name that is frequent in the same language or script.
//
// A Pseudonyms is not safe for concurrent use.
type Pseudonyms struct {
	mac   hash.Hash
	names *nameList // nil if the program has no names
	core  []byte
	sum   []byte
}

// NewPseudonyms returns Pseudonyms with a key of at least 16 bytes.
func NewPseudonyms(key []byte) (*Pseudonyms, error) {
	if len(key) < minKey {
		return nil, fmt.Errorf("pseudonym key: %d bytes (wanted: at least %d)", len(key), minKey)
	}
	names, err := loadNames()
	if err != nil {
		names = nil // Finder reports the error if names are requested
	}
	return &Pseudonyms{mac: hmac.New(sha256.New, key), names: names}, nil
}

// Replace appends text in a language to dst with each match replaced by its pseudonym.
func (p *Pseudonyms) Replace(dst []byte, text, lang string, found []Match) []byte {
	at := 0
	for _, m := range found {
		dst = append(dst, text[at:m.Start]...)
		dst = p.append(dst, text[m.Start:m.End], lang, m)
		at = m.End
	}
	return append(dst, text[at:]...)
}

func (p *Pseudonyms) append(dst []byte, value, lang string, m Match) []byte {
	switch m.Kind {
	case Email:
		p.start(m.Kind, strings.ToLower(value), 0)
		return append(append(hex.AppendEncode(append(dst, "user-"...), p.sum[:6]), '@'), "example.org"...)
	case IP:
		return p.ip(dst, value)
	case Name:
		return p.name(dst, value, lang)
	}
	p.core = appendCore(p.core[:0], value)
	for try := uint32(0); ; try++ {
		// Numbers are short: one byte of the sum for each character, with a bias below 3 %.
		p.start(m.Kind, string(p.core), try)
		fill := append([]byte(nil), p.core...)
		for i, c := range fill {
			b := p.sum[i%len(p.sum)]
			if c <= '9' {
				fill[i] = '0' + b%10
			} else {
				fill[i] = 'A' + b%26
			}
		}
		if p.invalid(fill, value, m) {
			return appendLayout(dst, value, fill)
		}
	}
}

// start computes the sum of a value.
func (p *Pseudonyms) start(k Kind, value string, try uint32) {
	p.mac.Reset()
	p.mac.Write([]byte(k))
	var b [5]byte
	binary.BigEndian.PutUint32(b[1:], try)
	p.mac.Write(b[:])
	p.mac.Write([]byte(value))
	p.sum = p.mac.Sum(p.sum[:0])
}

// invalid completes the pseudonym of a number, and reports whether it is not a valid number.
func (p *Pseudonyms) invalid(fill []byte, value string, m Match) bool {
	switch m.Kind {
	case Phone:
		kept := 0
		switch {
		case strings.HasPrefix(value, "+") || strings.HasPrefix(value, "＋"):
			kept = callingCode(p.core)
		case p.core[0] == '0':
			kept = 1
		}
		copy(fill, p.core[:kept])
		copy(fill[kept:], "00")
		return true
	case Card:
		return !luhn(fill)
	case IBAN:
		copy(fill, p.core[:2])
		var all [34]int
		for i, c := range fill {
			all[i] = int(c - '0')
			if c >= 'A' {
				all[i] = int(c-'A') + 10
			}
		}
		return !check(all[:len(fill)])
	}
	layout := string(appendLayout(nil, value, fill))
	for i := range numbers {
		n := &numbers[i]
		if n.Country != m.Country {
			continue
		}
		for form := range strings.FieldsSeq(n.layouts) {
			var core [24]byte
			if size, end := match(form, layout, &core); end == len(layout) && n.check(core[:size]) {
				return false
			}
		}
	}
	return true
}

// callingCode returns the length of the country code of an international telephone number.
func callingCode(core []byte) int {
	switch c := string(core[:min(2, len(core))]); {
	case c[0] == '1' || c[0] == '7':
		return 1
	case strings.Contains(" 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98 ", " "+c+" "):
		return 2
	}
	return 3
}

// ip appends the pseudonym of an address.
func (p *Pseudonyms) ip(dst []byte, value string) []byte {
	p.core = p.core[:0]
	for _, r := range value {
		if d := digit(r); d >= 0 {
			r = rune('0' + d)
		}
		p.core = append(p.core, byte(r))
	}
	addr, err := netip.ParseAddr(string(p.core))
	if err != nil {
		return append(append(append(dst, '<'), IP...), '>') // not an address that Find found
	}
	p.start(IP, addr.String(), 0)
	if addr.Is4() {
		return netip.AddrFrom4([4]byte{10, p.sum[0], p.sum[1], p.sum[2]}).AppendTo(dst)
	}
	b := [16]byte{0x20, 0x01, 0x0d, 0xb8}
	copy(b[4:], p.sum)
	return netip.AddrFrom16(b).AppendTo(dst)
}

// appendCore appends the digits and capitals of a number, as ASCII.
func appendCore(dst []byte, value string) []byte {
	for _, r := range value {
		if d := digit(r); d >= 0 {
			dst = append(dst, byte('0'+d))
		} else if r >= 'A' && r <= 'Z' {
			dst = append(dst, byte(r))
		}
	}
	return dst
}

// appendLayout appends value with its digits and capitals replaced. Digits stay in their script.
func appendLayout(dst []byte, value string, fill []byte) []byte {
	for _, r := range value {
		d := digit(r)
		switch {
		case d >= 0:
			r += rune(int(fill[0]-'0') - d)
			fill = fill[1:]
		case r >= 'A' && r <= 'Z':
			r = rune(fill[0])
			fill = fill[1:]
		}
		dst = append(dst, string(r)...)
	}
	return dst
}

// name appends the pseudonym of a name, word by word, so that a surname has the same pseudonym
// with and without a given name.
func (p *Pseudonyms) name(dst []byte, value, lang string) []byte {
	word := -1
	flush := func(end int) {
		if word < 0 {
			return
		}
		w := value[word:end]
		word = -1
		p.start(Name, strings.ToLower(w), 0)
		list := p.names.like(w, lang)
		if len(list) == 0 || p.names.particles[w] {
			dst = append(dst, w...)
			return
		}
		dst = append(dst, list[binary.BigEndian.Uint64(p.sum)%uint64(len(list))]...)
	}
	for i, r := range value {
		if unicode.IsLetter(r) || unicode.IsMark(r) || word >= 0 && (r == '\'' || r == '’') {
			if word < 0 {
				word = i
			}
			continue
		}
		flush(i)
		dst = append(dst, string(r)...)
	}
	flush(len(value))
	return dst
}
