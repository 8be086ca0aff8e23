package filter

import "chaffinch/filter/pii"

// personalData counts the matches of package pii.
func personalData(s *Scorer, d *doc, out []float64) {
	clear(out)
	s.personal = pii.Find(d.text, s.personal[:0])
	for _, m := range s.personal {
		for i, k := range pii.Kinds {
			if k == m.Kind {
				out[i]++
			}
		}
	}
}

func personalScores() (list []Score) {
	for _, k := range pii.Kinds {
		list = append(list, Score{Name: string(k), Help: personalHelp[k]})
	}
	return list
}

// personalHelp describes each kind.
var personalHelp = map[pii.Kind]string{
	pii.Email: "addresses of e-mail", pii.IP: "public addresses of the internet protocol", pii.Phone: "telephone numbers",
	pii.IBAN: "bank accounts (IBAN) with right check digits", pii.Card: "payment cards with a right check digit",
	pii.ID: "national identification numbers, most with check digits",
}
