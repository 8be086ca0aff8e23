package pii

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// idNumber is a kind of national identification number.
type idNumber struct {
	// Country is the ISO 3166 code of the country, Name the name of the number there.
	Country, Name string
	// Source describes the number and its check digits.
	Source string
	// layouts lists the accepted layouts. 9 is a digit, A a capital of ASCII, * either, and other
	// characters represent themselves. Layouts after "! " are accepted without context.
	layouts string
	// context lists words of which one must occur close to the number, in lower case. Words of
	// at most four letters must match whole words, other words the beginning of words.
	context string
	check   func(s []byte) bool
}

const wikipedia = "https://en.wikipedia.org/wiki/"

// numbers is the table of national identification numbers. A number must match a layout and its
// check. Layouts that other numbers in text often match by chance need a word of context.
var numbers = []idNumber{
	{"AE", "Emirates ID", wikipedia + "Emirates_ID", "! 999-9999-9999999-9", "emirates id|eid|الهوية", emirati},
	{"AR", "CUIT, CUIL", wikipedia + "Clave_Única_de_Identificación_Tributaria", "99999999999 ! 99-99999999-9", "cuit|cuil", cuil},
	{"AT", "Sozialversicherungsnummer", "https://www.sozialversicherung.at", "9999_999999 9999999999", "svnr|sv-nr|sozialversicherung|versicherungsnummer|e-card", svnr},
	{"AU", "Tax file number", wikipedia + "Tax_file_number", "999999999 999_999_999", "tfn|tax file", tfn},
	{"BA", "JMBG", wikipedia + "Unique_Master_Citizen_Number", "9999999999999", "jmbg|jmb|јмбг|матични број|matični broj", emso(10, 19)},
	{"BE", "Rijksregisternummer, numéro national", wikipedia + "Belgian_national_number", "99999999999 999999-99999 999999_999_99 999999_999-99 ! 99.99.99-999.99", "rijksregister|insz|niss|registre national|numéro national|nationaal nummer|rrn", belgian},
	{"BG", "ЕГН", "http://www.grao.bg/esgraon.html", "9999999999", "егн|egn|единен граждански", egn},
	{"BR", "CPF", wikipedia + "CPF_number", "99999999999 999999999-99 ! 999.999.999-99", "cpf|c.p.f", cpf},
	{"CA", "Social insurance number", wikipedia + "Social_insurance_number", "999999999 999_999_999 999-999-999", "sin|nas|social insurance|assurance sociale", sin},
	{"CH", "AHV, AVS", wikipedia + "National_identification_number", "9999999999999 ! 999.9999.9999.99", "ahv|avs|sozialversicherung|assuré|assicurat", ahv},
	{"CL", "RUT, RUN", wikipedia + "National_identification_number", "99999999-* 9999999-* 999999999 99.999.999-* 9.999.999-*", "rut|run|r.u.t|cédula", rutOrNot},
	{"CN", "居民身份证号码", "GB 11643-1999", "! 99999999999999999*", "身份证|身份證|id card", chinese},
	{"CY", "TIC", "https://www.oecd.org/tax/automatic-exchange", "99999999A", "tic|φορολογικ|αφτ|tax id|vergi", cypriot},
	{"CZ", "Rodné číslo (in Slovakia too)", wikipedia + "National_identification_number", "9999999999 999999/9999", "rodné č|rodného č|rodne c|r.č|rč|r. č", czechBirth},
	{"DE", "Steuer-Identifikationsnummer", "https://www.bzst.de", "99999999999 99_999_999_999", "steuer-id|steuerid|idnr|id-nr|identifikationsnummer|steueridentifikation|tax id", germanTax},
	{"DK", "CPR-nummer", "https://www.cpr.dk", "999999-9999 9999999999 999999_9999", "cpr|personnummer|cpr-n", danish},
	{"DO", "Cédula", wikipedia + "National_identification_number", "999-9999999-9 99999999999", "cédula|cedula", dominican},
	{"EC", "Cédula", wikipedia + "National_identification_number", "9999999999 999999999-9", "cédula|cedula|c.i|ci", ecuadorian},
	{"EE", "Isikukood", "EVS 585:2007", "99999999999", "isikukood|isikuk|ik|personal code|личный код", baltic},
	{"ES", "DNI", "https://www.interior.gob.es", "99999999A 99999999-A 99.999.999-A 99.999.999A", "dni|d.n.i|nif|n.i.f|documento nacional", dni},
	{"ES", "NIE", "https://www.interior.gob.es", "A9999999A A-9999999-A A-9999999A", "nie|n.i.e|extranjer|nif", nie},
	{"FI", "Henkilötunnus", "https://dvv.fi/en/personal-identity-code", "! 999999A999*", "hetu|henkilötunnu|personbeteckning", hetu},
	{"FI", "Henkilötunnus", "https://dvv.fi/en/personal-identity-code", "999999+999* ! 999999-999*", "hetu|henkilötunnu|personbeteckning|personal identity", hetuOld},
	{"FR", "Numéro de sécurité sociale (NIR)", "https://www.insee.fr", "999999A99999999 999999999999999 ! 9_99_99_99_999_999_99 9_99_99_9A_999_999_99", "sécurité sociale|n° sécu|numéro de sécu|nir|insee|assuré", nir},
	{"GB", "National Insurance number", "https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110", "AA999999A ! AA_99_99_99_A", "national insurance|nino|ni number|ni no|insurance n", nino},
	{"GB", "NHS number", "https://www.datadictionary.nhs.uk", "9999999999 999_999_9999 999-999-9999", "nhs", nhs},
	{"GR", "ΑΜΚΑ", "https://www.amka.gr", "99999999999", "αμκα|amka|α.μ.κ.α", amka},
	{"HK", "香港身份證", wikipedia + "Hong_Kong_identity_card", "A999999* AA999999* ! A999999(*) AA999999(*)", "hkid|身份證|身份证|identity card|hong kong id", hongKong},
	{"HR", "OIB", "https://www.porezna-uprava.hr", "99999999999", "oib|osobni identifikacijski", mod11and10},
	{"HU", "Adóazonosító jel", "1996. évi XX. törvény", "9999999999", "adóazonosító|adóazon|adószám", hungarianTax},
	{"HU", "TAJ-szám", "1996. évi XX. törvény", "999999999 999_999_999 999-999-999", "taj|taj-szám|társadalombiztosítás", taj},
	{"ID", "NIK", wikipedia + "Indonesian_identity_card", "9999999999999999", "nik|ktp|kependudukan", indonesian},
	{"IE", "PPS number", "https://www.revenue.ie", "9999999A 9999999AA", "pps|ppsn|rsi", pps},
	{"IL", "מספר זהות", "https://www.oecd.org/tax/automatic-exchange", "999999999 99999999-9", "ת.ז|ת\"ז|תעודת זהות|מספר זהות|teudat|id number|israeli id", israeli},
	{"IN", "Aadhaar", "https://uidai.gov.in", "999999999999 9999_9999_9999 9999-9999-9999", "aadhaar|aadhar|uidai|आधार|ஆதார்|ఆధార్|আধার|આધાર", aadhaar},
	{"IR", "کد ملی", "https://www.oecd.org/tax/automatic-exchange", "9999999999 999-999999-9", "کد ملی|کدملی|شماره ملی|national code", iranian},
	{"IS", "Kennitala", wikipedia + "Kennitala", "9999999999 999999-9999", "kt|kennital", kennitala},
	{"IT", "Codice fiscale", "D.M. 23 dicembre 1976", "! AAAAAA99A99A999A", "codice fiscale|cod. fisc|c.f", codiceFiscale},
	{"JP", "個人番号", "https://www.digital.go.jp", "999999999999 9999_9999_9999 9999-9999-9999", "マイナンバー|個人番号|my number", myNumber},
	{"KR", "주민등록번호", wikipedia + "Resident_registration_number", "9999999999999 ! 999999-9999999", "주민등록|주민번호|resident registration", korean},
	{"KZ", "ЖСН, ИИН", wikipedia + "National_identification_number", "999999999999", "иин|жсн|iin|индивидуальный идентификационный", kazakh},
	{"LT", "Asmens kodas", wikipedia + "National_identification_number", "99999999999", "asmens kod|a. k|a.k|personal code", baltic},
	{"LU", "Matricule", "https://www.oecd.org/tax/automatic-exchange", "! 9999999999999", "matricule", luxembourgish},
	{"LV", "Personas kods", wikipedia + "National_identification_number", "999999-99999 99999999999", "personas kod|p.k|pers. kod|персональный код", latvian},
	{"MD", "IDNP", wikipedia + "National_identification_number", "9999999999999", "idnp|cod personal", moldovan},
	{"ME", "JMBG", wikipedia + "Unique_Master_Citizen_Number", "9999999999999", "jmbg|jmb|јмб|матични број|matični broj", emso(20, 29)},
	{"MK", "ЕМБГ", wikipedia + "Unique_Master_Citizen_Number", "9999999999999", "ембг|embg|матичен број", emso(40, 49)},
	{"MX", "CURP", "https://www.gob.mx/segob/renapo", "! AAAA999999AAAAAA*9", "curp", curp},
	{"MY", "MyKad", wikipedia + "Malaysian_identity_card", "999999-99-9999 999999999999", "nric|mykad|ic no|no. kp|no kp|kad pengenalan|no. ic|ic", malaysian},
	{"NL", "Burgerservicenummer", wikipedia + "National_identification_number", "999999999 9999.99.999 999_999_999", "bsn|burgerservice|sofinummer|sofi-nummer", bsn},
	{"NO", "Fødselsnummer", "https://www.skatteetaten.no", "99999999999 999999_99999", "fødselsn|fnr|personnummer|d-nummer|f.nr", norwegian},
	{"NZ", "IRD number", "https://www.ird.govt.nz", "999999999 99999999 999-999-999 99-999-999", "ird", ird},
	{"PK", "CNIC", wikipedia + "CNIC_(Pakistan)", "99999-9999999-9 9999999999999", "cnic|nadra|شناختی", func(s []byte) bool { return s[0] != '0' && s[0] < '8' }},
	{"PL", "PESEL", wikipedia + "PESEL", "99999999999", "pesel", pesel},
	{"PT", "NIF", wikipedia + "National_identification_number", "999999999 999_999_999", "nif|contribuinte|identificação fiscal|n.i.f", nif},
	{"RO", "CNP", wikipedia + "National_identification_number", "! 9999999999999", "cnp|cod numeric|c.n.p", cnp},
	{"RS", "ЈМБГ", wikipedia + "Unique_Master_Citizen_Number", "9999999999999", "јмбг|jmbg|матични број|matični broj", emso(70, 89)},
	{"RU", "ИНН", "https://www.nalog.gov.ru", "999999999999", "инн|inn", russianTax},
	{"RU", "СНИЛС", "https://sfr.gov.ru", "99999999999 ! 999-999-999_99 999-999-999-99", "снилс|страховой номер|snils", snils},
	{"SA", "رقم الهوية", "https://www.oecd.org/tax/automatic-exchange", "9999999999", "هوية|الهويه|إقامة|الاقامة|iqama|national id", saudi},
	{"SE", "Personnummer", "https://www.skatteverket.se", "9999999999 999999-9999 999999+9999 999999999999 99999999-9999", "personn|samordningsn|pers.nr|p.nr|pnr", swedish},
	{"SG", "NRIC, FIN", wikipedia + "National_Registration_Identity_Card", "! A9999999A", "nric|fin|uin", nric},
	{"SI", "EMŠO", wikipedia + "Unique_Master_Citizen_Number", "9999999999999", "emšo|emso", emso(50, 59)},
	{"TH", "เลขประจำตัวประชาชน", wikipedia + "Thai_identity_card", "9999999999999 ! 9-9999-99999-99-9 9_9999_99999_99_9", "ประชาชน|บัตรประจำตัว|national id", thai},
	{"TR", "T.C. kimlik numarası", wikipedia + "Turkish_Identification_Number", "99999999999", "tckn|tc kimlik|t.c. kimlik|kimlik n|tc no|tc", tckn},
	{"TW", "國民身分證", wikipedia + "National_Identification_Card_(Taiwan)", "A999999999", "身分證|身份證|居留證|統一編號|taiwan id", taiwanese},
	{"UA", "РНОКПП", "https://tax.gov.ua", "9999999999", "рнокпп|іпн|ідентифікаційний|ідентифікаційного|ипн", rnokpp},
	{"US", "Social Security number", "https://www.ssa.gov/employer/randomization.html", "999-99-9999 999_99_9999 999999999", "ssn|social security|soc. sec|itin|taxpayer id", ssn},
	{"UY", "Cédula de identidad", wikipedia + "National_identification_number", "9.999.999-9 99999999 9999999-9", "cédula|cedula|c.i|ci", uruguayan},
	{"ZA", "ID number", wikipedia + "South_African_identity_card", "9999999999999 999999_9999_999 999999_9999_99_9", "id number|id no|identity n|sa id|identiteitsnommer|rsa id|id nommer", southAfrican},
}

func rutOrNot(s []byte) bool { return rut(s) && !same(s[:len(s)-1]) }

func dominican(s []byte) bool { return luhn(s) && !same(s) }

// layout is one layout of a number.
type layout struct {
	number int16
	free   bool // accepted without context
	form   string
}

// maxLead is the maximum number of capitals at the beginning of a layout.
const maxLead = 6

// layouts holds the layouts by the numbers of capitals and digits that they begin with.
var layouts = func() (all [maxLead + 1][maxDigits + 1][]layout) {
	for i := range numbers {
		free := false
		for form := range strings.FieldsSeq(numbers[i].layouts) {
			if form == "!" {
				free = true
				continue
			}
			capitals := len(form) - len(strings.TrimLeft(form, "A"))
			rest := form[capitals:]
			n := len(rest) - len(strings.TrimLeft(rest, "9"))
			if n < len(rest) && rest[n] == '*' { // a digit or the end of the digits
				all[capitals][n+1] = append(all[capitals][n+1], layout{int16(i), free, form})
			}
			all[capitals][n] = append(all[capitals][n], layout{int16(i), free, form})
		}
	}
	return all
}()

// contexts holds the words of context of each number.
var contexts = func() (all [][][]byte) {
	for i := range numbers {
		var words [][]byte
		for w := range strings.SplitSeq(numbers[i].context, "|") {
			words = append(words, []byte(w))
		}
		all = append(all, words)
	}
	return all
}()

// id finds a national identification number and returns its position in Numbers.
func id(text string, i int) (number, end int) {
	at, capitals, n := i, 0, 0
	for at < len(text) && text[at] >= 'A' && text[at] <= 'Z' {
		if capitals++; capitals > maxLead {
			return 0, 0
		}
		at++
	}
	if capitals > 0 && (at == len(text) || text[at] >= 'a' && text[at] <= 'z') {
		return 0, 0 // a word
	}
	for at < len(text) {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if digit(r) < 0 {
			break
		}
		if n++; n > maxDigits {
			return 0, 0
		}
		at += size
	}
	var core [24]byte
	for k := range layouts[capitals][n] {
		l := &layouts[capitals][n][k]
		if !l.fits(text[at:], capitals+n) {
			continue
		}
		size, stop := match(l.form, text[i:], &core)
		if stop == 0 || continuesID(text, i+stop) {
			continue
		}
		switch valid, named := l.valid(core, size, text, i, i+stop); {
		case named:
			return int(l.number), i + stop
		case valid && l.free && end == 0:
			number, end = int(l.number), i+stop
		}
	}
	return number, end
}

// valid reports whether text[start:end], a number of size characters, passes the check, and
// whether it does with a word of context.
func (l *layout) valid(core [24]byte, size int, text string, start, end int) (valid, named bool) {
	w := windows.Get().(*window)
	defer windows.Put(w)
	w.core = core
	if !numbers[l.number].check(w.core[:size]) {
		return false, false
	}
	w.around(text, start, end)
	return true, w.has(contexts[l.number])
}

// fits reports whether rest can follow the first lead characters of l. It is a fast test for
// ASCII.
func (l *layout) fits(rest string, lead int) bool {
	if lead >= len(l.form) {
		return true
	}
	if len(rest) < len(l.form)-lead {
		return false
	}
	if c := rest[0]; c < utf8.RuneSelf {
		switch f := l.form[lead]; f {
		case '_':
			return c == ' ' && (rest[1] >= utf8.RuneSelf || rest[1] >= '0' && rest[1] <= '9' || rest[1] >= 'A' && rest[1] <= 'Z')
		case 'A', '*':
			return c >= 'A' && c <= 'Z'
		case '9':
			return c >= '0' && c <= '9'
		default:
			return c == f
		}
	}
	return true
}

// continuesID reports whether a word or number continues after end, also after a separator.
func continuesID(text string, end int) bool {
	if continues(text, end) {
		return true
	}
	if end+1 < len(text) && strings.IndexByte("-./,", text[end]) >= 0 {
		r, _ := utf8.DecodeRuneInString(text[end+1:])
		return digit(r) >= 0
	}
	return false
}

// match matches the beginning of text with a layout. It returns the number of characters in
// core, without separators, and the end of the match, 0 if there is no match.
func match(form, text string, core *[24]byte) (n, end int) {
	for k := 0; k < len(form); k++ {
		if end == len(text) {
			return 0, 0
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		v := digit(r)
		switch c := form[k]; {
		case (c == '9' || c == '*') && v >= 0:
			core[n] = byte('0' + v)
			n++
		case (c == 'A' || c == '*') && r >= 'A' && r <= 'Z':
			core[n] = byte(r)
			n++
		case c == '_' && (r == ' ' || r == '\u00a0' || r == '\u202f'):
		case c == '-' && (r == '-' || r == '‐' || r == '‑'):
		case rune(c) == r && strings.IndexByte("./+()", c) >= 0:
		default:
			return 0, 0
		}
		end += size
	}
	return n, end
}

// The numbers of bytes before and after a number that are searched for words of context.
const before, following = 80, 40

// window holds the characters of a number, and the text around it in lower case.
type window struct {
	core [24]byte
	buf  [2 * (before + following)]byte
	text []byte
}

var windows = sync.Pool{New: func() any { return new(window) }}

// around fills w. A zero byte replaces the number.
func (w *window) around(text string, start, end int) {
	b := w.buf[:0]
	from := max(0, start-before)
	if k := strings.LastIndexByte(text[from:start], '\n'); k >= 0 {
		from += k + 1
	}
	to := min(len(text), end+following)
	if k := strings.IndexByte(text[end:to], '\n'); k >= 0 {
		to = end + k
	}
	b = appendLower(b, text[from:start])
	b = append(b, 0)
	w.text = appendLower(b, text[end:to])
}

// appendLower appends s in lower case as long as dst has space.
func appendLower(dst []byte, s string) []byte {
	for _, r := range s {
		if len(dst)+2*utf8.UTFMax > cap(dst) {
			break
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// has reports whether w contains one of words.
func (w *window) has(words [][]byte) bool {
	for _, word := range words {
		for at := 0; ; {
			k := bytes.Index(w.text[at:], word)
			if k < 0 {
				break
			}
			start, end := at+k, at+k+len(word)
			p, _ := utf8.DecodeLastRune(w.text[:start])
			n, _ := utf8.DecodeRune(w.text[end:])
			if (start == 0 || !spaced(p)) && (end == len(w.text) || !spaced(n) || utf8.RuneCount(word) > 4) {
				return true
			}
			at = end
		}
	}
	return false
}
