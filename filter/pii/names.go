package pii

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/sets"
	"chaffinch/model/data"
)

// nameList holds frequent names.
type nameList struct {
	given, surname map[string]bool
	// lists holds the names of a country, a kind (g or s) and a script, such as "DE g Latin", and
	// of all countries, such as "g Latin".
	lists map[string][]string

	titles, particles, weak, places, notNames map[string]bool
}

var (
	namesOnce sync.Once
	namesRead *nameList
	namesErr  error
)

// loadNames reads the embedded names when they are first needed. Programs that do not call it
// link neither the names nor the lists of words.
func loadNames() (*nameList, error) {
	namesOnce.Do(func() { namesRead, namesErr = readNames() })
	return namesRead, namesErr
}

func readNames() (*nameList, error) {
	if data.Names == nil {
		return nil, data.ErrNoNames
	}
	z, err := gzip.NewReader(bytes.NewReader(data.Names))
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	l := &nameList{
		given: map[string]bool{}, surname: map[string]bool{}, lists: map[string][]string{},
		titles: sets.Words(titles), particles: sets.Words(particles), weak: sets.Words(weak), places: sets.Words(places), notNames: sets.Words(notNames),
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		country, rest, _ := strings.Cut(lines.Text(), "\t")
		kind, names, _ := strings.Cut(rest, "\t")
		for name := range strings.SplitSeq(names, "|") {
			if kind == "g" {
				l.given[name] = true
			} else {
				l.surname[name] = true
			}
			script := kind + " " + scriptOf(name)
			l.lists[script] = append(l.lists[script], name)
			l.lists[country+" "+script] = append(l.lists[country+" "+script], name)
		}
	}
	return l, lines.Err()
}

// scripts are the scripts of names.
var scripts = []string{"Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Han", "Hangul", "Hiragana", "Katakana", "Armenian", "Georgian", "Thai", "Devanagari", "Bengali"}

func scriptOf(name string) string {
	r, _ := utf8.DecodeRuneInString(name)
	for _, s := range scripts {
		if unicode.Is(unicode.Scripts[s], r) {
			return s
		}
	}
	return "other"
}

// countries names a country for languages whose code differs from the code of the country.
var countries = map[string]string{
	"be": "BY", "bn": "BD", "bs": "BA", "ca": "AD", "cs": "CZ", "da": "DK", "el": "GR", "en": "US", "et": "EE", "fa": "IR", "ga": "IE", "he": "IL",
	"hi": "IN", "hy": "AM", "ja": "JP", "ka": "GE", "ko": "KR", "nb": "NO", "sl": "SI", "sq": "AL", "sr": "RS", "sv": "SE", "uk": "UA", "ur": "PK", "vi": "VN", "zh": "CN",
}

// like returns frequent names of the kind and script of a name, if possible of a country of a
// language.
func (l *nameList) like(name, lang string) []string {
	if l == nil {
		return nil
	}
	lang, _, _ = strings.Cut(lang, "-")
	country := cmp.Or(countries[lang], strings.ToUpper(lang))
	kind := "s "
	if l.given[name] {
		kind = "g "
	}
	for _, key := range []string{country + " " + kind + scriptOf(name), kind + scriptOf(name), kind + "Latin"} {
		if len(l.lists[key]) >= 10 {
			return l.lists[key]
		}
	}
	return nil
}

const (
	// titles precede names. A period after a title is optional.
	titles = "Mr Mrs Ms Miss Dr Prof Professor Sir Lady Lord Rev Herr Herrn Frau Monsieur Madame Mme Mlle Señor Señora Señorita Sra Don Doña " +
		"Signor Signora Signorina Sig Dott Dottor Dottoressa Senhor Senhora Dhr Mevr Mevrouw Meneer Pan Pani Pana Paní Panu Fru Fröken Hr Господин Господина Госпожа Г-н Г-жа Пан Пані " +
		"Κύριος Κυρία Bay Bayan Domnul Doamna Úr gospod gospa gospodin gospođa pan pani herr fru señor señora don doña господин госпожа г-н г-жа κύριος κυρία κ"
	// particles join the parts of surnames.
	particles = "von van de der den del della di da do dos das du la le ten ter zu zum zur af av bin ibn al el y e i"
	// weak are given names that are also words, places or firms. They need a listed surname.
	weak = "Will May Mark Grant Rose Grace Faith Hope Joy April June August Dawn Summer Autumn Art Bill Jack Frank Rich Chance Christian Young Page Paris London " +
		"Victoria Virginia Georgia Carolina Florence Sydney Austin Dallas Houston Jordan Israel Chad Kenya India China Asia America Chelsea Brooklyn Madison Washington " +
		"Lincoln Jackson Hamilton Sierra Santiago Santa Royal Major Prince Star Crystal Amber Ruby Pearl Daisy Lily Ivy Iris Robin Angel Jesus Buddy Sunny Guy Lane Ray Carol " +
		"Drew Gene Miles Dean Earl Duke Mercedes Porsche Lee Long Man The Charity Sage Storm Heaven Harmony Melody Destiny Trinity Cherry Olive Ginger Brandy Sherry Candy " +
		"Hunter Mason Carter Tyler Cooper Parker Logan Chase Cash King Rocky Stone Forest Clay Cliff Dale Glen Heath Reed West North Wood Berry Kelly Lake Dakota Cheyenne " +
		"Savannah Charlotte Alexandria Lourdes Milan Roma Sofia Valencia Vienna Ireland Britain Francia Italia Domingo Martin Lazaro Sol Luz Mar Paz Rosa Linda Bella Alba Luna Mia Leo Max Ben " +
		"Denver Geneva Merry Junior Harley Stanley Avis Aurora Sterling Clyde Nova Mercy Blessing Favor Precious Happy Gift Christ Noel Easter Sol Mai Ana So Little Art Van Von Don Le An My Long Sung Ha Son Tam Hong Kim Many See Love Else Dee Bea In Do"
	// after a name, these words show that it belongs to a place, a firm or a work.
	places = "Street St Avenue Ave Road Rd Lane Drive Square Park Bridge River Lake Island Islands Beach Bay Hill Hills Valley Mountain Mount County City Town Village State " +
		"University College School Institute Academy Hospital Church Cathedral Museum Library Gallery Theatre Theater Center Centre House Hotel Inn Airport Station Stadium Arena " +
		"Company Inc Ltd Corp Corporation Group GmbH AG Bank Foundation Society Association Club Press Publishing Records Studio Studios Award Awards Prize Cup Day Week Act " +
		"Straße Strasse Platz Allee Weg Schule Stiftung Universität Verlag Haus Rue Place Boulevard Université Calle Plaza Avenida Universidad Via Piazza Rua Praça Ulica " +
		"January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday " +
		"The And Of In On At To For From With By Is Was Are Has Had Have Will Would Can Could Says Said New Old His Her Its Their Our My This That How Why What When Where Who " +
		"Der Die Das Und Mit Im Am Le La Les Et El Los Las Il President World Universe Chairman Minister Speaker Secretary Director Editor Manager"
	// notNames begin names of places.
	notNames = "San Santa São Santo Saint Sainte St Sankt Port Fort Mount Lake New El Los Las Cape Rio Villa Puerto Hotel Café Church Castle"
)

// intros introduce a name, in lower case.
var intros = []string{
	"my name is", "mein name ist", "ich heiße", "ich heisse", "je m'appelle", "je m’appelle", "mon nom est", "me llamo", "mi nombre es", "mi chiamo", "il mio nome è", "chamo-me", "me chamo",
	"meu nome é", "mijn naam is", "ik heet", "nazywam się", "jmenuji se", "jmenuju se", "volám sa", "меня зовут", "мене звати", "με λένε", "ονομάζομαι", "jag heter", "jeg heter", "jeg hedder", "mitt namn är",
	"mit navn er", "nimeni on", "benim adım", "adım", "mă numesc", "numele meu este", "zovem se", "moje ime je", "казвам се", "mano vardas", "mani sauc", "minu nimi on", "nama saya", "tên tôi là",
	"written by", "posted by", "reported by", "author:", "autor:", "auteur:", "autore:", "автор:", "signed,", "signed:",
}

// word is a word of a text.
type word struct {
	start, end int
	capital    bool // begins with a capital, and has a small letter
	initial    bool // a capital with a period
	joined     bool // only a space separates it from the word before it
	opens      bool // the first word of a sentence
}

// Finder finds requested kinds of personal data. It is not safe for concurrent use.
type Finder struct {
	kinds []Kind
	names *nameList // nil if not requested
	words []word
	buf   []byte
}

// NewFinder returns a Finder of kinds; nil requests [Kinds]. [Name] needs the names that package
// model/data/names embeds.
func NewFinder(kinds []Kind) (*Finder, error) {
	f := &Finder{kinds: kinds}
	for _, k := range kinds {
		if k == Name {
			var err error
			if f.names, err = loadNames(); err != nil {
				return nil, err
			}
		} else if !slices.Contains(Kinds, k) {
			return nil, fmt.Errorf("kind of personal data %q: wanted some of %s", k, kindNames())
		}
	}
	return f, nil
}

// kindNames returns the names of all kinds, separated by commas.
func kindNames() string {
	var b strings.Builder
	for _, k := range Kinds {
		b.WriteString(string(k) + ", ")
	}
	return b.String() + string(Name)
}

// Find appends the matches in text to dst, as [Find] does.
//
// Names are found in scripts with capitals: a title, a phrase such as "my name is", or a
// frequent given name, followed by capitalized words. Given names that are not in the list,
// single given names, and names in Chinese, Japanese, Korean, Arabic and other scripts without
// capitals are not found.
func (f *Finder) Find(text string, dst []Match) []Match {
	at := len(dst)
	dst = Find(text, dst)
	if f.names != nil {
		dst = ordered(f.persons(text, dst))
	}
	if f.kinds == nil {
		return dst
	}
	return append(dst[:at], slices.DeleteFunc(dst[at:], func(m Match) bool { return !slices.Contains(f.kinds, m.Kind) })...)
}

// persons appends the names of persons in text.
func (f *Finder) persons(text string, dst []Match) []Match {
	f.split(text)
	for i := 0; i < len(f.words); {
		n := f.person(text, i)
		if n == 0 {
			i++
			continue
		}
		end := f.words[i+n-1].end
		if possessive(text[:end]) {
			end = strings.LastIndexAny(text[:end], "'’")
		}
		dst = append(dst, Match{Kind: Name, Start: f.words[i].start, End: end})
		i += n
	}
	return dst
}

// split sets the words of text.
func (f *Finder) split(text string) {
	f.words = f.words[:0]
	opens, gap := true, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) {
			if r == '\n' || strings.ContainsRune(".!?:…\"“”„«»•|-–—", r) {
				opens = true
			}
			i += n
			continue
		}
		w := word{start: i, capital: unicode.IsUpper(r), opens: opens}
		small, letters := false, 0
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) && ((r != '\'' && r != '’' && r != '-') || !letterAt(text, i+n)) {
				break
			}
			small = small || unicode.IsLower(r)
			letters++
			i += n
		}
		w.end = i
		w.initial = w.capital && letters == 1 && strings.HasPrefix(text[i:], ".")
		w.capital = w.capital && small && letters > 1
		between := text[gap:w.start]
		w.joined = len(f.words) > 0 && (between == " " || between == "\u00a0")
		if gap = w.end; w.initial || f.names.titles[text[w.start:w.end]] && strings.HasPrefix(text[i:], ".") {
			gap, i = i+1, i+1
			opens = false
		} else {
			opens = false
		}
		f.words = append(f.words, w)
	}
}

// possessive reports whether a word has the English ending 's.
func possessive(w string) bool { return strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s") }

func letterAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r)
}

// person returns the number of words of the name that begins with word i, 0 if there is none.
func (f *Finder) person(text string, i int) int {
	w := f.words[i]
	if !w.capital && !w.initial {
		return 0
	}
	first := text[w.start:w.end]
	if f.names.titles[first] || f.names.places[first] || f.names.notNames[first] {
		return 0
	}
	run := f.run(text, i)
	title := i > 0 && w.joined && f.names.titles[text[f.words[i-1].start:f.words[i-1].end]]
	if title {
		return f.upTo(text, i, min(run, 4))
	}
	if (run > 1 || f.names.given[first]) && f.introduced(text, w.start) {
		return f.upTo(text, i, min(run, 4))
	}
	if i > 0 && w.joined {
		p := f.words[i-1]
		if before := text[p.start:p.end]; (p.capital || p.initial) && !f.names.titles[before] && (!p.opens || f.names.notNames[before]) {
			return 0 // within another name
		}
	}
	given := f.names.given[first] || strings.Contains(first, "-") && f.names.given[first[:strings.IndexByte(first, '-')]]
	if !given || run < 2 {
		return 0
	}
	n := f.upTo(text, i, min(run, 5))
	if n < 2 || n < run && f.names.places[text[f.words[i+n].start:f.words[i+n].end]] {
		return 0
	}
	last := text[f.words[i+n-1].start:f.words[i+n-1].end]
	if possessive(last) {
		last = last[:strings.LastIndexAny(last, "'’")]
	}
	if listed := f.names.surname[last]; !listed && (f.names.weak[first] || n > 4 || run > 5) || utf8.RuneCountInString(last) < 3 && !listed {
		return 0
	}
	return n
}

// run returns the number of words from i on that may form a name: capitalized words and
// initials, joined by spaces and particles.
func (f *Finder) run(text string, i int) (n int) {
	end := i
	for k := i; k < len(f.words); k++ {
		w := f.words[k]
		if k > i && !w.joined {
			break
		}
		switch {
		case w.capital || w.initial:
			end = k + 1
		case !f.names.particles[text[w.start:w.end]] || k == i:
			return end - i
		}
	}
	return end - i
}

// upTo returns the number of words of a name of at most n words: up to the first word that
// cannot be part of a name.
func (f *Finder) upTo(text string, i, n int) int {
	end := 0
	for k := range n {
		w := f.words[i+k]
		if s := text[w.start:w.end]; f.names.places[s] || f.names.titles[s] && k > 0 && !f.names.particles[s] {
			break
		}
		if w.capital || w.initial && k+1 < n {
			end = k + 1
		}
		if possessive(text[w.start:w.end]) {
			break
		}
	}
	return end
}

// introduced reports whether a phrase such as "my name is" precedes position at.
func (f *Finder) introduced(text string, at int) bool {
	if at < 4 || text[at-1] != ' ' {
		return false
	}
	from := max(0, at-40)
	f.buf = f.buf[:0]
	for _, r := range text[from : at-1] {
		f.buf = utf8.AppendRune(f.buf, unicode.ToLower(r))
	}
	for _, intro := range intros {
		if k := len(f.buf) - len(intro); k >= 0 && string(f.buf[k:]) == intro {
			r, _ := utf8.DecodeLastRune(f.buf[:k])
			return k == 0 || !unicode.IsLetter(r)
		}
	}
	return false
}
