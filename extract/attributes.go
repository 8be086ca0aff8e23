package extract

// attrID is the number of an attribute that code refers to; 0 for others.
type attrID uint8

const (
	_ attrID = iota
	attrAlt
	attrAriaHidden
	attrClass
	attrColspan
	attrContent
	attrDataLazySrc
	attrDataOriginal
	attrDataSrc
	attrDataSrcset
	attrDatetime
	attrHeight
	attrHidden
	attrHref
	attrHreflang
	attrHTTPEquiv
	attrElementID
	attrItemProp
	attrName
	attrOpen
	attrPopover
	attrProperty
	attrPubDate
	attrRel
	attrRole
	attrRowspan
	attrSrc
	attrSrcset
	attrStart
	attrStyle
	attrTitle
	attrType
	attrValue
	attrWidth
	attrCount
)

// attrNames holds the numbers of the attributes.
var attrNames = func() (t nameTable) {
	for id, name := range [attrCount]string{
		attrAlt: "alt", attrAriaHidden: "aria-hidden", attrClass: "class", attrColspan: "colspan", attrContent: "content",
		attrDataLazySrc: "data-lazy-src", attrDataOriginal: "data-original", attrDataSrc: "data-src", attrDataSrcset: "data-srcset",
		attrDatetime: "datetime", attrHeight: "height", attrHidden: "hidden", attrHref: "href", attrHreflang: "hreflang",
		attrHTTPEquiv: "http-equiv", attrElementID: "id", attrItemProp: "itemprop", attrName: "name", attrOpen: "open", attrPopover: "popover",
		attrProperty: "property", attrPubDate: "pubdate", attrRel: "rel", attrRole: "role", attrRowspan: "rowspan", attrSrc: "src",
		attrSrcset: "srcset", attrStart: "start", attrStyle: "style", attrTitle: "title", attrType: "type", attrValue: "value",
		attrWidth: "width",
	} {
		if id > 0 {
			t.add(name, uint8(id))
		}
	}
	return t
}()

// attrSet is a set of attributes, one bit for each number.
type attrSet uint64

// attributes holds the attributes of a start tag.
type attributes struct {
	list     []attr
	known    attrSet          // the numbers of attributes in list
	repeated attrSet          // the numbers of several attributes in list
	first    [attrCount]int32 // the index in list of the first attribute with each of the known numbers
}

// attr is an attribute as written in the source: the name in any case, the value without quotes and
// with references.
type attr struct{ name, val string }

// reset empties a and keeps its memory.
func (a *attributes) reset() { a.list, a.known, a.repeated = a.list[:0], 0, 0 }

// add adds an attribute, whose name has the number id.
func (a *attributes) add(id attrID, name, val string) {
	set := attrSet(1) << id
	if a.known&set == 0 {
		a.first[id] = int32(len(a.list))
	}
	a.repeated |= a.known & set &^ 1 // attributes without a number do not count
	a.known |= set
	a.list = append(a.list, attr{name, val})
}

// has reports whether there is an attribute of the set.
func (a *attributes) has(set attrSet) bool { return a.known&set != 0 }

// get returns the value of an attribute. References in it are not decoded. Of attributes with the
// same name the first counts, as in browsers.
func (a *attributes) get(id attrID) (val string, ok bool) {
	if a.known>>id&1 == 0 {
		return "", false
	}
	return a.list[a.first[id]].val, true
}

// value returns the value of an attribute, "" if there is none.
func (a *attributes) value(id attrID) string {
	val, _ := a.get(id)
	return val
}

// filled returns a with other values for attributes with the same name: the first that is not empty
// or, if last is set, the last one.
func (a *attributes) filled(last bool) *attributes {
	if a.repeated == 0 {
		return a
	}
	b := *a
	for i, at := range a.list {
		id := attrNames.find(keyOf(at.name), len(at.name))
		if at.val != "" && a.repeated>>id&1 == 1 && (last || a.list[b.first[id]].val == "") {
			b.first[id] = int32(i)
		}
	}
	return &b
}

// named is like get for any name in lower case.
func (a *attributes) named(name string) (val string, ok bool) {
	for i := range a.list {
		if a := &a.list[i]; equalFold(a.name, name) {
			return a.val, true
		}
	}
	return "", false
}
