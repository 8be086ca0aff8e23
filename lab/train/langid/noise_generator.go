package langid

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// noiseMaker generates text that is not language: addresses, code, numbers, random keystrokes,
// encoded bytes, menus. Some of its words are from a language, as in real noise.
type noiseMaker struct {
	rng  *rand.Rand
	word func() string // a word of any language
	line func() string // a line of any language
}

// text returns a piece of noise.
func (n *noiseMaker) text() string {
	makers := []func() string{n.address, n.code, n.code, n.markup, n.numbers, n.mash, n.encoded, n.menu, n.menu, n.log, n.symbols, n.amounts, n.undecoded, n.undecoded, n.scraps}
	parts := make([]string, 0, 4)
	for range 1 + n.rng.IntN(2) {
		parts = append(parts, makers[n.rng.IntN(len(makers))]())
	}
	return strings.Join(parts, " ")
}

func (n *noiseMaker) pick(words string) string {
	w := strings.Fields(words)
	return w[n.rng.IntN(len(w))]
}

func (n *noiseMaker) many(least, most int, sep string, fn func() string) string {
	parts := make([]string, least+n.rng.IntN(most-least+1))
	for i := range parts {
		parts[i] = fn()
	}
	return strings.Join(parts, sep)
}

func (n *noiseMaker) number() string {
	switch n.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("%d.%02d", n.rng.IntN(1000), n.rng.IntN(100))
	case 1:
		return fmt.Sprintf("%02d:%02d", n.rng.IntN(24), n.rng.IntN(60))
	case 2:
		return fmt.Sprintf("%d-%02d-%02d", 1980+n.rng.IntN(50), 1+n.rng.IntN(12), 1+n.rng.IntN(28))
	case 3:
		return fmt.Sprintf("%d%%", n.rng.IntN(101))
	}
	return fmt.Sprint(n.rng.IntN(100000))
}

func (n *noiseMaker) address() string {
	host := n.many(1, 2, "-", n.word) + "." + n.pick("com org net de co.uk fr io ru info es it eu pl cz")
	path := n.many(0, 4, "/", func() string { return n.many(1, 4, n.pick("- _ -"), n.word) })
	switch n.rng.IntN(6) {
	case 0:
		return n.word() + "." + n.word() + "@" + host
	case 1:
		return "www." + host
	case 2:
		return "/" + n.pick("usr home var etc opt C:/Users") + "/" + n.many(1, 4, "/", n.word) + "." + n.pick("txt py go html jpg conf")
	case 3:
		return "https://" + host + "/" + path + "?" + n.many(1, 4, "&", func() string { return n.word() + "=" + n.number() })
	}
	return n.pick("http:// https:// https://www.") + host + "/" + path + n.pick("/ .html .php .pdf .jpg")
}

func (n *noiseMaker) name() string {
	switch n.rng.IntN(4) {
	case 0:
		return n.word() + "_" + n.word()
	case 1:
		w := n.word()
		return n.word() + strings.ToUpper(w[:1]) + w[1:]
	case 2:
		return n.pick("i j x y n len str obj self this err ctx tmp buf")
	}
	return n.word()
}

func (n *noiseMaker) code() string {
	v, w, f := n.name(), n.name(), n.name()
	switch n.rng.IntN(10) {
	case 0:
		return fmt.Sprintf("if (%s == %s) { return %s(%s); }", v, w, f, n.number())
	case 1:
		return fmt.Sprintf("for (int i = 0; i < %s.length; i++) { %s[i] += %s; }", v, w, n.number())
	case 2:
		return fmt.Sprintf("def %s(self, %s, %s=None): return self.%s", f, v, w, n.name())
	case 3:
		return fmt.Sprintf("import %s.%s as %s; var %s = new %s();", v, w, f, n.name(), n.name())
	case 4:
		return fmt.Sprintf("SELECT %s, %s FROM %s WHERE %s = %s;", v, w, f, n.name(), n.number())
	case 5:
		return fmt.Sprintf("{\"%s\": \"%s\", \"%s\": %s, \"%s\": [%s]}", v, n.word(), w, n.number(), f, n.many(1, 4, ", ", n.number))
	case 6:
		return fmt.Sprintf("$(\"#%s\").%s(function() { %s.%s(); });", v, n.pick("click hide show on"), w, f)
	case 7:
		return fmt.Sprintf(".%s { %s: %spx; color: #%06x; margin: 0 auto; }", v, n.pick("width height padding top"), n.number(), n.rng.IntN(1<<24))
	case 8:
		return fmt.Sprintf("func (%s *%s) %s() error { return nil } // %s", v, w, f, n.word())
	}
	return fmt.Sprintf("$ %s --%s=%s -%s %s | %s", n.pick("git ls sudo apt-get npm cd docker make"), v, n.number(), n.pick("a v rf l x"), w, n.pick("grep sort less wc"))
}

func (n *noiseMaker) markup() string {
	tag := n.pick("div span a p li td img script ul h2 meta")
	return fmt.Sprintf("<%s class=\"%s\" id=\"%s\">%s</%s>", tag, n.name(), n.name(), n.pick("&nbsp; &amp; </a> <br/> ..."), tag)
}

func (n *noiseMaker) numbers() string { return n.many(1, 15, n.pick(", ; / - | +")+" ", n.number) }

func (n *noiseMaker) mash() string {
	rows := []string{"asdfghjkl", "qwertyuiop", "zxcvbnm", "asdfjkl", "hjklfdsa", "abcdefghijklmnopqrstuvwxyz", "sdfgdfgh", "йцукенгшщзх", "фывапролджэ", "ячсмитьбю"}
	row := []rune(rows[n.rng.IntN(len(rows))])
	repeated := n.rng.IntN(3) == 0
	return n.many(1, 6, " ", func() string {
		var b strings.Builder
		for range 4 + n.rng.IntN(12) {
			times := 1
			if repeated {
				times += n.rng.IntN(8)
			}
			b.WriteString(strings.Repeat(string(row[n.rng.IntN(len(row))]), times))
		}
		return b.String()
	})
}

// amounts returns a list of numbers with units, currencies or codes.
func (n *noiseMaker) amounts() string {
	return n.many(1, 10, n.pick(", ; / - |")+" ", func() string {
		switch n.rng.IntN(4) {
		case 0:
			return n.pick("A B C D M N No. Nr. Ref. ID XL Art. T p. ISBN Tel.") + n.pick("- . :") + n.number()
		case 1:
			return n.pick("Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec AM PM GMT") + " " + n.number()
		case 2:
			return n.pick("$ € £ ¥ EUR USD") + n.number()
		}
		return n.number() + " " + n.pick("kg g cm mm km m m² % € $ EUR USD pcs x MB GB kB px h min s °C V W kW ml l")
	})
}

// undecoded returns a line that was decoded in the wrong encoding, once or twice.
func (n *noiseMaker) undecoded() string {
	wrong := []*charmap.Charmap{charmap.Windows1252, charmap.Windows1251, charmap.Windows1256, charmap.Windows1250, charmap.KOI8R}[n.rng.IntN(5)]
	line := n.line()
	for range 8 {
		if !isASCII(line) {
			break
		}
		line = n.line()
	}
	for range 1 + n.rng.IntN(5)/4 {
		s, err := wrong.NewDecoder().String(line)
		if err != nil {
			break
		}
		line = strings.ToValidUTF8(s, "")
	}
	return line
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// scraps returns single letters and symbols, as of badly recognized scans.
func (n *noiseMaker) scraps() string {
	return n.many(6, 30, " ", func() string {
		return n.many(1, 3, "", func() string { return n.pick("i j l j a t 1 ^ . - : J I r f u v ' * • 4 ■ » /") })
	})
}

func (n *noiseMaker) encoded() string {
	b := make([]byte, 8+n.rng.IntN(60))
	for i := range b {
		b[i] = byte(n.rng.IntN(256))
	}
	switch n.rng.IntN(3) {
	case 0:
		return hex.EncodeToString(b)
	case 1:
		return fmt.Sprintf("%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[:2])
	}
	return base64.StdEncoding.EncodeToString(b)
}

func (n *noiseMaker) title() string {
	w := n.word()
	return strings.ToUpper(w[:1]) + w[1:]
}

func (n *noiseMaker) menu() string {
	return n.many(3, 12, n.pick("| » · • / > ›")+" ", func() string {
		switch n.rng.IntN(4) {
		case 0:
			return n.title() + " " + n.title() + " "
		case 1:
			return n.number() + " "
		}
		return n.title() + " "
	})
}

func (n *noiseMaker) log() string {
	return fmt.Sprintf("[%s %s] %s %s.%s: %s=%s", n.number(), n.number(), n.pick("INFO WARN ERROR DEBUG"), n.name(), n.name(), n.name(), n.number())
}

func (n *noiseMaker) symbols() string {
	return n.many(2, 20, "", func() string { return n.pick("- = * # . _ ~ + | / : ;") })
}
