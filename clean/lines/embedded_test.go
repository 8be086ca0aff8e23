package lines

import (
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
)

func TestEmbedded(t *testing.T) {
	const most = 3 << 20
	if n := len(data.Lines); n > most {
		t.Errorf("the embedded model has %d bytes, wanted at most %d", n, most)
	}
	m := must.Get(Embedded())(t)
	p := m.Score(nil, "en", []string{
		"Home | About | Contact | Log in",
		"When the ferry came in that evening there was nobody on the quay but the old harbour master, who had been waiting since noon.",
		"She asked him whether the letters had arrived, and he shook his head, as he had done every day of that long winter.",
		"Copyright 2019 All rights reserved | Privacy policy",
	})
	if chaff, text := max(p[0], p[3]), min(p[1], p[2]); text < .5 || chaff > text-.2 {
		t.Errorf("probabilities %v", p)
	}
}
