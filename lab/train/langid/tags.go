package langid

import (
	"strings"

	"golang.org/x/text/language"
)

// tags maps names of training files to languages if the standard tables give another result; ""
// means text without a class.
var tags = map[string]string{
	"zh-CN": "zh-Hans", "zh-TW": "zh-Hant", "zh-HK": "yue", "zh_CN": "zh-Hans", "cmn_hans": "zh-Hans", "cmn_hant": "zh-Hant",
	"nob": "nb", "nb": "nb", "nb-NO": "nb", "fy-NL": "fy", "no": "nb", "nno": "nn", "als": "sq", "pes_1": "fa", "pes_2": "", "prs": "",
	"sr@latin": "sr-Latn", "srp_latn": "sr-Latn", "srp_cyrl": "sr", "bos_latn": "bs", "bos_cyrl": "", "hbs": "",
	"kmr": "ku", "tl": "tl", "tgl": "tl", "fil": "tl", "rm-sursilv": "rm", "rm-vallader": "rm", "roh": "rm",
	"ell_polytonic": "el", "ell_monotonic": "el",
	"azj_latn": "az", "azj_cyrl": "az-Cyrl", "uzn_latn": "uz", "uzn_cyrl": "uz-Cyrl", "tuk_latn": "tk", "tuk_cyrl": "",
	"uig_arab": "ug", "uig_latn": "", "mly_latn": "ms", "mly_arab": "ms-Arab", "hau_NG": "ha", "hau_NE": "ha",
	"khk": "mn", "khk_mong": "mn-Mong", "aka_akuapem": "ak", "aka_asante": "ak", "aka_fante": "fat", "fat": "fat", "nya_chechewa": "ny", "nya_chinyanja": "ny",
	"ayr": "ay", "arb": "ar", "lvs": "lv", "ekk": "et", "swh": "sw", "npi": "ne", "ory": "or", "plt": "mg", "ydd": "yi", "gug": "gn", "quy": "qu", "quz": "qu",
	"fuc": "ff", "fuv": "ff", "fuv-Latn": "ff", "fuf": "ff", "fub": "ff", "fuh": "ff", "fuq": "ff", "deu_1901": "", "ron_1953": "ro", "ron_1993": "ro", "hat_popular": "ht", "hat_kreyol": "ht", "tgl_tglg": "",
	"lat_1": "la", "hsf": "hus", "tzm_tfng": "zgh", "zro": "", "src": "sc", "ike": "iu", "ojb": "oj", "knc": "kr", "chr": "chr",
	"tso_MZ": "", "lin_tones": "", "kng_AO": "", "kng": "kg", "cjk_AO": "", "acu_1": "", "rmn_1": "", "emk": "", "gaa": "gaa",
	"zul": "zu", "div": "dv", "fry": "fy", "iii": "ii", "gle": "ga", "bod": "bo", "run": "rn", "pbu": "ps", "gax": "om",
	"chr_cased": "chr", "chr_uppercase": "chr", "hea": "hea",
	"pcm":   "", // its text is mostly English
	"oci_1": "oc", "oci_2": "oc", "oci_3": "oc", "oci_4": "oc", "ron_2006": "ro", "urd_2": "ur", "eml": "",
}

// tagOf returns the BCP 47 tag for the name of a training file, with script and region. It reports
// whether the name is a language.
func tagOf(name string) (tag string, ok bool) {
	if t, ok := tags[name]; ok {
		return t, t != ""
	}
	name, _, _ = strings.Cut(name, "@")
	t, err := language.All.Parse(name)
	if err != nil {
		return "", false
	}
	base, script, region := t.Raw()
	if base.String() == "und" {
		return "", false
	}
	tag = base.String()
	if s := script.String(); s != "Zzzz" {
		tag += "-" + s
	}
	if r := region.String(); r != "ZZ" {
		tag += "-" + r
	}
	return tag, true
}

// withoutRegion returns a tag without its region subtag, and the region. region is "" if the tag has
// none.
func withoutRegion(tag string) (lang, region string) {
	i := strings.LastIndexByte(tag, '-')
	if i < 0 || len(tag)-i > 4 { // a script has four letters
		return tag, ""
	}
	return tag[:i], tag[i+1:]
}
