package langid

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"chaffinch/internal/settings"
)

// namesTable lists languages: the tag, the English name and other names, separated by tabs. The English
// names are from the IANA language subtag registry. Large languages also have their own names.
//
//go:embed names.tsv
var namesTable string

// names holds the names of the languages in namesTable. They are parsed on first use.
var names = sync.OnceValue(func() (n struct {
	byTag map[string]string
	tags  map[string]string // by name in lower case
}) {
	n.byTag, n.tags = map[string]string{}, map[string]string{}
	for line := range strings.Lines(namesTable) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n.byTag[f[0]] = f[1]
		for _, name := range f[1:] {
			name = strings.ToLower(name)
			if len(name) <= 3 && !isCode(name, f[0]) { // the code of another language
				continue
			}
			if have := n.tags[name]; have == "" || len(f[0]) < len(have) {
				n.tags[name] = f[0]
			}
		}
	}
	return n
})

// isCode reports whether name is a code of the language of tag, or of no language.
func isCode(name, tag string) bool {
	t, err := language.Parse(name)
	base, _ := t.Base()
	return err != nil || base.String() == tag
}

// scriptNames and regionNames hold the English names of scripts and regions in tags.
var (
	scriptNames = map[string]string{"Arab": "Arabic", "Cans": "Canadian syllabics", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Ethi": "Ethiopic", "Grek": "Greek", "Guru": "Gurmukhi",
		"Hans": "simplified", "Hant": "traditional", "Hebr": "Hebrew", "Latn": "Latin", "Mong": "Mongolian", "Mymr": "Burmese", "Nkoo": "N’Ko", "Olck": "Ol Chiki", "Tfng": "Tifinagh", "Tibt": "Tibetan"}
	regionNames = map[string]string{"AR": "Argentina", "AT": "Austria", "AU": "Australia", "BA": "Bosnia and Herzegovina", "BE": "Belgium", "BR": "Brazil", "CA": "Canada", "CH": "Switzerland", "CN": "China",
		"DE": "Germany", "ES": "Spain", "FR": "France", "GB": "United Kingdom", "HK": "Hong Kong", "HR": "Croatia", "IE": "Ireland", "IN": "India", "ME": "Montenegro", "MX": "Mexico", "PT": "Portugal",
		"RS": "Serbia", "TW": "Taiwan", "US": "United States", "ZA": "South Africa"}
)

// Name returns the English name of a language given by its BCP 47 tag, such as "Nynorsk" or "Serbian,
// Latin". It returns "" if the language is unknown.
func Name(tag string) string {
	switch tag {
	case Undetermined:
		return "undetermined"
	case NoLanguage:
		return "no language"
	}
	if name := names().byTag[tag]; name != "" {
		return name
	}
	base, rest, _ := strings.Cut(tag, "-")
	name := names().byTag[base]
	if name == "" || rest == "" {
		return name
	}
	for sub := range strings.SplitSeq(rest, "-") {
		name += ", " + cmp.Or(scriptNames[sub], regionNames[sub], sub)
	}
	return name
}

// Label returns the English name of a language and its tag, such as "Nynorsk (nn)". It returns the
// tag alone if the language is unknown.
func Label(tag string) string {
	if name := Name(tag); name != "" {
		return name + " (" + tag + ")"
	}
	return tag
}

// labels returns the Label of each tag, separated by commas.
func labels(tags []string) string {
	var l []string
	for _, t := range tags {
		l = append(l, Label(t))
	}
	return strings.Join(l, ", ")
}

// Tag returns the BCP 47 tag of a language given by its English name, such as "english" or
// "Scottish Gaelic". It returns any other string unchanged.
func Tag(name string) string {
	return cmp.Or(names().tags[strings.ToLower(strings.Join(strings.Fields(name), " "))], name)
}

// ParseTag returns the BCP 47 tag of a language given by its tag or English name. It returns an
// error with a hint if s is neither. Unknown scripts, regions and variants in a tag are accepted.
func ParseTag(s string) (string, error) {
	tag := Tag(s)
	base, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	if t, err := language.Parse(tag); err == nil || errors.As(err, new(language.ValueError)) {
		if lang, _, _ := t.Raw(); lang.String() != Undetermined || strings.EqualFold(base, Undetermined) || base == "x" {
			return tag, nil
		}
	}
	hint := "wanted a tag such as en or pt-BR, or an English name such as french"
	if near := settings.Nearest(s, Names()); near != "" {
		hint = fmt.Sprintf("did you mean %s?", Label(Tag(near)))
	}
	return "", fmt.Errorf("%q is not a language: %s", s, hint)
}

// Canonical returns the canonical tag of a language that a document states as a tag, a locale or an
// English name, such as "de-AT" for "de_at". Well-formed tags that are not registered are unchanged.
// For other values it returns "".
func Canonical(stated string) string {
	if len(stated) == 2 && strings.Trim(stated, "abcdefghijklmnopqrstuvwxyz") == "" || names().byTag[stated] != "" {
		return stated
	}
	tag, err := language.Parse(strings.ReplaceAll(Tag(stated), "_", "-"))
	if err == nil {
		return tag.String()
	}
	if _, unregistered := err.(language.ValueError); unregistered {
		return stated
	}
	return ""
}

// Names returns the names that [Tag] accepts, sorted.
func Names() []string { return slices.Sorted(maps.Keys(names().tags)) }
