package langid

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// romanize returns a text in Latin letters, as people type on a keyboard that has no others. It
// returns "" for text in Latin letters and in scripts without a table. Where habits differ, one
// spelling is chosen for all of the text.
func romanize(text string, rng *rand.Rand) string {
	choice := rng.IntN(8)
	var b strings.Builder
	foreign, vowel := 0, true
	for _, r := range text {
		lower := unicode.ToLower(r)
		spellings, ok := romanized[lower]
		if !ok {
			if r >= 0x80 && unicode.IsLetter(r) {
				return ""
			}
			if !unicode.Is(unicode.M, r) {
				b.WriteRune(r)
				vowel = true
			}
			continue
		}
		foreign++
		consonant := unicode.Is(unicode.Devanagari, r) && r >= 'क' && r <= 'ह'
		if consonant && !vowel {
			b.WriteByte('a')
		}
		vowel = !consonant
		s := spellings[choice%len(spellings)]
		if lower != r && s != "" {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
		b.WriteString(s)
	}
	if foreign < 3 {
		return ""
	}
	return b.String()
}

// romanized holds the spellings of letters and vowel signs.
var romanized = func() map[rune][]string {
	m := map[rune][]string{}
	for line := range strings.SplitSeq(romanTable, "\n") {
		for entry := range strings.FieldsSeq(line) {
			letter, spellings, _ := strings.Cut(entry, "=")
			for _, r := range letter {
				m[r] = strings.Split(spellings, "/")
			}
		}
	}
	return m
}()

const romanTable = `а=a б=b в=v/w г=g/h д=d е=e/ye ё=yo/e ж=zh/j з=z и=i/y й=y/j/i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh/h/x ц=ts/c ч=ch/4 ш=sh/w щ=shch/sch/sh ъ= ы=y/i ь=/' э=e ю=yu/ju/u я=ya/ja/a
і=i ї=yi/i є=ye/e ґ=g ў=u/w ј=j љ=lj њ=nj ћ=c/ch ђ=dj џ=dz ѓ=gj ќ=kj ѕ=dz
α=a β=v/b γ=g/gh δ=d/dh ε=e ζ=z η=i/h θ=th/8 ι=i κ=k λ=l μ=m ν=n ξ=x/ks/3 ο=o π=p ρ=r σς=s τ=t υ=y/u/i φ=f/ph χ=h/ch/x ψ=ps ω=o/w ά=a έ=e ή=i/h ί=i ό=o ύ=y/u ώ=o/w ϊΐ=i ϋΰ=y
ا=a/e ب=b ت=t ث=th ج=j/g ح=h/7 خ=kh/5 د=d ذ=dh/z ر=r ز=z س=s ش=sh/ch ص=s ض=d ط=t ظ=z ع=a/3/ غ=gh/8 ف=f ق=q/k/9 ك=k ک=k ل=l م=m ن=n ه=h و=w/o/u ي=y/i/ee ی=y/i ى=a ة=a/eh ء= أ=a إ=i آ=aa ؤ=o ئ=e گ=g چ=ch پ=p ژ=zh ں=n ے=e ہ=h ھ=h ٹ=t ڈ=d ڑ=r
א=a/ ב=b/v ג=g ד=d ה=h ו=o/u/v ז=z ח=ch/h ט=t י=i/y כ=k/ch ל=l מ=m נ=n ס=s ע=a/ פ=p/f צ=ts/tz ק=k/q ר=r ש=sh ת=t ך=ch/k ם=m ן=n ף=f ץ=ts/tz
क=k ख=kh ग=g घ=gh ङ=n च=ch छ=chh ज=j झ=jh ञ=n ट=t ठ=th ड=d ढ=dh ण=n त=t थ=th द=d ध=dh न=n प=p फ=ph/f ब=b भ=bh म=m य=y र=r ल=l ळ=l व=v/w श=sh ष=sh स=s ह=h
अ=a आ=aa/a इ=i ई=ee/i उ=u ऊ=oo/u ए=e ऐ=ai ओ=o औ=au ऋ=ri ा=aa/a ि=i ी=ee/i ु=u ू=oo/u े=e ै=ai ो=o ौ=au ृ=ri ं=n/m ँ=n ः=h ्= ़=`
