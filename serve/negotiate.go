package serve

import (
	"mime"
	"strconv"
	"strings"
)

// bestType returns the offered media type with the highest quality in the header Accept, the
// earlier offer in case of a tie, or "" if none is acceptable. Without the header any type is
// acceptable (RFC 9110, section 12.5.1).
func bestType(accept string, offers []string) string {
	if strings.TrimSpace(accept) == "" {
		return offers[0]
	}
	best, most := "", 0.0
	for _, offer := range offers {
		if q := quality(accept, offer); q > most {
			best, most = offer, q
		}
	}
	return best
}

// quality returns the weight of a media type in an Accept header: the weight of the most
// specific range that matches it.
func quality(accept, offer string) float64 {
	kind, _, _ := strings.Cut(offer, "/")
	weight, precision := 0.0, 0
	for r := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(r)
		if err != nil {
			continue
		}
		p := 0
		switch media {
		case offer:
			p = 3
		case kind + "/*":
			p = 2
		case "*/*":
			p = 1
		}
		if p <= precision {
			continue
		}
		precision, weight = p, 1
		if q, ok := params["q"]; ok {
			if weight, err = strconv.ParseFloat(q, 64); err != nil || weight < 0 || weight > 1 {
				weight = 0
			}
		}
	}
	return weight
}
