package pii

// The checks take the characters of a number without separators: ASCII digits and capitals.

// num returns the value of a short run of digits. Inlined copies in all checks would take much
// space.
//
//go:noinline
func num(s []byte) (n int) {
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n
}

// day reports whether a month has a day. The 29th of February is valid in all years.
//
//go:noinline
func day(month, day int) bool {
	const days = "\x00\x1f\x1d\x1f\x1e\x1f\x1e\x1f\x1f\x1e\x1f\x1e\x1f"
	return month >= 1 && month <= 12 && day >= 1 && day <= int(days[month])
}

// ymd reports whether s begins with a date YYMMDD, and dmy with DDMMYY.
func ymd(s []byte) bool { return day(num(s[2:4]), num(s[4:6])) }
func dmy(s []byte) bool { return day(num(s[2:4]), num(s[:2])) }

// weighted returns the sum of digits times weights. A weight is a digit, or a colon for 10,
// a semicolon for 11, and so on in ASCII.
//
//go:noinline
func weighted(s []byte, weights string) (sum int) {
	for i := range len(weights) {
		sum += int(s[i]-'0') * int(weights[i]-'0')
	}
	return sum
}

func last(s []byte) int { return int(s[len(s)-1] - '0') }

// luhn reports whether the check digit of ISO/IEC 7812 (Luhn) is valid.
func luhn(s []byte) bool {
	sum := 0
	for k := range s {
		d := int(s[len(s)-1-k] - '0')
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// mod11and10 reports whether the check digit of ISO/IEC 7064 MOD 11,10 is valid.
func mod11and10(s []byte) bool {
	p := 10
	for _, c := range s[:len(s)-1] {
		if p = (p + int(c-'0')) % 10; p == 0 {
			p = 10
		}
		p = p * 2 % 11
	}
	return (p+last(s))%10 == 1
}

// The tables of Verhoeff's code (J. Verhoeff, Error Detecting Decimal Codes, 1969).
var (
	dihedral = [10]string{"0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043", "8765932104", "9876543210"}
	permuted = [8]string{"0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"}
)

func verhoeff(s []byte) bool {
	c := byte('0')
	for i := range s {
		c = dihedral[c-'0'][permuted[i%8][s[len(s)-1-i]-'0']-'0']
	}
	return c == '0'
}

// same reports whether all characters are equal, as in placeholders.
func same(s []byte) bool {
	for _, c := range s {
		if c != s[0] {
			return false
		}
	}
	return true
}

// century reports whether s begins with a date YYMMDD. Each century adds step to the month.
func century(s []byte, step, steps int) bool {
	m := num(s[2:4])
	return m/step < steps && day(m%step, num(s[4:6]))
}
