package registers

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestLabelsOf(t *testing.T) {
	for _, c := range []struct{ codes, want string }{
		{"NA ne", "NA NA/ne"},
		{"PB NA", "NA NA/nb"},       // an old code
		{"DF ID", "ID"},             // no counterpart
		{"FI IN", "IN IN/fi"},       // not the language
		{"IN OP rv", "IN OP OP/rv"}, // a hybrid
		{"MT", "MT"},
		{"", ""},
	} {
		if got := strings.Join(labelsOf(strings.Fields(c.codes)), " "); got != c.want {
			t.Errorf("%q: found %q, wanted %q", c.codes, got, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	must.WriteAll(t, dir, map[string]string{
		"sv/dev.tsv":   "MT\tEn text som finns två gånger.\nNA ne\tNyheter idag.\n",
		"sv/train.tsv": "IN\tEn text som finns två gånger!\nNA\tEtt reportage\\nmed rader.\n",
		"jp/train.tsv": "OP\t意見\tthird column\n",
	})
	docs, err := Read(dir, nil)
	must.Succeed(t, err)
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	if want := []string{"jp/train#1", "sv/dev#1", "sv/dev#2", "sv/train#2"}; !slices.Equal(ids, want) {
		t.Fatalf("found %q, wanted %q", ids, want)
	}
	if d := docs[0]; d.Lang != "ja" || d.Text != "意見" {
		t.Errorf("found %+v, wanted the tag ja and the second column", d)
	}
	d := docs[3]
	if d.Text != "Ett reportage\nmed rader." || !slices.Contains(d.Labels, "?MT") || !slices.Contains(d.Labels, "?NA/ne") || !slices.Contains(d.Labels, "NA") {
		t.Errorf("found %+v, wanted unknown classes and a line break", d)
	}
	if docs, err = Read(dir, []string{"jp"}); err != nil || len(docs) != 1 {
		t.Errorf("found %d documents and %v, wanted 1", len(docs), err)
	}
	if _, err = Read(dir, []string{"xx"}); err == nil {
		t.Error("no error for a language without documents")
	}
}
