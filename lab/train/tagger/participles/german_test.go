package main

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
	_ "chaffinch/model/data/taggers"
	"chaffinch/text/tag"
)

// TestInfinitives derives infinitives from participles.
func TestInfinitives(t *testing.T) {
	known := strings.Fields("führen einführen finden auffinden sprechen nehmen entnehmen abgeben ordnen zuordnen angeben hören gehören studieren sammeln schaden begegnen erhalten vorliegen vorlegen")
	for form, want := range map[string]string{
		"geführt": "führen", "eingeführt": "einführen", "gefunden": "finden", "aufgefunden": "auffinden", "gesprochen": "sprechen", "entnommen": "entnehmen",
		"abgegeben": "abgeben", "abzugeben": "abgeben", "zugeordnet": "zuordnen", "zuzuordnen": "zuordnen", "gehört": "hören gehören", "studiert": "studieren", "gesammelt": "sammeln",
		"geschadet": "schaden", "begegnet": "begegnen", "erhalten": "erhalten", "vorgelegen": "vorliegen", "vorgelegt": "vorlegen",
		"ausgeschlossen": "ausschließen", "begonnen": "beginnen", "gegüllt": "", "gut": "",
	} {
		if got := strings.Join(infinitives(form, func(l string) bool { return slices.Contains(known, l) }), " "); got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}

// TestEmbedded checks that the embedded model is corrected.
func TestEmbedded(t *testing.T) {
	pack, err := model.Parse("embedded", data.Taggers)
	must.Succeed(t, err)
	section, _ := pack.Section("de")
	m, err := tag.Parse("de", section)
	must.Succeed(t, err)
	w := m.Weights()
	if words, entries := correct(&w); words+entries > 0 || len(w.Words) == 0 {
		t.Errorf("%d readings of words and %d of the dictionary are wrong, of %d words", words, entries, len(w.Words))
	}
}
