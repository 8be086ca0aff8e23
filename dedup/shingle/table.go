package shingle

import (
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"

	"golang.org/x/text/unicode/norm"
)

// class is the class of a character for the scanner.
type class uint8

const (
	ends     class = iota // between tokens
	letter                // goes into a word
	mark                  // goes with the token before
	quote                 // within a word between letters
	point                 // within a number between digits
	alone                 // a separate token
	hiragana              // separate runs
	katakana
	cut  // scripts that are cut by content
	gone // skipped
)

// entry describes a character: its class in the lowest 4 bits, the length of its
// folded form in the next 5, and the offset of that form in the blob of its block. Length 0
// means that it folds to itself.
type entry uint32

func newEntry(c class, length, at int) entry { return entry(c) | entry(length)<<4 | entry(at)<<9 }

func (e entry) class() class { return class(e & 15) }
func (e entry) length() int  { return int(e >> 4 & 31) }
func (e entry) at() int      { return int(e >> 9) }

// table holds the entries of the basic plane, in blocks that are filled at the first use.
type table struct {
	cfg     Config
	ascii   [256]byte            // folded letters of ASCII, 0 for all other bytes
	classes [utf8.RuneSelf]class // classes of ASCII
	lower   uint64               // the bit that folds a letter of ASCII, in each byte
	blocks  [1 << (16 - blockBits)]atomic.Pointer[block]
}

// blockBits is the number of bits of the position of a character in its block.
const blockBits = 8

// block holds the entries of successive characters and their folded forms.
type block struct {
	entries [1 << blockBits]entry
	blob    []byte
}

func (t *table) at(c byte) class {
	if c >= utf8.RuneSelf {
		return letter
	}
	return t.classes[c]
}

// entry returns the entry of r. Characters beyond the basic plane do not fold.
func (t *table) entry(r rune) entry {
	if r >= 1<<16 {
		return newEntry(t.cfg.classOf(r), 0, 0)
	}
	return t.block(r).entries[r&(1<<blockBits-1)]
}

// block returns the block of a character of the basic plane.
func (t *table) block(r rune) *block {
	if b := t.blocks[r>>blockBits].Load(); b != nil {
		return b
	}
	return t.fill(r >> blockBits)
}

// fill makes a block. Several goroutines may make the same one.
func (t *table) fill(number rune) *block {
	b := new(block)
	first := number << blockBits
	for i := range b.entries {
		r := first + rune(i)
		if i > 0 && isUniform(r-1, r) {
			b.entries[i] = newEntry(b.entries[i-1].class(), 0, 0)
			continue
		}
		b.enter(i, t.cfg.classOf(r), string(r), t.cfg.foldRune(r))
	}
	t.blocks[number].Store(b)
	return b
}

// enter enters character i of a block.
func (b *block) enter(i int, c class, raw, folded string) {
	if folded == raw {
		b.entries[i] = newEntry(c, 0, 0)
		return
	}
	b.entries[i] = newEntry(c, len(folded), len(b.blob))
	b.blob = append(b.blob, folded...)
}

// fold writes the folded form of character r, whose entry is e, into buf; raw holds the character.
func (t *table) fold(r rune, e entry, buf, raw []byte) int {
	n := e.length()
	if n == 0 {
		return copy(buf, raw)
	}
	return copy(buf, t.block(r).blob[e.at():][:n])
}

var (
	tablesLock sync.Mutex
	tables     = map[Config]*table{}
)

// tableFor returns the table of a configuration, which all its shinglers share.
func tableFor(cfg Config) *table {
	cfg.N, cfg.DropPunct, cfg.FoldTokens = 0, false, false
	tablesLock.Lock()
	defer tablesLock.Unlock()
	t := tables[cfg]
	if t == nil {
		t = newTable(cfg)
		tables[cfg] = t
	}
	return t
}

func newTable(cfg Config) *table {
	t := &table{cfg: cfg}
	for c := range byte(utf8.RuneSelf) {
		e := t.entry(rune(c))
		if t.classes[c] = e.class(); t.classes[c] == letter {
			t.ascii[c] = c
			if e.length() == 1 {
				t.ascii[c] = t.block(0).blob[e.at()]
			}
		}
	}
	t.lower = uint64('A'^t.ascii['A']) * swar.Ones
	return t
}

// uniform lists ranges of characters of one class that fold to themselves, more than half of the
// basic plane: Han and private use.
var uniform = [...][2]rune{{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xe000, 0xf8ff}}

// isUniform reports whether first and last are in the same uniform range.
func isUniform(first, last rune) bool {
	for _, u := range uniform {
		if u[0] <= first && last <= u[1] {
			return true
		}
	}
	return false
}

// foldRune returns the string that replaces r when tokens are compared.
func (cfg *Config) foldRune(r rune) string {
	s := string(r)
	if cfg.Canonical {
		s = norm.NFD.String(s)
	}
	out := make([]rune, 0, 4)
	for _, x := range s {
		if cfg.Lower {
			x = lower(x)
		}
		if cfg.Canonical && x == '’' {
			x = '\''
		}
		out = append(out, x)
	}
	return string(out)
}

// lower returns the smallest lower-case letter that r folds with.
func lower(r rune) rune {
	least := unicode.ToLower(r)
	for x := unicode.SimpleFold(r); x != r; x = unicode.SimpleFold(x) {
		if x < least && unicode.ToLower(x) == x {
			least = x
		}
	}
	return least
}

func isLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.M) }

// classOf returns the class of a character.
func (cfg *Config) classOf(r rune) class {
	space := unicode.IsSpace(r)
	switch {
	case cfg.Unit == Char:
		if space {
			return ends
		}
		return letter
	case space:
		return ends
	case r == '\u200b' || r == '\ufeff':
		return ends
	case r == '\'' || r == '’':
		return quote
	case r == '.' || r == ',':
		return point
	case r == utf8.RuneError || r == '_':
		return letter
	case r == '\u3005' || r == '\u303b' || r == '\u30fc': // repeat or lengthen the preceding character
		return mark
	case unicode.Is(unicode.Cf, r):
		return gone
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.Han, r):
		return alone
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r):
		return katakana
	case unicode.IsLetter(r) && runes.IsUnspaced(r):
		return cut
	case unicode.IsLetter(r) || unicode.Is(unicode.N, r):
		return letter
	}
	return ends
}
