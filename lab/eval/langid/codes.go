package langid

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// textTags holds the languages of files whose names are ambiguous or misleading. The codes are
// those of NTREX.
var textTags = map[string]string{
	"por":      "pt-PT", // beside por-BR
	"zho-CN":   "zh-Hans",
	"zho-TW":   "zh-Hant",
	"spa-ref2": "es", // a second translation
	"gsw-BE":   "gsw",
	"gsw-ZH":   "gsw",
}

// folds maps tags to the language that they are counted as: members that represent their
// macrolanguage, other names of the same language, withdrawn tags.
var folds = map[string]string{
	"arb": "ar", "azj": "az", "cmn": "zh", "ekk": "et", "khk": "mn", "lvs": "lv", "npi": "ne",
	"ory": "or", "plt": "mg", "swh": "sw", "uzn": "uz", "zsm": "ms", "gaz": "om", "ydd": "yi",
	"als": "sq", "fuc": "ff", "pbt": "ps", "ayr": "ay", "gug": "gn", "hmn": "mww", "twi": "ak", "tw": "ak",
	"pes": "fa", "prs": "fa", // Persian of Iran and of Afghanistan
	"tl": "fil", "no": "nb", "ku": "kmr", "sh": "sr", "hbs": "sr",
	"pnb": "lah", "mhr": "chm", "bcl": "bik", "dik": "din", "diq": "zza", "ttq": "tmh", "bxr": "bua", "rmy": "rom", "kng": "kg",
	"fuv": "ff", "fuf": "ff", "fub": "ff", "quy": "qu", "quz": "qu", "knc": "kr", "ike": "iu", "ojb": "oj", "pbu": "ps", "gax": "om",
	"in": "id", "iw": "he", "jw": "jv", "mo": "ro",
}

// Foldings describes the equivalences of [Fold] for reports.
const Foldings = "ISO 639-3 codes are read as BCP 47 tags; scripts and regions do not count, but in the groups zh, pt and en; " +
	"a macrolanguage and the member that represents it are one (ar arb, fa pes prs, ms zsm, sw swh, zh cmn, kmr ku, ...); " +
	"so are nb and no, fil and tl, sr and sh; yue, nn, bs, hr and cnr are separate languages"

// Fold returns the language that a tag or code is counted as, such as "ar" for "arb-SA". It returns
// "" for an empty or undetermined tag and for no language.
func Fold(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-")), "-")
	if f, ok := folds[base]; ok {
		return f
	}
	b, err := language.ParseBase(base)
	if err != nil {
		return ""
	}
	base = b.String()
	switch base {
	case "und", "zxx", "mul", "mis":
		return ""
	}
	if f, ok := folds[base]; ok {
		return f
	}
	return base
}

// variety is [Fold], but distinguishes the scripts of Chinese, the Portuguese of Portugal and Brazil,
// and British and American English: "zh-Hans", "zh-Hant", "pt-PT", "pt-BR", "en-GB", "en-US"; "zh",
// "pt" and "en" if the tag does not specify it.
func variety(tag string) string {
	f := Fold(tag)
	if f != "zh" && f != "pt" && f != "en" {
		return f
	}
	_, rest, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	for part := range strings.SplitSeq(rest, "-") {
		switch {
		case f == "zh" && (part == "hans" || part == "cn" || part == "sg"):
			return "zh-Hans"
		case f == "zh" && (part == "hant" || part == "tw" || part == "hk" || part == "mo"):
			return "zh-Hant"
		case f == "en" && (part == "gb" || part == "us"):
			return "en-" + strings.ToUpper(part)
		case f == "pt" && (part == "pt" || part == "br"):
			return "pt-" + strings.ToUpper(part)
		}
	}
	return f
}

// textTag returns the tag of a text file by its name without suffix, or "" if it is not a language.
func textTag(code string) string {
	if t, ok := textTags[code]; ok {
		return t
	}
	if code == noLanguage || strings.HasPrefix(code, noLanguage+"-") {
		return noLanguage
	}
	if Fold(code) == "" {
		return ""
	}
	return variety(code)
}

// noLanguage is the tag of text that is in no language, or in none that a program may name.
const noLanguage = "zxx"

// Group is a set of languages that are often confused.
type Group struct {
	Name string
	// Langs holds tags as returned by variety.
	Langs []string
}

// Groups lists the groups in reports.
var Groups = []Group{
	{"cs sk", []string{"cs", "sk"}},
	{"hr sr bs", []string{"hr", "sr", "bs"}},
	{"da nb nn sv", []string{"da", "nb", "nn", "sv"}},
	{"es gl pt ca ast oc", []string{"es", "gl", "pt", "ca", "ast", "oc"}},
	{"id ms", []string{"id", "ms"}},
	{"bg mk", []string{"bg", "mk"}},
	{"ru uk be", []string{"ru", "uk", "be"}},
	{"fa ps ckb ur", []string{"fa", "ps", "ckb", "ur"}},
	{"hi mr ne", []string{"hi", "mr", "ne"}},
	{"zu xh ss nr", []string{"zu", "xh", "ss", "nr"}},
	{"English", []string{"en-GB", "en-US"}},
	{"Chinese", []string{"zh-Hans", "zh-Hant", "yue"}},
	{"Portuguese", []string{"pt-PT", "pt-BR"}},
}

// in returns the index of a variety in the group, or of its language, -1 if it is not there.
func (g *Group) in(variety string) int {
	if i := slices.Index(g.Langs, variety); i >= 0 {
		return i
	}
	return slices.Index(g.Langs, Fold(variety))
}
