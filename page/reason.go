package page

// Reason is the reason why a page was dropped or cut, or a block omitted.
type Reason uint8

// The reasons. Their order is not part of any format: files contain the names.
const (
	None          Reason = iota
	Empty                // no bytes
	NoText               // no text outside markup
	AllBad               // every block was labelled bad
	NoModel              // the method has no model for the language
	NotText              // neither HTML nor text
	HTTPStatus           // error or redirect page
	TooLarge             // more bytes than the limit
	TooManyNodes         // more elements than the limit
	TooDeep              // nested deeper than the limit
	TooSlow              // took longer than the limit
	TooCompressed        // unpacks to more than the limit for its packed size
	BadEncoding          // content or transfer coding that cannot be undone
	Truncated            // the record ends early
	HiddenBlock          // the page does not show the block
	Failed               // a stage failed on the page
	OtherLanguage        // in none of the requested languages
	Filtered             // exceeds the limit of a rule: Page.Rule
	LowConfidence        // less likely to be labelled well than the requested minimum
	OtherType            // of none of the requested page types
	Scripted             // shows text only after scripts have run
	OtherFormat          // in none of the requested formats
	Encrypted            // readable only with a password or licence
	NeedsOCR             // images of text, or text without characters that can be trusted
	Damaged              // a document that its format's reader cannot read
)

var reasons = [...]struct{ name, sentence string }{
	None:          {"", ""},
	Empty:         {"empty", "the page has no bytes"},
	NoText:        {"no-text", "the page has no text outside markup"},
	AllBad:        {"all-bad", "every block of the page was labelled bad"},
	NoModel:       {"no-model", "the method has no model for the language of the page"},
	NotText:       {"not-text", "the page is neither HTML nor text"},
	HTTPStatus:    {"http-status", "the server answered with an error or a redirect"},
	TooLarge:      {"too-large", "the page has more bytes than the limit"},
	TooManyNodes:  {"too-many-nodes", "the page has more elements than the limit"},
	TooDeep:       {"too-deep", "the page nests elements deeper than the limit"},
	TooSlow:       {"too-slow", "the page took longer than the limit"},
	TooCompressed: {"too-compressed", "the page unpacks to more than the limit for its packed size"},
	BadEncoding:   {"bad-encoding", "the page has a content or transfer coding that cannot be undone"},
	Truncated:     {"truncated", "the record ends early"},
	HiddenBlock:   {"hidden", "the page does not show the block"},
	OtherLanguage: {"other-language", "the page is in none of the languages asked for, or not surely enough"},
	LowConfidence: {"low-confidence", "the page is less likely to be labelled well than the minimum confidence"},
	OtherType:     {"other-type", "the page is of none of the page types asked for"},
	Scripted:      {"scripted", "the page shows its text only after scripts have run, and they embed no text"},
	Filtered:      {"filtered", "the page breaks the limit of a rule of quality, which is named beside"},
	OtherFormat:   {"other-format", "the page is in none of the formats asked for"},
	Encrypted:     {"encrypted", "the document is readable only with a password or a licence"},
	NeedsOCR:      {"needs-ocr", "the document shows its text as images, or its characters have no reliable Unicode values"},
	Damaged:       {"damaged", "the document is damaged, and no text can be read from it"},
	Failed:        {"failed", "a stage failed on the page; the error is in the report"},
}

// String returns the short name that reports and outputs use, such as "too-deep"; "" for None.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r].name
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of r.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Sentence returns an explanation of r in one sentence.
func (r Reason) Sentence() string {
	if int(r) < len(reasons) {
		return reasons[r].sentence
	}
	return "unknown reason"
}

// ReasonOf returns the reason with the given short name, [Failed] if the name is unknown.
func ReasonOf(name string) Reason {
	if name == "too-dense" { // former name of TooCompressed
		return TooCompressed
	}
	for r := range reasons {
		if reasons[r].name == name {
			return Reason(r)
		}
	}
	return Failed
}
