package langid

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/internal/settings"
)

// Tag returns the BCP 47 tag of a language given by its English name, such as "english" or
// "Scottish Gaelic". It returns any other string unchanged.
func Tag(name string) string {
	return cmp.Or(tags[strings.ToLower(strings.Join(strings.Fields(name), " "))], name)
}

// ParseTag returns the BCP 47 tag of a language given by its tag or English name. It returns an
// error with a hint if s is neither. A well-formed tag of an unknown language is accepted.
func ParseTag(s string) (string, error) {
	tag := Tag(s)
	if _, err := language.Parse(tag); err == nil || errors.As(err, new(language.ValueError)) {
		return tag, nil
	}
	hint := "wanted a tag such as en or pt-BR, or an English name such as french"
	if near := settings.Nearest(s, Names()); near != "" {
		hint = fmt.Sprintf("did you mean %s (%s)?", near, Tag(near))
	}
	return "", fmt.Errorf("%q is not a language: %s", s, hint)
}

// Names returns the names that [Tag] accepts, sorted.
func Names() []string { return slices.Sorted(maps.Keys(tags)) }

// tags maps English names of languages to tags.
var tags = map[string]string{
	"abkhaz": "ab", "abkhazian": "ab", "afrikaans": "af", "akan": "ak", "albanian": "sq", "amharic": "am", "arabic": "ar", "armenian": "hy", "assamese": "as", "asturian": "ast",
	"aymara": "ay", "azerbaijani": "az", "bambara": "bm", "bangla": "bn", "basa": "bas", "basque": "eu", "belarusian": "be", "bengali": "bn", "bislama": "bi", "bosnian": "bs", "breton": "br",
	"bulgarian": "bg", "burmese": "my", "cantonese": "yue", "castilian": "es", "catalan": "ca", "central kurdish": "ckb", "chamorro": "ch", "chichewa": "ny", "chin": "cnh", "chinese": "zh",
	"chuvash": "cv", "corsican": "co", "croatian": "hr", "czech": "cs", "danish": "da", "dhivehi": "dv", "dutch": "nl", "english": "en", "esperanto": "eo", "estonian": "et",
	"ewe": "ee", "faroese": "fo", "farsi": "fa", "fijian": "fj", "filipino": "tl", "finnish": "fi", "flemish": "nl", "french": "fr", "frisian": "fy", "fula": "ff", "fulah": "ff",
	"gaelic": "gd", "galician": "gl", "ganda": "lg", "georgian": "ka", "german": "de", "greek": "el", "greenlandic": "kl", "guarani": "gn", "gujarati": "gu", "haitian": "ht", "haitian creole": "ht",
	"hakha chin": "cnh", "hausa": "ha", "hebrew": "he", "hindi": "hi", "hungarian": "hu", "icelandic": "is", "ido": "io", "igbo": "ig", "indonesian": "id", "interlingua": "ia", "inuktitut": "iu",
	"irish": "ga", "irish gaelic": "ga", "italian": "it", "japanese": "ja", "javanese": "jv", "kabyle": "kab", "kannada": "kn", "kanuri": "kr", "kazakh": "kk", "khmer": "km", "kinyarwanda": "rw",
	"kirundi": "rn", "kongo": "kg", "korean": "ko", "kurdish": "ku", "kurmanji": "ku", "kyrgyz": "ky", "lao": "lo", "latin": "la", "latvian": "lv", "lingala": "ln", "lithuanian": "lt",
	"luganda": "lg", "luxembourgish": "lb", "macedonian": "mk", "malagasy": "mg", "malay": "ms", "malayalam": "ml", "maldivian": "dv", "maltese": "mt", "mandarin": "zh", "maori": "mi", "māori": "mi",
	"marathi": "mr", "marshallese": "mh", "mongolian": "mn", "moldovan": "ro", "navajo": "nv", "ndebele": "nr", "ndonga": "ng", "nepali": "ne", "northern sami": "se", "norwegian": "no",
	"norwegian bokmål": "nb", "bokmål": "nb", "bokmal": "nb", "norwegian nynorsk": "nn", "nynorsk": "nn", "nyanja": "ny", "nuosu": "ii", "occitan": "oc", "odia": "or", "ojibwe": "oj", "oriya": "or",
	"oromo": "om", "ossetian": "os", "ossetic": "os", "pashto": "ps", "persian": "fa", "polish": "pl", "portuguese": "pt", "punjabi": "pa", "quechua": "qu", "romanian": "ro", "romansh": "rm",
	"rundi": "rn", "russian": "ru", "sakha": "sah", "sami": "se", "samoan": "sm", "sango": "sg", "sanskrit": "sa", "sardinian": "sc", "scottish gaelic": "gd", "serbian": "sr", "shona": "sn",
	"sichuan yi": "ii", "simplified chinese": "zh-Hans", "sindhi": "sd", "sinhala": "si", "slovak": "sk", "slovene": "sl", "slovenian": "sl", "somali": "so", "sorani": "ckb", "sorbian": "hsb", "sotho": "st",
	"spanish": "es", "sundanese": "su", "swahili": "sw", "swati": "ss", "swazi": "ss", "swedish": "sv", "tagalog": "tl", "tahitian": "ty", "tajik": "tg", "tamil": "ta", "tatar": "tt", "telugu": "te",
	"thai": "th", "tibetan": "bo", "tigrinya": "ti", "tongan": "to", "traditional chinese": "zh-Hant", "tsonga": "ts", "tswana": "tn", "turkish": "tr", "turkmen": "tk", "twi": "ak", "ukrainian": "uk",
	"upper sorbian": "hsb", "urdu": "ur", "uyghur": "ug", "uighur": "ug", "uzbek": "uz", "venda": "ve", "vietnamese": "vi", "votic": "vot", "walloon": "wa", "welsh": "cy", "west frisian": "fy", "wolof": "wo",
	"xhosa": "xh", "yakut": "sah", "yiddish": "yi", "yoruba": "yo", "zulu": "zu",
}
