package worker

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"chaffinch/format/pdf/internal/wire"
)

// links reads the links to web pages.
func (r *pageReader) links() {
	const uri = 3 // PDFACTION_URI
	at, link := r.scratch, r.scratch+8
	binary.LittleEndian.PutUint32(r.view(at, 4), 0)
	for len(r.out.Links) < maxLinks && r.call("FPDFLink_Enumerate", r.page, at, link) != 0 {
		annotation := uint64(uint32(r.int32(link)))
		action := r.call("FPDFLink_GetAction", annotation)
		if action == 0 || r.int("FPDFAction_GetType", action) != uri || r.call("FPDFLink_GetAnnotRect", annotation, r.scratch+16) == 0 {
			continue
		}
		var left, top, right, bottom float64
		r.floats32(r.scratch+16, &left, &top, &right, &bottom)
		n := r.int("FPDFAction_GetURIPath", r.handle, action, r.scratch+64, maxURL)
		if n < 2 || n > maxURL {
			continue
		}
		url := string(r.view(r.scratch+64, n-1))
		if lower := strings.ToLower(url); utf8.ValidString(url) && (strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")) {
			r.out.Links = append(r.out.Links, wire.Link{Box: r.m.box(left, bottom, right, top), URL: url})
		}
	}
}
