package token

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/sets"
)

// maxHost is the maximum length in bytes of a host name.
const maxHost = 253

// hostByte marks bytes of host names, urlByte bytes of a URL after the host, localByte bytes
// before the @ of an e-mail address.
var hostByte, urlByte, localByte = byteSet("-."), byteSet("-._~:/?#[]@!$&'()*+,;=%|{}^\\"), byteSet("-._%+")

func byteSet(also string) (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = asciiAlnum[c] || strings.IndexByte(also, byte(c)) >= 0
	}
	return t
}

// schemes are the known URL schemes without "//".
var schemes = sets.Words(`mailto tel doi urn isbn magnet`)

// url returns the end of a URL whose scheme is from start to colon, 0 if there is none.
func url(text string, start, colon int) int {
	if colon-start > 12 || colon+3 > len(text) || !asciiAlnum[text[start]&0x7f] {
		return 0
	}
	scheme := text[start:colon]
	for i := range len(scheme) {
		if scheme[i] >= utf8.RuneSelf || !asciiAlnum[scheme[i]] {
			return 0
		}
	}
	if text[colon+1:colon+3] == "//" {
		if end := urlEnd(text, colon+3); end > colon+3 {
			return end
		}
		return 0
	}
	if schemes[scheme] {
		if end := urlEnd(text, colon+1); end > colon+2 {
			return end
		}
	}
	return 0
}

// urlEnd returns the end of the URL characters from i on. It excludes marks that more likely
// belong to the sentence: a stop, or a closing bracket without an opening one.
func urlEnd(text string, i int) int {
	start, open := i, 0
	for i < len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			cl, n := classAt(text, i)
			if !inWord[cl] {
				break
			}
			i += n
			continue
		}
		if !urlByte[c] || c == ')' && open == 0 {
			break
		}
		if c == '(' {
			open++
		} else if c == ')' {
			open--
		}
		i++
	}
	for i > start && strings.IndexByte(".,;:!?'([{|*^\\]", text[i-1]) >= 0 {
		i--
	}
	return i
}

// host returns the end of the URL that begins with the host name from start to end. It returns
// 0 if the name neither begins with www nor ends with a top-level domain.
func host(text string, start, end int) int {
	name := text[start:end]
	if len(name) > maxHost {
		return 0
	}
	for i := range len(name) {
		if !hostByte[name[i]] {
			return 0
		}
	}
	dot := strings.LastIndexByte(name, '.')
	www := len(name) > 6 && strings.EqualFold(name[:4], "www.")
	if !www && (dot < 2 || !domains[name[dot+1:]] && !upperDomain(name, dot+1)) {
		return 0
	}
	if end+1 < len(text) && text[end] == ':' && text[end+1] >= '0' && text[end+1] <= '9' {
		for end++; end < len(text) && text[end] >= '0' && text[end] <= '9'; end++ {
		}
	}
	if end < len(text) && strings.IndexByte("/?#", text[end]) >= 0 {
		return max(end, urlEnd(text, end))
	}
	return end
}

// upperDomain reports whether name is in capitals and ends with a domain.
func upperDomain(name string, dot int) bool {
	return name == strings.ToUpper(name) && domains[strings.ToLower(name[dot:])]
}

// email returns the end of the e-mail address whose local part begins at start and extends at
// least to i, 0 if there is none.
func email(text string, start, i int) int {
	if i-start > 64 {
		return 0
	}
	for ; i < len(text) && i-start <= 64 && localByte[text[i]]; i++ {
	}
	if i >= len(text) || text[i] != '@' {
		return 0
	}
	for j := start; j < i; j++ {
		if !localByte[text[j]] {
			return 0
		}
	}
	name := i + 1
	for i = name; i < len(text) && i-name <= maxHost && hostByte[text[i]]; i++ {
	}
	host := strings.TrimRight(text[name:i], ".-")
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || len(host)-dot < 3 {
		return 0
	}
	for _, c := range host[dot+1:] {
		if c >= '0' && c <= '9' || c == '-' {
			return 0
		}
	}
	return name + len(host)
}

// web returns the end of the tag, entity, hashtag, mention or emoticon at i, 0 if there is
// none.
func (s *scanner) web(i int, g gap) int {
	text := s.text
	switch text[i] {
	case '<':
		return tag(text, i)
	case '&':
		return entity(text, i)
	case '#', '@':
		if g == glue && i > 0 && text[i-1] < utf8.RuneSelf && wordByte[text[i-1]] {
			return 0
		}
		end := s.run(i + 1)
		for j := i + 1; j < end; {
			c, n := classAt(text, j)
			if c == lowerLetter || c == upperLetter || c == plainLetter {
				return end
			}
			j += n
		}
	case ':', ';', '=':
		if (g != glue || i == 0) && i+1 < len(text) {
			return emoticon(text, i)
		}
	case 0xc2: // °C
		if i+2 < len(text) && text[i+1] == 0xb0 && strings.IndexByte("CFKR", text[i+2]) >= 0 && !s.wordAt(i+3) {
			return i + 3
		}
	}
	return 0
}

// tag returns the end of a tag without attributes (<b>, </div>, <br/>), 0 if there is none.
func tag(text string, i int) int {
	start := i + 1
	if start < len(text) && text[start] == '/' {
		start++
	}
	j := start
	for j < len(text) && j-start < 32 && asciiAlnum[text[j]&0x7f] && text[j] < utf8.RuneSelf {
		j++
	}
	if j == start || text[start] <= '9' {
		return 0
	}
	if j < len(text) && text[j] == '/' {
		j++
	}
	if j < len(text) && text[j] == '>' {
		return j + 1
	}
	return 0
}

// entity returns the end of an entity (&amp; &#160; &#xA0;), 0 if there is none.
func entity(text string, i int) int {
	j := i + 1
	if j < len(text) && text[j] == '#' {
		j++
	}
	start := j
	for j < len(text) && j-start < 32 && text[j] < utf8.RuneSelf && asciiAlnum[text[j]] {
		j++
	}
	if j > start && j < len(text) && text[j] == ';' {
		return j + 1
	}
	return 0
}

// emoticon returns the end of the emoticon at i, if a blank or nothing follows it; 0 if there
// is none.
func emoticon(text string, i int) int {
	j := i + 1
	if strings.IndexByte("-'^o", text[j]) >= 0 {
		j++
	}
	start := j
	for j < len(text) && j-start < 4 && strings.IndexByte(")(][DPpO/\\|*3", text[j]) >= 0 {
		j++
	}
	if j == start {
		return 0
	}
	if j < len(text) {
		if c, _ := classAt(text, j); c != blank && c != newline {
			return 0
		}
	}
	return j
}

// domains are the top-level domains of countries and other common ones.
var domains = sets.Words(`
	com org net edu gov mil int info biz name pro museum aero coop jobs mobi travel tel cat asia post xxx arpa
	app blog cloud club dev eco email io lgbt live media news online page press shop site space store tech
	today tube video web website wiki world xyz
	ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz
	ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk
	fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in iq ir is
	it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml
	mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm
	pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td
	tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw
`)
