package blocks

// tagInfo holds the properties of a tag name.
type tagInfo struct {
	order uint8 // rank of the element from boilerplate to text
	group uint8 // index of its count in elementStats.counts
}

// Groups of elements that are counted around a block, in the order of the columns from
// colIsLi.
const (
	groupLi uint8 = iota
	groupList
	groupTable
	groupCell
	groupP
	groupA
	groupArticle
	groupMain
	groupSection
	groupHeader
	groupFooter
	groupAside
	groupNav
	groupForm
	groupFigure
	groupQuote
	groupDl
	groupSpan
	groupDiv
	groupFont
	groupLabel
	groupHeading
	tagGroups
	groupNone = 255
)

// tagTable maps tag names to their properties. The order places names next to each other if
// their blocks are kept about equally often.
var tagTable = map[string]tagInfo{
	"option": {1, groupForm}, "button": {2, groupLabel}, "label": {3, groupLabel}, "legend": {4, groupLabel},
	"nav": {5, groupNav}, "footer": {6, groupFooter}, "a": {7, groupA}, "li": {8, groupLi}, "ul": {9, groupList},
	"menu": {9, groupList}, "dir": {9, groupList}, "form": {10, groupForm}, "fieldset": {10, groupForm}, "aside": {11, groupAside},
	"header": {12, groupHeader}, "span": {13, groupSpan}, "small": {14, groupFont}, "time": {15, groupNone}, "address": {16, groupNone},
	"body": {17, groupNone}, "html": {17, groupNone}, "table": {18, groupTable}, "tr": {18, groupNone}, "td": {19, groupCell},
	"th": {20, groupCell}, "caption": {21, groupNone}, "h6": {22, groupHeading}, "h5": {23, groupHeading}, "h4": {24, groupHeading},
	"h3": {25, groupHeading}, "div": {26, groupDiv}, "section": {27, groupSection}, "center": {28, groupFont}, "font": {29, groupFont},
	"dl": {30, groupDl}, "dt": {30, groupDl}, "dd": {31, groupDl}, "ol": {32, groupList}, "summary": {33, groupNone},
	"details": {33, groupNone}, "figure": {34, groupFigure}, "figcaption": {35, groupFigure}, "h2": {36, groupHeading},
	"main": {37, groupMain}, "article": {38, groupArticle}, "i": {39, groupFont}, "em": {40, groupFont}, "b": {41, groupFont},
	"strong": {42, groupFont}, "h1": {43, groupHeading}, "pre": {44, groupNone}, "code": {44, groupNone}, "blockquote": {45, groupQuote},
	"p": {46, groupP},
}

// tagSlots holds tagTable by the hashes of the names, with linear probing.
var tagSlots = func() (t [256]struct {
	hash uint64
	tagInfo
}) {
	for name, info := range tagTable {
		at := hashString(name) % uint64(len(t))
		for t[at].hash != 0 {
			at = (at + 1) % uint64(len(t))
		}
		t[at].hash, t[at].tagInfo = hashString(name), info
	}
	return t
}()

// lookupTag returns the properties of the tag name with this hash.
func lookupTag(hash uint64) tagInfo {
	for at := hash % uint64(len(tagSlots)); tagSlots[at].hash != 0; at = (at + 1) % uint64(len(tagSlots)) {
		if t := &tagSlots[at]; t.hash == hash {
			return t.tagInfo
		}
	}
	return tagInfo{0, groupNone}
}

// tags sets the columns of the elements around the blocks.
func (s *sheet) tags() {
	bs, elems := s.blocks, s.elems
	each(s.want(colTag), func(i int) float64 { return float64(elems[bs[i].element].tag.order) })
	each(s.want(colDepth), func(i int) float64 { return float64(elems[bs[i].element].depth) })
	for g := range tagGroups {
		each(s.want(colIsLi+column(g)), func(i int) float64 { return float64(elems[bs[i].element].counts[g]) })
	}
}
