package justext

import "strconv"

var causes = [...]string{
	alone:              "",
	betweenGood:        "between good and good",
	betweenBad:         "between bad and bad",
	besideNearGood:     "between good and near good",
	nearEnough:         "near a good block",
	besideBad:          "between good and bad",
	nearGoodBesideGood: "beside a good block",
	headingNearGood:    "heading soon before good text",
}

// reason describes the decision: the rule with its figure, then the effect of the neighbours.
func (r *rules) reason(b *facts) string {
	var space [96]byte
	s := space[:0]
	switch b.rule {
	case ruleLinks:
		s = share(append(s, "link density "...), b.linkDensity())
		s = share(append(s, " > "...), r.MaxLinkDensity)
	case ruleCopyright:
		s = append(s, "copyright sign"...)
	case ruleSelect:
		s = append(s, "inside a select"...)
	case ruleShortLink, ruleShort:
		s = strconv.AppendInt(s, int64(b.length), 10)
		s = strconv.AppendInt(append(s, " characters < "...), int64(r.LengthLow), 10)
		if b.rule == ruleShortLink {
			s = append(s, ", with a link"...)
		}
	case ruleLong:
		s = r.stops(s, b)
		s = strconv.AppendInt(s, int64(b.length), 10)
		s = strconv.AppendInt(append(s, " characters > "...), int64(r.LengthHigh), 10)
	case ruleMedium:
		s = r.stops(s, b)
		s = strconv.AppendInt(s, int64(b.length), 10)
		s = strconv.AppendInt(append(s, " characters <= "...), int64(r.LengthHigh), 10)
	case ruleSomeStops:
		s = share(append(s, "stop words "...), b.density())
		s = share(append(s, " < "...), r.StopwordsHigh)
	case ruleFewStops:
		s = share(append(s, "stop words "...), b.density())
		s = share(append(s, " < "...), r.StopwordsLow)
	}
	if b.cause != alone {
		s = append(append(s, "; "...), causes[b.cause]...)
	}
	return string(s)
}

// stops appends the share of stop words if it is used.
func (r *rules) stops(s []byte, b *facts) []byte {
	if r.unfit {
		return append(s, "stop words of another language, "...)
	}
	if r.StopwordsHigh == 0 {
		return s
	}
	s = share(append(s, "stop words "...), b.density())
	s = share(append(s, " >= "...), r.StopwordsHigh)
	return append(s, ", "...)
}

// share appends a share with two decimals: ".83", "1.00".
func share(s []byte, v float64) []byte {
	n := len(s)
	s = strconv.AppendFloat(s, v, 'f', 2, 64)
	if s[n] == '0' {
		s = append(s[:n], s[n+1:]...)
	}
	return s
}
