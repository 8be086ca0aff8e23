package token

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed rules/*.txt
var ruleFiles embed.FS

// MaxEntry is the maximum length in bytes of a list entry.
const MaxEntry = 32

// mean is the meaning of a word in the lists. The bits of several lists may be set.
type mean uint16

const (
	titleAbbr   mean = 1 << iota // before a name or a word: does not end a sentence
	numberAbbr                   // an abbreviation before a number only
	commonAbbr                   // an abbreviation that may end a sentence
	starter                      // begins a sentence after an abbreviation
	ordinalNext                  // follows an ordinal number with a stop
	proclitic                    // split from the following word: l'
	enclitic                     // split from the preceding word: 's
	wholeWord                    // kept whole
	unit                         // split from a preceding number
	abbrPart                     // a part of an abbreviation with inner stops: "z" of "z.b"

	anyAbbr = titleAbbr | numberAbbr | commonAbbr
)

// sections maps the names of the lists in a rule file to their meanings.
var sections = map[string]mean{
	"title": titleAbbr, "number": numberAbbr, "abbreviation": commonAbbr, "starter": starter,
	"ordinal": ordinalNext, "proclitic": proclitic, "enclitic": enclitic, "word": wholeWord, "unit": unit,
}

// The notations of ordinal numbers.
const (
	plainOrdinal  = iota // without a stop
	stopOrdinal          // "3." before a word in lower case: two tokens
	joinedOrdinal        // the same: one token
)

// ruleSet holds the rules of one language.
type ruleSet struct {
	words       map[string]mean     // by lower-case form; abbreviations without their last stop
	splits      map[string][]int    // positions at which a word is split: cannot
	literals    map[string][]string // what may follow a run of letters, kept whole: c -> ++
	spots       spots               // of words
	splitSpots  spots               // of splits
	splitBits   [256]uint64         // by the first byte of splits in any case: their lengths, as bits
	literalBits [256]uint64         // the same of the keys of literals
	abbrBits    [256]uint64         // the same of abbreviations and parts of them
	proclitics  bool                // whether words has any
	enclitics   [256]uint8          // what an enclitic may have before its apostrophe or hyphen, by the byte after it
	literalNext [256]bool           // bytes that may follow the first run of literals
	plainEnd    [256]bool           // bytes that end a word of ASCII letters for certain
	spacedEnd   [256]bool           // the same before a space; a full stop unless abbrBits has the word
	lone        [256]kind           // kinds of marks that are a token before a space; wordToken for other bytes
	decimal     byte                // decimal separator; the other of . and , groups thousands
	ordinal     uint8
	colon       bool // EU:n is one word
	capitals    bool // nouns are capitalized: a capital after an ordinal is no evidence
	ends        byte // an ASCII mark that also ends sentences: ; : |
}

// aliases are languages that take the rules and words of another one. Codes of three letters
// need no entry where there is one of two.
var aliases = map[string]string{
	"no": "nb", "nn": "nb", "bs": "hr", "sh": "hr", "cnr": "hr", "mo": "ro", "lb": "de", "gsw": "de", "nds": "de",
	"rm": "it", "scn": "it", "vec": "it", "oc": "ca", "cmn": "zh", "yue": "zh",
}

// Languages returns the languages that have specific rules, sorted.
func Languages() []string {
	entries, err := fs.ReadDir(ruleFiles, "rules")
	if err != nil {
		panic(err) // they are embedded
	}
	var langs []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".txt"); name != commonRules {
			langs = append(langs, name)
		}
	}
	return langs
}

// commonRules is the name of the file of rules for all languages.
const commonRules = "common"

var builtin sync.Map // name of a rule file -> func() *ruleSet

// builtinRules returns the rules with the given file name, or the common rules.
func builtinRules(name string) *ruleSet {
	if f, ok := builtin.Load(name); ok {
		return f.(func() *ruleSet)()
	}
	if _, err := fs.Stat(ruleFiles, "rules/"+name+".txt"); err != nil {
		if name == commonRules {
			panic(err) // it is embedded
		}
		return builtinRules(commonRules)
	}
	f, _ := builtin.LoadOrStore(name, sync.OnceValue(func() *ruleSet {
		r := readBuiltin(name)
		r.finish()
		return r
	}))
	return f.(func() *ruleSet)()
}

// readBuiltin reads the common rules and the rules of name.
func readBuiltin(name string) *ruleSet {
	r := &ruleSet{words: map[string]mean{}, splits: map[string][]int{}, literals: map[string][]string{}}
	for _, n := range []string{commonRules, name} {
		b, err := ruleFiles.ReadFile("rules/" + n + ".txt")
		if err == nil {
			err = r.read(n+".txt", string(b))
		}
		if err != nil {
			panic(err) // they are embedded and tested
		}
		if name == commonRules {
			break
		}
	}
	return r
}

// read adds the rules of a file. See docs/reference/formats/token-rules.md.
func (r *ruleSet) read(file, text string) error {
	section, n := "", 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Fields(line)
		for i, f := range fields {
			if strings.HasPrefix(f, "#") {
				fields = fields[:i]
				break
			}
		}
		if len(fields) == 0 {
			continue
		}
		if h := fields[0]; h[0] == '[' && len(fields) == 1 {
			section = strings.Trim(h, "[]")
			if _, ok := sections[section]; !ok && section != "settings" && section != "split" {
				return fmt.Errorf("%s:%d: unknown list %s, wanted [settings], [title], [number], [abbreviation], [starter], [ordinal], [proclitic], [enclitic], [split], [word] or [unit]", file, n, h)
			}
			continue
		}
		if section == "" {
			return fmt.Errorf("%s:%d: %q before the first list, wanted a line such as [abbreviation]", file, n, fields[0])
		}
		if section == "settings" {
			if err := r.set(fields); err != nil {
				return fmt.Errorf("%s:%d: %w", file, n, err)
			}
			continue
		}
		for _, f := range fields {
			if err := r.add(section, f); err != nil {
				return fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	return nil
}

// set parses a line of settings.
func (r *ruleSet) set(fields []string) error {
	name, value := fields[0], strings.Join(fields[1:], " ")
	yes := value == "yes"
	known := yes || value == "no"
	switch name {
	case "decimal":
		known = value == "." || value == "," || value == "both"
		if known {
			r.decimal = value[0]
		}
	case "ordinal":
		i := map[string]uint8{"plain": plainOrdinal, "stop": stopOrdinal, "joined": joinedOrdinal}
		_, known = i[value]
		r.ordinal = i[value]
	case "colon":
		r.colon = yes
	case "capitals":
		r.capitals = yes
	case "ends":
		known = len(value) == 1 && value[0] < utf8.RuneSelf && !wordByte[value[0]]
		if known {
			r.ends = value[0]
		}
	default:
		return fmt.Errorf("unknown setting %q, wanted decimal, ordinal, colon, capitals or ends", name)
	}
	if !known {
		return fmt.Errorf("setting %s %q: see docs/reference/formats/token-rules.md for its values", name, value)
	}
	return nil
}

// add adds an entry to a list. An entry that begins with two minus signs is removed from the
// list.
func (r *ruleSet) add(section, entry string) error {
	off := len(entry) > 2 && strings.HasPrefix(entry, "--")
	if off {
		entry = entry[2:]
	}
	if section == "split" {
		word := strings.ReplaceAll(entry, "|", "")
		var cuts []int
		for at, rest := 0, entry; ; {
			i := strings.IndexByte(rest, '|')
			if i < 0 {
				break
			}
			at += i
			cuts = append(cuts, at)
			rest = rest[i+1:]
		}
		if len(word) > MaxEntry || len(cuts) == 0 || len(cuts) > maxCuts || strings.Contains(entry, "||") || cuts[0] == 0 || cuts[len(cuts)-1] == len(word) {
			return fmt.Errorf("split %q, wanted one to %d marks | within a word of at most %d bytes: can|not", entry, maxCuts, MaxEntry)
		}
		if off {
			delete(r.splits, word)
		} else {
			r.splits[word] = cuts
		}
		return nil
	}
	m := sections[section]
	var buf [MaxEntry + 2*utf8.UTFMax]byte
	if m&anyAbbr != 0 {
		entry = strings.TrimSuffix(entry, ".")
	}
	key := string(folded(buf[:0], entry))
	if key == "" || len(entry) > MaxEntry || len(key) > MaxEntry {
		return fmt.Errorf("entry %q, wanted one to %d bytes", entry, MaxEntry)
	}
	if off {
		if r.words[key] &^= m; r.words[key] == 0 {
			delete(r.words, key)
		}
		return nil
	}
	r.words[key] |= m
	return nil
}

// finish builds the lookup tables of the scanner.
func (r *ruleSet) finish() {
	clear(r.literals)
	r.findParts()
	for w, m := range r.words {
		if m&wholeWord == 0 {
			continue
		}
		if n := runLen(w); n > 0 && n < len(w) {
			r.literals[w[:n]] = append(r.literals[w[:n]], w[n:])
		}
	}
	for _, l := range r.literals { // the longest first
		slices.SortFunc(l, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	}
	for c := range r.literalNext { // the folded form of other bytes is not known here
		r.literalNext[c] = c >= utf8.RuneSelf
	}
	for _, list := range r.literals {
		for _, l := range list {
			r.literalNext[l[0]] = true
			r.literalNext[strings.ToUpper(l[:1])[0]] = true
		}
	}
	for c := range r.plainEnd {
		ascii := c < utf8.RuneSelf && !wordByte[c]
		r.plainEnd[c] = ascii && !r.literalNext[c] && strings.IndexByte("'-.@+:&\"", byte(c)) < 0
		r.spacedEnd[c] = ascii
		if ascii {
			r.lone[c] = loneKinds[bmp[c]]
		}
	}
	switch r.lone[r.ends] {
	case symbolToken, dashToken, pauseToken:
		r.lone[r.ends] = strongToken
	}
	for _, list := range r.literals {
		for _, l := range list {
			if len(l) == 1 {
				r.spacedEnd[l[0]] = false
			}
		}
	}
	clear(r.spots[:])
	clear(r.splitSpots[:])
	for w := range r.literals {
		setLength(&r.literalBits, w)
	}
	for w, m := range r.words {
		r.spots.add(w)
		r.proclitics = r.proclitics || m&proclitic != 0
		if m&enclitic != 0 {
			r.addEnclitic(w)
		}
		if m&(anyAbbr|abbrPart) != 0 {
			setLength(&r.abbrBits, w)
		}
	}
	for w := range r.splits {
		setLength(&r.splitBits, w)
		r.splitSpots.add(w)
	}
}

// loneKinds are the kinds of single marks by their class. Other classes have wordToken.
var loneKinds = [classes]kind{other: symbolToken, fullStop: stopToken, strong: strongToken, opening: openToken, closing: closeToken,
	quote: quoteToken, dash: dashToken, pause: pauseToken, mixed: symbolToken}

// setLength adds the length of a folded word to the lengths of its first byte.
func setLength(bits *[256]uint64, w string) {
	c, _ := utf8.DecodeRuneInString(w)
	for _, first := range []byte{w[0], string(unicode.ToUpper(c))[0]} {
		bits[first] |= 1 << len(w)
	}
}

// Values of ruleSet.enclitics.
const (
	bareEnclitic = 1 << iota // 's
	withN                    // n't
)

// addEnclitic adds a folded word to enclitics.
func (r *ruleSet) addEnclitic(w string) {
	form, at := uint8(bareEnclitic), 1
	if w[0] == 'n' {
		form, at = withN, 2
	}
	for c := range r.enclitics {
		if at >= len(w) || c >= utf8.RuneSelf || byte(unicode.ToLower(rune(c))) == w[at] { // other bytes may fold to any
			r.enclitics[c] |= form
		}
	}
}

// spots is a set of folded words by some of their bytes and their length. It may contain more words.
type spots [128]uint64

func (s *spots) add(w string) {
	i := spot(w[0], w[len(w)/2], w[len(w)-1], len(w))
	s[i/64] |= 1 << (i % 64)
}

// has reports whether s may contain a folded word of n bytes with the given first, middle and last byte.
func (s *spots) has(first, middle, last byte, n int) bool {
	i := spot(first, middle, last, n)
	return s[i/64]>>(i%64)&1 != 0
}

// hasLetters reports whether s may contain a word of ASCII letters in any case.
func (s *spots) hasLetters(w string) bool {
	return s.has(w[0]|0x20, w[len(w)/2]|0x20, w[len(w)-1]|0x20, len(w))
}

func spot(first, middle, last byte, n int) uint32 {
	return (uint32(first) | uint32(middle)<<8 | uint32(last)<<16 | uint32(n)<<24) * 0x9e3779b1 >> 19
}

// findParts marks the parts of abbreviations that may be written with spaces: "z. B." for
// "z.B.".
func (r *ruleSet) findParts() {
	var parts []string
	for w, m := range r.words {
		if m&anyAbbr != 0 && strings.IndexByte(w, '.') > 0 {
			parts = append(parts, strings.Split(w, ".")...)
		}
	}
	for _, p := range parts {
		if p != "" {
			r.words[p] |= abbrPart
		}
	}
}

// mayCut reports whether a word may be in splits, by its first byte and its length.
func (r *ruleSet) mayCut(word string) bool { return hasLength(&r.splitBits, word) }

// hasLength reports whether the folded form of a word may be among the words of [setLength].
func hasLength(bits *[256]uint64, word string) bool {
	lengths := bits[word[0]]
	return lengths != 0 && len(word) <= MaxEntry && (lengths>>len(word)&1 != 0 || !ascii(word))
}
