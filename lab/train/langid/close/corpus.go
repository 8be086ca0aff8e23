package close

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/internal/archive"
	"chaffinch/text/langid/close"
)

// Group is a group of close languages to train.
type Group struct {
	Name    string       `json:"name"`
	Members []string     `json:"members"`
	Parts   []close.Part `json:"parts,omitempty"`
	// Variety is the language whose varieties the members are, or "".
	Variety string `json:"variety,omitempty"`
	// Features is the number of features. Default: Config.Features.
	Features int `json:"features,omitempty"`
}

// defaultGroups lists the groups of the embedded model. Members without text are omitted, and groups
// with fewer than two members. A language is in one group; a variety may also be in a group of
// varieties.
var defaultGroups = []Group{
	{Name: "nordic", Members: []string{"da", "nb", "nn", "sv"}, Parts: []close.Part{{Tag: "no", Of: []string{"nb", "nn"}}}, Features: 30_000},
	{Name: "south-slavic", Members: []string{"bs", "cnr", "hr", "sl", "sr-Latn"}, Parts: []close.Part{{Tag: "sh", Of: []string{"bs", "cnr", "hr", "sr-Latn"}}}, Features: 45_000},
	{Name: "malay", Members: []string{"id", "ms"}, Parts: []close.Part{{Tag: "poz", Of: []string{"id", "ms"}}}, Features: 30_000},
	{Name: "iberian", Members: []string{"ast", "ca", "es", "gl", "oc", "pt"}, Features: 25_000},
	{Name: "cs-sk", Members: []string{"cs", "sk"}, Features: 12_000},
	{Name: "cyrillic", Members: []string{"be", "bg", "mk", "ru", "sr", "uk"}, Features: 15_000},
	{Name: "chinese", Members: []string{"yue", "zh-Hans", "zh-Hant"}, Features: 12_000},
	{Name: "arabic", Members: []string{"ckb", "fa", "ps", "ur"}, Features: 8000},
	{Name: "devanagari", Members: []string{"hi", "mr", "ne"}, Features: 10_000},
	{Name: "nguni", Members: []string{"ss", "xh", "zu"}, Features: 10_000},
	{Name: "pt-varieties", Members: []string{"pt-BR", "pt-PT"}, Variety: "pt", Features: 40_000},
	{Name: "en-varieties", Members: []string{"en-GB", "en-US"}, Variety: "en", Features: 10_000},
}

// Corpus is text by language and source.
type Corpus struct {
	lines map[string]map[string][]string // by language and source
	sum   hash.Hash
}

// SHA256 returns the SHA-256 of the text in the order of addition.
func (c *Corpus) SHA256() string {
	if c.sum == nil {
		c.sum = sha256.New()
	}
	return hex.EncodeToString(c.sum.Sum(nil))
}

// Read adds the files *.txt of a folder or an archive, one line per sentence. The path
// SOURCE/txt/TAG.txt or SOURCE/TAG.txt gives the source and the language. tag, if not "", is the
// language of all files. Read returns the files skipped because their names contain no language.
func (c *Corpus) Read(name, tag string) (skipped []string, err error) {
	taken := 0
	err = archive.Walk(name, func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		source, file := path.Split(strings.TrimSuffix(p, ".txt"))
		source = strings.TrimSuffix(strings.TrimSuffix(source, "/"), "/txt")
		t, err := language.Raw.Parse(file)
		if tag != "" {
			t, err = language.Raw.Parse(tag)
		}
		if err != nil {
			skipped = append(skipped, p)
			return nil
		}
		taken++
		return c.Add(source, t.String(), r)
	})
	if err == nil && taken == 0 {
		err = fmt.Errorf("%s: no language in file names: wanted SOURCE/txt/TAG.txt such as news/txt/pt-BR.txt", name)
	}
	return skipped, err
}

// Add adds the lines of a text.
func (c *Corpus) Add(source, tag string, r io.Reader) error {
	if c.lines == nil {
		c.lines = map[string]map[string][]string{}
	}
	if c.lines[tag] == nil {
		c.lines[tag] = map[string][]string{}
	}
	c.SHA256() // initialises the hash
	in := bufio.NewScanner(io.TeeReader(r, c.sum))
	in.Buffer(make([]byte, 1<<16), 1<<24)
	for in.Scan() {
		if line := strings.TrimSpace(in.Text()); line != "" {
			c.lines[tag][source] = append(c.lines[tag][source], line)
		}
	}
	return in.Err()
}

// tags returns the languages of the text, for messages.
func (c *Corpus) tags() string {
	if len(c.lines) == 0 {
		return "no language"
	}
	return strings.Join(slices.Sorted(maps.Keys(c.lines)), ", ")
}

// groups returns the groups with text of two or more members, without the other members. If list is
// empty, these are defaultGroups, and a group of each other language with text of two regions.
func (c *Corpus) groups(list []Group) (out []Group) {
	varieties := map[string][]string{}
	if len(list) == 0 {
		list = slices.Clone(defaultGroups)
		for _, tag := range slices.Sorted(maps.Keys(c.lines)) {
			if lang, ok := withoutRegion(tag); ok && !slices.ContainsFunc(list, func(g Group) bool { return slices.Contains(g.Members, tag) }) {
				varieties[lang] = append(varieties[lang], tag)
			}
		}
	}
	for _, lang := range slices.Sorted(maps.Keys(varieties)) {
		list = append(list, Group{Name: lang + "-regions", Members: varieties[lang], Variety: lang})
	}
	for _, g := range list {
		g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(tag string) bool { return len(c.sources(tag)) == 0 })
		if len(g.Members) > 1 && len(g.Members) <= close.MaxMembers {
			out = append(out, g)
		}
	}
	return out
}

// withoutRegion returns a tag without its region. ok reports whether it has one.
func withoutRegion(tag string) (lang string, ok bool) {
	i := strings.LastIndexByte(tag, '-')
	if i < 0 || len(tag)-i > 4 { // a script has four letters
		return tag, false
	}
	return tag[:i], true
}

// sources returns the text of a language by source, with that of its regions.
func (c *Corpus) sources(tag string) map[string][]string {
	out := maps.Clone(c.lines[tag])
	if out == nil {
		out = map[string][]string{}
	}
	for _, t := range slices.Sorted(maps.Keys(c.lines)) {
		if lang, ok := withoutRegion(t); ok && lang == tag {
			for s, lines := range c.lines[t] {
				out[s] = append(out[s][:len(out[s]):len(out[s])], lines...)
			}
		}
	}
	return out
}

// texts returns the text of the members of a group.
func (c *Corpus) texts(g *Group) (out []text) {
	for m, tag := range g.Members {
		sources := c.sources(tag)
		for _, s := range slices.Sorted(maps.Keys(sources)) {
			out = append(out, text{m, s, sources[s]})
		}
	}
	slices.SortStableFunc(out, func(a, b text) int { return strings.Compare(a.source, b.source) })
	return out
}
