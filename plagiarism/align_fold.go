package plagiarism

// lookalike returns the Latin letter with the same glyph as a small letter, or r
// itself. It is applied to all words. So a word of another script is unchanged if
// some of its letters are replaced by Latin ones.
func lookalike(r rune) rune {
	if r < 0x250 {
		return latinForm(r)
	}
	switch r {
	case 'а', 'α', 'ɑ', 'ⲁ':
		return 'a'
	case 'Ь', 'ь', 'ƅ':
		return 'b'
	case 'с', 'ϲ', 'ⲥ', 'ᴄ':
		return 'c'
	case 'ԁ', 'ɗ':
		return 'd'
	case 'е', 'ҽ', 'є', 'ε':
		return 'e'
	case 'ɡ', 'ց':
		return 'g'
	case 'һ', 'հ', 'ɦ':
		return 'h'
	case 'і', 'ι', 'ɩ', 'ӏ', 'ⲓ', 'ɪ':
		return 'i'
	case 'ј', 'ϳ', 'յ':
		return 'j'
	case 'κ', 'ⲕ', 'ᴋ':
		return 'k'
	case 'ո', 'ղ', 'η':
		return 'n'
	case 'о', 'ο', 'օ', 'ⲟ', 'σ', 'ς', 'ᴏ':
		return 'o'
	case 'р', 'ρ', 'ⲣ':
		return 'p'
	case 'ԛ', 'գ', 'զ':
		return 'q'
	case 'г', 'ⲅ':
		return 'r'
	case 'ѕ', 'ꜱ', 'ʂ':
		return 's'
	case 'τ', 'ᴛ':
		return 't'
	case 'ս', 'υ', 'ʋ', 'ᴜ':
		return 'u'
	case 'ν', 'ѵ', 'ᴠ':
		return 'v'
	case 'ԝ', 'ѡ', 'ա', 'ω', 'ᴡ':
		return 'w'
	case 'х', 'χ', 'ҳ', 'ⲭ':
		return 'x'
	case 'у', 'γ', 'ү', 'ყ', 'ʏ':
		return 'y'
	case 'ʐ', 'ᴢ':
		return 'z'
	}
	return r
}

// latinForm returns the base letter of Latin letters without decomposition.
func latinForm(r rune) rune {
	switch r {
	case 'ı':
		return 'i'
	case 'ł':
		return 'l'
	case 'ø':
		return 'o'
	case 'đ':
		return 'd'
	case 'ħ':
		return 'h'
	case 'ŧ':
		return 't'
	case 'ƒ':
		return 'f'
	}
	return r
}

// capital returns the Latin letter with the same glyph as a capital of another
// script, or r itself. The small forms often look different (В is not в), so it is
// applied only in words that mix scripts.
func capital(r rune) rune {
	switch r {
	case 'А', 'Α', 'Ꭺ':
		return 'a'
	case 'В', 'Β', 'Ᏼ':
		return 'b'
	case 'С', 'Ϲ', 'Ꮯ':
		return 'c'
	case 'Ꭰ':
		return 'd'
	case 'Е', 'Ε', 'Ꭼ':
		return 'e'
	case 'Ԍ', 'Ꮐ':
		return 'g'
	case 'Н', 'Η', 'Ꮋ':
		return 'h'
	case 'І', 'Ι', 'Ӏ':
		return 'i'
	case 'Ј', 'Ꭻ':
		return 'j'
	case 'К', 'Κ', 'Ꮶ', 'K':
		return 'k'
	case 'Ꮮ':
		return 'l'
	case 'М', 'Μ', 'Ꮇ':
		return 'm'
	case 'Ν':
		return 'n'
	case 'О', 'Ο', 'Օ':
		return 'o'
	case 'Р', 'Ρ', 'Ꮲ':
		return 'p'
	case 'Ԛ':
		return 'q'
	case 'Ѕ', 'Տ', 'Ꮪ':
		return 's'
	case 'Т', 'Τ', 'Ꭲ':
		return 't'
	case 'Ս':
		return 'u'
	case 'Ѵ', 'Ꮩ':
		return 'v'
	case 'Ԝ', 'Ꮃ':
		return 'w'
	case 'Х', 'Χ':
		return 'x'
	case 'Υ', 'Ү', 'У':
		return 'y'
	case 'Ζ', 'Ꮓ':
		return 'z'
	}
	return r
}
