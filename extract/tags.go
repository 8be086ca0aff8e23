package extract

import "chaffinch/internal/swar"

// tagID is the number of an element; 0 for elements that are not in the tables below.
type tagID uint8

// action is the reaction of the extractor to a start tag.
type action uint8

const (
	actOpen   action = iota // push it
	actVoid                 // nothing, since it has no content
	actIgnore               // nothing, since its place is implied
	actBreak                // void, and ends the block
	actBr
	actRaw  // skip to the end tag
	actSkip // skip with its elements
	actTitle
	actScript
	actMeta
	actLink
	actVerbatim // raw text that is shown: xmp, plaintext
)

// Traits of elements, by the tree construction rules of the HTML standard.
const (
	isBlock   uint32 = 1 << iota // begins and ends a block of text
	closesP                      // its start tag ends an open p
	isScope                      // bounds the search for the element of an end tag
	isSpecial                    // bounds the search of end tags of other inline elements
	isFormat                     // its end tag closes it alone ("formatting" elements)
	isTable                      // table, tbody, thead, tfoot, tr
	isList
	isHeading
	keepsSpace  // pre, listing, xmp, plaintext
	resetsKind  // blocks in it are paragraphs again
	foreignRoot // svg, math
	breaksOut   // its start tag ends svg and math
	mutes       // its text is left out
	island      // HTML inside svg
	isBold
	isPhrase // marks words or phrases in running text
	isCode
)

type tagInfo struct {
	name   string
	act    action
	traits uint32
}

// Elements that code refers to.
const (
	tagUnknown tagID = iota
	tagHTML
	tagBody
	tagA
	tagP
	tagLi
	tagDt
	tagDd
	tagH1
	tagH2
	tagH3
	tagH4
	tagH5
	tagH6
	tagTable
	tagTbody
	tagThead
	tagTfoot
	tagTr
	tagTd
	tagTh
	tagCaption
	tagUl
	tagOl
	tagForm
	tagButton
	tagBr
	tagDiv
	tagAddress
	tagScript
	tagStyle
	tagTitle
	tagSelect
	tagDialog
	tagTime
	tagNoscript
	tagInput
	tagTextarea
	tagMeta
	tagPlaintext
	tagImg
	tagBase
	tagSub
	tagSup
	tagLabel
	tagTemplate
	tagSpan
	tagNobr
	tagMath
	tagArea
	tagLink
	tagFrame
	tagIframe
	tagNoembed
	tagNoframes
	tagXmp
	tagSlot
	tagQ
	firstOther
)

const (
	blockLike = isBlock | isSpecial
	flow      = blockLike | closesP | breaksOut
)

// namedTags is in the order of the constants.
var namedTags = [firstOther]tagInfo{
	tagUnknown:   {"", actOpen, 0},
	tagHTML:      {"html", actIgnore, blockLike | isScope},
	tagBody:      {"body", actIgnore, blockLike | breaksOut},
	tagA:         {"a", actOpen, isFormat},
	tagP:         {"p", actOpen, flow},
	tagLi:        {"li", actOpen, blockLike | breaksOut},
	tagDt:        {"dt", actOpen, blockLike | breaksOut},
	tagDd:        {"dd", actOpen, blockLike | breaksOut},
	tagH1:        {"h1", actOpen, flow | isHeading},
	tagH2:        {"h2", actOpen, flow | isHeading},
	tagH3:        {"h3", actOpen, flow | isHeading},
	tagH4:        {"h4", actOpen, flow | isHeading},
	tagH5:        {"h5", actOpen, flow | isHeading},
	tagH6:        {"h6", actOpen, flow | isHeading},
	tagTable:     {"table", actOpen, flow | isScope | isTable | resetsKind},
	tagTbody:     {"tbody", actOpen, blockLike | isTable},
	tagThead:     {"thead", actOpen, blockLike | isTable},
	tagTfoot:     {"tfoot", actOpen, blockLike | isTable},
	tagTr:        {"tr", actOpen, blockLike | isTable},
	tagTd:        {"td", actOpen, blockLike | isScope},
	tagTh:        {"th", actOpen, blockLike | isScope},
	tagCaption:   {"caption", actOpen, blockLike | isScope},
	tagUl:        {"ul", actOpen, flow | isList | resetsKind},
	tagOl:        {"ol", actOpen, flow | isList | resetsKind},
	tagForm:      {"form", actOpen, blockLike | closesP},
	tagButton:    {"button", actOpen, isSpecial | mutes},
	tagBr:        {"br", actBr, breaksOut},
	tagDiv:       {"div", actOpen, flow},
	tagAddress:   {"address", actOpen, flow | resetsKind},
	tagScript:    {"script", actScript, 0},
	tagStyle:     {"style", actRaw, 0},
	tagTitle:     {"title", actTitle, island},
	tagSelect:    {"select", actSkip, 0},
	tagDialog:    {"dialog", actOpen, flow | resetsKind},
	tagTime:      {"time", actOpen, 0},
	tagNoscript:  {"noscript", actRaw, blockLike},
	tagInput:     {"input", actVoid, 0},
	tagTextarea:  {"textarea", actRaw, 0},
	tagMeta:      {"meta", actMeta, breaksOut},
	tagPlaintext: {"plaintext", actVerbatim, flow | keepsSpace},
	tagImg:       {"img", actVoid, 0},
	tagBase:      {"base", actVoid, 0},
	tagSub:       {"sub", actOpen, 0},
	tagSup:       {"sup", actOpen, 0},
	tagLabel:     {"label", actOpen, 0},
	tagTemplate:  {"template", actSkip, isSpecial},
	tagSpan:      {"span", actOpen, 0},
	tagNobr:      {"nobr", actOpen, isFormat},
	tagMath:      {"math", actSkip, foreignRoot},
	tagArea:      {"area", actVoid, 0},
	tagLink:      {"link", actLink, 0},
	tagFrame:     {"frame", actVoid, 0},
	tagIframe:    {"iframe", actRaw, 0},
	tagNoembed:   {"noembed", actRaw, 0},
	tagNoframes:  {"noframes", actRaw, 0},
	tagXmp:       {"xmp", actVerbatim, flow | keepsSpace},
	tagSlot:      {"slot", actOpen, 0},
	tagQ:         {"q", actOpen, 0},
}

// otherTags holds the elements of which only the traits matter.
var otherTags = []struct {
	names  []string
	act    action
	traits uint32
}{
	{[]string{"article", "aside", "blockquote", "figure", "figcaption", "footer", "header", "hgroup",
		"main", "nav", "search", "section", "fieldset", "details", "summary"}, actOpen, flow | resetsKind},
	{[]string{"center"}, actOpen, flow},
	{[]string{"dir", "menu", "dl"}, actOpen, flow | isList | resetsKind},
	{[]string{"pre", "listing"}, actOpen, flow | keepsSpace},
	{[]string{"legend", "optgroup", "option"}, actOpen, isBlock},
	{[]string{"marquee"}, actOpen, blockLike | isScope},
	{[]string{"b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"}, actOpen, isFormat},
	{[]string{"abbr", "acronym", "bdi", "bdo", "cite", "data", "del", "dfn", "ins", "kbd", "mark", "output",
		"rb", "rp", "rt", "rtc", "ruby", "samp", "var"}, actOpen, 0},
	{[]string{"head", "frameset", "text"}, actIgnore, 0},
	{[]string{"basefont", "bgsound", "col", "colgroup", "embed", "image", "keygen", "param",
		"source", "track", "wbr"}, actVoid, 0},
	{[]string{"hr"}, actBreak, flow},
	{[]string{"object", "applet"}, actOpen, isSpecial | isScope | mutes},
	{[]string{"canvas", "audio", "video", "map", "datalist", "progress", "meter"}, actOpen, mutes},
	{[]string{"foreignobject", "desc", "annotation-xml", "mi", "mo", "mn", "ms", "mtext"}, actOpen, island},
	{[]string{"svg"}, actSkip, foreignRoot},
	{[]string{"fencedframe"}, actOpen, mutes}, // an advertisement in a separate frame
}

// tags and tagIDs index named and others by number and by name.
var tags, tagIDs = tagTables()

func tagTables() (tags [256]tagInfo, tagIDs map[string]tagID) {
	tagIDs = make(map[string]tagID, len(tags))
	id := tagID(copy(tags[:], namedTags[:]))
	for i := range namedTags {
		tagIDs[namedTags[i].name] = tagID(i)
	}
	for _, o := range otherTags {
		for _, n := range o.names {
			tags[id] = tagInfo{n, o.act, o.traits}
			tagIDs[n] = id
			id++
		}
	}
	for _, n := range []string{"b", "big", "blockquote", "center", "code", "dl", "em", "embed", "hr", "i", "img", "menu",
		"nobr", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "tt", "u", "var"} {
		tags[tagIDs[n]].traits |= breaksOut
	}
	for _, n := range []string{"abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em", "font", "i", "ins", "mark", "nobr",
		"output", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "slot", "small", "span", "strike", "strong", "u"} {
		tags[tagIDs[n]].traits |= isPhrase
	}
	for _, n := range []string{"code", "kbd", "samp", "tt", "var"} {
		tags[tagIDs[n]].traits |= isCode
	}
	for _, n := range []string{"b", "strong"} {
		tags[tagIDs[n]].traits |= isBold
	}
	return tags, tagIDs
}

// key is a name of at most 16 bytes in lower case, the first byte lowest.
type key struct{ lo, hi uint64 }

// keyOf returns the key of a name in any case. Of longer names it holds the first 16 bytes.
func keyOf(name string) (k key) {
	for i := 0; i < len(name) && i < 16; i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if i < 8 {
			k.lo |= uint64(c) << (8 * i)
		} else {
			k.hi |= uint64(c) << (8 * (i - 8))
		}
	}
	return k
}

func (k key) hash() uint64 {
	return (k.lo*0x9E3779B97F4A7C15 ^ k.hi*0xC2B2AE3D27D4EB4F) >> (64 - slotBits)
}

const slotBits = 10

// nameTable is a hash table of the numbers of names, from 1, with linear probing; most slots are
// empty.
type nameTable [1 << slotBits]struct {
	key
	number uint8
}

func (t *nameTable) add(name string, number uint8) {
	k := keyOf(name)
	h := k.hash()
	for t[h].number > 0 {
		h = (h + 1) % uint64(len(t))
	}
	t[h].key, t[h].number = k, number
}

// find returns the number of the name that has n bytes and the key k; 0 if there is none.
func (t *nameTable) find(k key, n int) uint8 {
	if n > 16 {
		return 0
	}
	for h := k.hash(); ; h = (h + 1) % uint64(len(t)) {
		if s := &t[h]; s.key == k || s.number == 0 {
			return s.number
		}
	}
}

// of returns the number of the name src[i:j], regardless of case; 0 if there is none.
func (t *nameTable) of(src string, i, j int) uint8 {
	n := j - i
	if n > 16 {
		return 0
	}
	if i+16 > len(src) {
		return t.find(keyOf(src[i:j]), n)
	}
	k := key{lo: swar.Load(src[i:])}
	if n <= 8 {
		k.lo &= 1<<(8*n) - 1
	} else {
		k.hi = swar.Load(src[i+8:]) & (1<<(8*n-64) - 1)
		k.hi |= swar.Within(k.hi, 'A', 'Z') >> 2
	}
	k.lo |= swar.Within(k.lo, 'A', 'Z') >> 2
	return t.find(k, n)
}

// tagNames holds the numbers of the elements.
var tagNames = func() (t nameTable) {
	for name, id := range tagIDs {
		if id != tagUnknown {
			t.add(name, uint8(id))
		}
	}
	return t
}()

// tagOf returns the number of the element with the name src[i:j], regardless of case.
func tagOf(src string, i, j int) tagID { return tagID(tagNames.of(src, i, j)) }

// lookup returns the number of the element called name, regardless of case.
func lookup(name string) tagID { return tagID(tagNames.find(keyOf(name), len(name))) }

func (t tagID) has(trait uint32) bool { return tags[t].traits&trait != 0 }
