package pii

import "strings"

func pesel(s []byte) bool {
	return century(s, 20, 5) && weighted(s, "13791379131")%10 == 0
}

func czechBirth(s []byte) bool {
	m := num(s[2:4])
	if m > 50 {
		m -= 50
	}
	if m > 20 {
		m -= 20
	}
	rest := num(s[:9]) % 11
	return day(m, num(s[4:6])) && (rest == last(s) || rest == 10 && last(s) == 0)
}

func germanTax(s []byte) bool {
	var n [10]int
	for _, c := range s[:10] {
		n[c-'0']++
	}
	often := 0
	for _, k := range n {
		if k > 3 {
			return false
		}
		if k > 1 {
			often++
		}
	}
	return s[0] != '0' && often == 1 && mod11and10(s)
}

const spanishLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

func dni(s []byte) bool { return spanishLetters[num(s[:8])%23] == s[8] }

func nie(s []byte) bool {
	k := strings.IndexByte("XYZ", s[0])
	return k >= 0 && spanishLetters[(k*10_000_000+num(s[1:8]))%23] == s[8]
}

func codiceFiscale(s []byte) bool {
	const odd = "\x01\x00\x05\x07\x09\x0d\x0f\x11\x13\x15\x02\x04\x12\x14\x0b\x03\x06\x08\x0c\x0e\x10\x0a\x16\x19\x18\x17"
	sum := 0
	for i, c := range s[:15] {
		v := int(c - '0')
		if c >= 'A' {
			v = int(c - 'A')
		}
		if i%2 == 0 {
			v = int(odd[v])
		}
		sum += v
	}
	m := strings.IndexByte("ABCDEHLMPRST", s[8]) + 1
	return day(m, num(s[9:11])%40) && int(s[15]-'A') == sum%26
}

func nir(s []byte) bool {
	var b [15]byte
	copy(b[:], s)
	off := 0
	switch {
	case s[6] == 'A':
		b[6], off = '0', 1_000_000
	case s[6] == 'B':
		b[6], off = '0', 2_000_000
	case s[6] > '9':
		return false
	}
	if off > 0 && s[5] != '2' {
		return false
	}
	m := num(s[3:5])
	return strings.IndexByte("12", s[0]) >= 0 && (m >= 1 && m <= 12 || m >= 20) && 97-(num(b[:13])-off)%97 == num(b[13:])
}

func belgian(s []byte) bool {
	key := num(s[9:])
	valid := 97-num(s[:9])%97 == key || 97-(2_000_000_000+num(s[:9]))%97 == key
	return valid && century(s, 20, 3)
}

func bsn(s []byte) bool {
	return (weighted(s, "98765432")-last(s))%11 == 0 && !same(s)
}

func nif(s []byte) bool {
	c := 11 - weighted(s, "98765432")%11
	return strings.IndexByte("123", s[0]) >= 0 && c%11%10 == last(s)
}

// swedish reports whether a number with or without the century is valid. Coordination numbers
// add 60 to the day.
func swedish(s []byte) bool {
	if len(s) == 12 {
		if c := num(s[:2]); c < 18 || c > 20 {
			return false
		}
		s = s[2:]
	}
	return day(num(s[2:4]), num(s[4:6])%60) && luhn(s)
}

func hetu(s []byte) bool {
	n := num(s[:6])*1000 + num(s[7:10])
	return strings.IndexByte("ABCDEFYXWVU", s[6]) >= 0 && dmy(s) && "0123456789ABCDEFHJKLMNPRSTUVWXY"[n%31] == s[10]
}

// hetuOld reports whether a code with a hyphen or plus as the sign of the century is valid.
func hetuOld(s []byte) bool {
	n := num(s[:9])
	return dmy(s) && "0123456789ABCDEFHJKLMNPRSTUVWXY"[n%31] == s[9]
}

func norwegian(s []byte) bool {
	return num(s[2:4]) <= 52 && day(num(s[2:4])%40, num(s[:2])%40) && weighted(s, "3761894521")%11 == 0 && weighted(s, "54327654321")%11 == 0
}

func danish(s []byte) bool { return dmy(s) }

// baltic reports whether a number of Estonia or Lithuania is valid.
func baltic(s []byte) bool {
	c := weighted(s, "1234567891") % 11
	if c == 10 {
		c = weighted(s, "3456789123") % 11 % 10
	}
	return s[0] >= '1' && s[0] <= '8' && ymd(s[1:]) && c == last(s)
}

// latvian reports whether a number is valid. Numbers since 2017 begin with 32 and have no check
// digit.
func latvian(s []byte) bool {
	if s[0] == '3' && s[1] == '2' {
		return true
	}
	return dmy(s) && (1101-weighted(s, "16379:5842"))%11 == last(s)
}

func egn(s []byte) bool {
	return century(s, 20, 3) && weighted(s, "2485:9736")%11%10 == last(s)
}

func cnp(s []byte) bool {
	county := num(s[7:9])
	c := weighted(s, "279146358279") % 11
	if c == 10 {
		c = 1
	}
	return s[0] >= '1' && ymd(s[1:]) && (county >= 1 && county <= 52 || county == 70 || county >= 80 && county <= 83) && c == last(s)
}

// emso returns the check of a country of former Yugoslavia, with its first and last region.
func emso(from, to int) func(s []byte) bool {
	return func(s []byte) bool {
		region := num(s[7:9])
		return region >= from && region <= to && dmy(s) && (s[4] == '9' || s[4] == '0') && (11-weighted(s, "765432765432")%11)%11 == last(s)
	}
}

func amka(s []byte) bool { return dmy(s) && luhn(s) }

func tckn(s []byte) bool {
	odd, even := weighted(s, "101010101"), weighted(s, "01010101")
	return s[0] != '0' && (7*odd-even+100)%10 == int(s[9]-'0') && (odd+even+int(s[9]-'0'))%10 == last(s)
}

func aadhaar(s []byte) bool { return s[0] >= '2' && verhoeff(s) }

func chinese(s []byte) bool {
	sum, year := 0, num(s[6:10])
	for i := range 17 {
		sum += int(s[i]-'0') * (1 << (17 - i) % 11)
	}
	province := string(s[:2])
	return strings.Contains(" 11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 ", province) && year >= 1900 && year < 2100 && day(num(s[10:12]), num(s[12:14])) && "10X98765432"[sum%11] == s[17]
}

func taiwanese(s []byte) bool {
	v := strings.IndexByte("ABCDEFGHJKLMNPQRSTUVXYWZIO", s[0]) + 10
	return strings.IndexByte("1289", s[1]) >= 0 && (v/10+v%10*9+weighted(s[1:], "876543211"))%10 == 0
}

// hongKong reports whether one or two letters, six digits, and a check digit or A are valid.
func hongKong(s []byte) bool {
	sum, letters := 36*9, len(s)-7
	if letters == 2 {
		sum = int(s[0]-'A'+10) * 9
	}
	sum += int(s[letters-1]-'A'+10)*8 + weighted(s[letters:], "765432")
	c := s[len(s)-1]
	if c == 'A' {
		return (sum+10)%11 == 0
	}
	return c <= '9' && (sum+int(c-'0'))%11 == 0
}

// korean reports whether a number is valid. Numbers since October 2020 have no check digit.
func korean(s []byte) bool {
	if s[6] < '1' || s[6] > '8' || !ymd(s) {
		return false
	}
	recent := num(s[:4]) >= 2010 && num(s[:4]) < 3000 && strings.IndexByte("3478", s[6]) >= 0
	return recent || (11-weighted(s, "234567892345")%11)%10 == last(s)
}

func myNumber(s []byte) bool {
	rest := weighted(s, "65432765432") % 11
	if rest <= 1 {
		return last(s) == 0
	}
	return 11-rest == last(s)
}

func nric(s []byte) bool {
	sum, letters := weighted(s[1:], "2765432"), "JZIHGFEDCBA"
	switch s[0] {
	case 'T':
		sum += 4
	case 'S':
	case 'G':
		sum += 4
		letters = "XWUTRQPNMLK"
	case 'F':
		letters = "XWUTRQPNMLK"
	case 'M':
		sum += 3
		letters = "KLJNPQRTUWX"
		return letters[10-sum%11] == s[8]
	default:
		return false
	}
	return letters[sum%11] == s[8]
}

func thai(s []byte) bool {
	return s[0] != '0' && s[0] != '9' && (11-weighted(s, "=<;:98765432")%11)%10 == last(s)
}

// malaysian reports whether the date and the place of birth are valid. There is no check digit.
func malaysian(s []byte) bool {
	p := num(s[6:8])
	return ymd(s) && p >= 1 && p != 17 && p != 18 && p != 19 && p != 20 && p != 69 && p != 70 && p != 73 && p != 80 && p != 81 && (p < 94 || p > 97)
}

func cpf(s []byte) bool {
	return !same(s) && weighted(s, ":98765432")*10%11%10 == int(s[9]-'0') && weighted(s, ";:98765432")*10%11%10 == last(s)
}

func cuil(s []byte) bool {
	return strings.Contains("20 23 24 27", string(s[:2])) && (11-weighted(s, "5432765432")%11)%11 == last(s)
}

func rut(s []byte) bool {
	sum, n := 0, len(s)-1
	for i := range n {
		sum += int(s[n-1-i]-'0') * (2 + i%6)
	}
	return "0K987654321"[sum%11] == s[n]
}

func curp(s []byte) bool {
	const values = "0123456789ABCDEFGHIJKLMN\x00OPQRSTUVWXYZ"
	sum := 0
	for i, c := range s[:17] {
		sum += strings.IndexByte(values, c) * (18 - i)
	}
	return ymd(s[4:]) && strings.IndexByte("HMX", s[10]) >= 0 && (10-sum%10)%10 == last(s)
}

func southAfrican(s []byte) bool {
	return ymd(s) && s[10] <= '2' && luhn(s)
}

func israeli(s []byte) bool { return luhn(s) && !same(s) }

func rnokpp(s []byte) bool {
	sum := weighted(s, "057946:57") - int(s[0]-'0')
	return (sum+11)%11%10 == last(s)
}

func kazakh(s []byte) bool {
	c := weighted(s, "123456789:;") % 11
	if c == 10 {
		c = weighted(s, "3456789:;12") % 11
	}
	return ymd(s) && s[6] <= '6' && c == last(s)
}

// ean reports whether the check digit of GS1 for 13 digits is valid.
func ean(s []byte) bool { return weighted(s, "1313131313131")%10 == 0 }

func ahv(s []byte) bool { return num(s[:3]) == 756 && ean(s) }

func svnr(s []byte) bool {
	return s[0] != '0' && dmy(s[4:]) && weighted(s, "3790584216")%11 == int(s[3]-'0')
}

func pps(s []byte) bool {
	sum := weighted(s, "8765432")
	if len(s) == 9 {
		k := strings.IndexByte("WABCDEFGHI", s[8])
		if k < 0 {
			return false
		}
		sum += 9 * k
	}
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum%23] == s[7]
}

func nhs(s []byte) bool {
	return !same(s) && (11-weighted(s, ":98765432")%11)%11 == last(s)
}

// nino reports whether the prefix and suffix are allowed. There is no check digit.
func nino(s []byte) bool {
	switch p := string(s[:2]); {
	case strings.ContainsAny(p, "DFIQUV") || s[1] == 'O' || strings.Contains("BG GB KN NK NT TN ZZ", p):
		return false
	}
	return s[8] <= 'D'
}

// ssn reports whether a number is in a range in use. There is no check digit.
func ssn(s []byte) bool {
	area := num(s[:3])
	return area > 0 && area != 666 && num(s[3:5]) > 0 && num(s[5:]) > 0 && (area < 900 || num(s[3:5]) >= 50)
}

func sin(s []byte) bool { return s[0] != '0' && s[0] != '8' && luhn(s) }

func tfn(s []byte) bool { return weighted(s, "14375869:")%11 == 0 && !same(s) }

func ird(s []byte) bool {
	var b [9]byte
	copy(b[:], "000000000")
	copy(b[9-len(s):], s)
	c := (11 - weighted(b[:], "32765432")%11) % 11
	if c == 10 {
		c = (11 - weighted(b[:], "74325276")%11) % 11
	}
	return num(s) >= 10_000_000 && num(s) < 150_000_000 && c == last(s)
}

func hungarianTax(s []byte) bool { return s[0] == '8' && weighted(s, "123456789")%11 == last(s) }

func taj(s []byte) bool { return !same(s) && weighted(s, "37373737")%10 == last(s) }

func kennitala(s []byte) bool {
	return dmy(s) && strings.IndexByte("089", s[9]) >= 0 && (11-weighted(s, "32765432")%11)%11 == int(s[8]-'0')
}

// snils reports whether the check is the weighted sum modulo 101, with 0 for 100. Old numbers
// up to 001-001-998 have no check.
func snils(s []byte) bool {
	return num(s[:9]) > 1_001_998 && weighted(s, "987654321")%101%100 == num(s[9:])
}

func russianTax(s []byte) bool {
	return !same(s) && weighted(s, "724:359468")%11%10 == int(s[10]-'0') && weighted(s, "3724:359468")%11%10 == last(s)
}

func luxembourgish(s []byte) bool {
	year := num(s[:4])
	var b [12]byte
	copy(b[:], s[:11])
	b[11] = s[12]
	return year >= 1850 && year < 2100 && day(num(s[4:6]), num(s[6:8])) && luhn(s[:12]) && verhoeff(b[:])
}

func moldovan(s []byte) bool { return s[0] == '2' && weighted(s, "731731731731")%10 == last(s) }

// ecuadorian reports whether the card of a person is valid. The third digit is below 6.
func ecuadorian(s []byte) bool {
	p := num(s[:2])
	return (p >= 1 && p <= 24 || p == 30) && s[2] < '6' && luhn(s)
}

func uruguayan(s []byte) bool { return (10-weighted(s, "2987634")%10)%10 == last(s) }

func iranian(s []byte) bool {
	rest := weighted(s, ":98765432") % 11
	return !same(s) && (rest < 2 && rest == last(s) || rest >= 2 && 11-rest == last(s))
}

func emirati(s []byte) bool { return num(s[:3]) == 784 && luhn(s) }

func saudi(s []byte) bool { return (s[0] == '1' || s[0] == '2') && luhn(s) }

// indonesian reports whether the date is valid. Women add 40 to the day. There is no check digit.
func indonesian(s []byte) bool {
	p := num(s[:2])
	return p >= 11 && p <= 97 && day(num(s[8:10]), num(s[6:8])%40)
}

// cypriot reports whether a tax code of eight digits and a letter is valid.
func cypriot(s []byte) bool {
	const even = "\x01\x00\x05\x07\x09\x0d\x0f\x11\x13\x15"
	sum := 0
	for i := range 8 {
		if i%2 == 0 {
			sum += int(even[s[i]-'0'])
		} else {
			sum += int(s[i] - '0')
		}
	}
	return s[0] == '0' && byte('A'+sum%26) == s[8]
}
