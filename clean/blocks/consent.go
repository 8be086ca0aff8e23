package blocks

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// Consent dialogs are long, written in full sentences, and on many sites in elements whose names
// have no meaning. Their words identify them in any language: a block is about consent if its first
// and last words contain a word of consentNouns and at least one other word of consentNouns or
// consentTerms. An element of which such blocks are the largest part is a consent dialog.
const (
	minConsentBlocks = 2
	consentShare     = .5 // minimum share of the words of a dialog in blocks about consent
	maxConsentShare  = .6 // maximum share of the words of the page in a dialog
)

// consentNouns are the words for cookies and consent, in 25 languages.
const consentNouns = `
cookie cookies consent consents gdpr ccpa tcf iab opt
einwilligung einwilligungen einwilligen zustimmung zustimmen
consentement traceurs
consentimiento consenso consentimento
toestemming instemming
ciasteczka ciasteczek zgoda zgodę zgody zgodą
souhlas souhlasem souhlasu souhlasím súhlas súhlasom súhlasu
kakor samtycke samtycker samtykke informasjonskapsler informasjonskapslene
evästeet evästeitä evästeiden suostumus suostumuksen suostumuksesi
sütik sütiket hozzájárulás hozzájárulását hozzájárulok
consimțământ consimțământul consimțământului
бисквитки бисквитките съгласие съгласието
συγκατάθεση συγκατάθεσή
куки согласие согласия згоду згода
çerez çerezler çerezleri çerezlerin rıza
kolačići kolačiće kolačića privolu privola suglasnost piškotki piškotke piškotkov soglasje
slapukai slapukus slapukų sutikimas sutikimą
sīkdatnes sīkdatņu piekrišana küpsised küpsiseid nõusolek nõusoleku
persetujuan`

// consentTerms are other words of consent dialogs.
const consentTerms = `
partners partner vendors vendor privacy preferences personalised personalized advertising legitimate purposes
identifiers trackers withdraw accept reject storage device analytics targeting
partnern drittanbieter datenschutz datenschutzerklärung personalisierte endgerät verarbeitung zwecke anzeigen widerrufen
partenaires finalités personnalisés personnalisée confidentialité appareil accepter refuser légitime
socios proveedores privacidad personalizados dispositivo finalidades aceptar rechazar legítimo
fornitori trattamento personalizzati personalizzata finalità dispositivo accettare rifiutare
parceiros privacidade personalizados dispositivo aceitar
gepersonaliseerde voorkeuren apparaat accepteren doeleinden
partnerzy partnerów partnerami partnerom przetwarzania przetwarzanie przetwarzać osobowych prywatności urządzeniu akceptuję celach
partneři partnery soukromí zařízení osobních údajů partnermi súkromia zariadení
integritet enhet ändamål partnere privatliv personvern formål enhed
kumppanit kumppanimme tietosuoja laitteella mainontaa
partnereink adatvédelmi eszközön személyre
partenerii parteneri confidențialitate dispozitiv
партньори устройство поверителност
συνεργάτες απορρήτου συσκευή δεδομένων
партнеры партнери данных даних конфиденциальности файлы файли
ortaklarımız gizlilik kişiselleştirilmiş cihaz
partnerima privatnosti zasebnosti partnerjev
partneriai partneriais privatumo partneri privātuma partnerid privaatsuse
privasi mitra`

// consentPrograms are parts of class and id attributes that consent programs use.
const consentPrograms = `
onetrust optanon didomi cybot cookiebot usercentrics iubenda klaro borlabs cmplz tarteaucitron axeptio osano evidon
termly cky cookieyes trustarc truste cookieconsent cmpbox quantcast cookiefirst`

// consentParts holds the hashes of the words of consentPrograms, and the set of their upper 10
// bits.
var consentParts = func() (p struct {
	tokens []uint32
	maybe  [1 << 10 / 64]uint64
}) {
	p.tokens = appendTokens(nil, consentPrograms, 0)
	for _, t := range p.tokens {
		p.maybe[t>>28] |= 1 << (t >> 22 & 63)
	}
	return p
}()

// isConsentPart reports whether a token is a word of consentPrograms.
func isConsentPart(t uint32) bool {
	return consentParts.maybe[t>>28]>>(t>>22&63)&1 != 0 && slices.Contains(consentParts.tokens, t)
}

// isProgram reports whether an element with these parts of class and id attributes belongs to a
// consent program. The elements around the content of a page can have the same attributes.
func isProgram(name string, tokens []uint32) bool {
	return slices.ContainsFunc(tokens, isConsentPart) && name != "html" && name != "body" && name != "main" && name != "article"
}

// consentWords holds the hashes of the words.
type consentWords struct {
	maybe [1 << 16 / 64]uint64 // set of the upper halves of the hashes
	noun  map[uint32]bool      // whether a word is a noun
}

var consent = func() (c consentWords) {
	c.noun = map[uint32]bool{}
	for list, noun := range map[string]bool{consentNouns: true, consentTerms: false} {
		for word := range strings.FieldsSeq(list) {
			var w wordHashes
			measure(word, &w)
			c.noun[w.head[0]] = noun
			c.maybe[w.head[0]>>22] |= 1 << (w.head[0] >> 16 & 63)
		}
	}
	return c
}()

// count returns the numbers of distinct nouns and of distinct words among the first and last
// words of a block.
func (c *consentWords) count(w *wordHashes) (nouns, words int) {
	var found [8]uint32
	see := func(h uint32) {
		if c.maybe[h>>22]>>(h>>16&63)&1 == 0 || words == len(found) || slices.Contains(found[:words], h) {
			return
		}
		if noun, ok := c.noun[h]; ok {
			found[words] = h
			words++
			if noun {
				nouns++
			}
		}
	}
	for _, h := range w.head[:min(w.count, headWords)] {
		see(h)
	}
	if w.count > headWords { // else the last words are among the first
		for _, h := range w.tail {
			see(h)
		}
	}
	return nouns, words
}

// settleConsent gives the blocks of consent dialogs the role "notice": elements of known
// programs, and elements with the words of consent. A page whose title is about consent has
// none: it is a policy. p may be nil.
func (s *scratch) settleConsent(p *page.Page) {
	sh := &s.sheet
	if nouns, words := consent.count(&sh.titleWords); nouns > 0 || words > 1 {
		return
	}
	s.about = grow(s.about, len(sh.elems))
	clear(s.about)
	found := p != nil && s.findPrograms()
	s.consent = s.consent[:0]
	for i := range sh.blocks {
		if nouns, words := consent.count(&sh.hashes[i]); nouns > 0 && words > 1 {
			s.consent = append(s.consent, int32(i))
		}
	}
	if len(s.consent) < minConsentBlocks && !found {
		return
	}
	for _, i := range s.consent {
		for e := sh.blocks[i].element; e >= 0; e = sh.elems[e].parent {
			s.about[e].words += sh.blocks[i].words
			s.about[e].blocks++
		}
	}
	if sh.named >= 0 { // the content of the page is no dialog
		for e := sh.blocks[sh.named].element; e >= 0; e = sh.elems[e].parent {
			s.about[e] = consentStats{}
		}
	}
	for e := range s.about { // parents first
		x, a := &sh.elems[e], &s.about[e]
		a.dialog = a.dialog || e > 0 && s.about[x.parent].dialog || a.blocks >= minConsentBlocks &&
			float64(a.words) >= consentShare*float64(x.words) && float64(x.words) <= maxConsentShare*float64(sh.elems[0].words)
	}
	for i := range sh.blocks {
		if s.about[sh.blocks[i].element].dialog {
			roles := s.rolesOf(i)
			clear(roles)
			roles[page.RoleNotice-1] = 1
		}
	}
}

// findPrograms marks the elements of consent programs and reports whether there is one.
func (s *scratch) findPrograms() bool {
	sh := &s.sheet
	for e := 1; sh.programs && e < len(sh.elems); e++ {
		s.about[e].dialog = sh.alikes[sh.elems[e].alike].program
	}
	return sh.programs
}

// consentStats holds the blocks about consent in an element.
type consentStats struct {
	words, blocks int32
	dialog        bool
}
