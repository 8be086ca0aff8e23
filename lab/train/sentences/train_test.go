package sentences

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/token"
)

// trainText has the abbreviations "zq" (before names), "pw" (before numbers)
// and "m.x".
func trainText() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "The boat of zq. Krasnik lay in harbour %d, see pw. %d or m.x. in the book. ", i, i)
		fmt.Fprintf(&b, "Later the wind rose and the men went home. They saw the light of the house. ")
		fmt.Fprintf(&b, "A book at home is a house with no wall there and there is no end. ")
	}
	return b.String()
}

func TestTrain(t *testing.T) {
	tr := must.Get(NewTrainer(Default))(t)
	tr.Add(trainText())
	lists := map[string]string{}
	for _, l := range tr.Learn() {
		lists[l.Word] = l.List
	}
	for w, list := range map[string]string{"zq": "title", "pw": "number", "home": "", "house": "", "book": "", "wind": ""} {
		if lists[w] != list {
			t.Errorf("%s: list %q, wanted %q", w, lists[w], list)
		}
	}
	var rules bytes.Buffer
	must.Succeed(t, tr.WriteRules(&rules, tr.Learn()))
	tok := must.Get(token.New(token.Config{Rules: rules.String(), RulesName: "learned"}))(t)
	text := "We met zq. Barlow there. It rained."
	if n := len(tok.Sentences(text, nil)); n != 2 {
		t.Errorf("%d sentences with\n%s", n, rules.String())
	}
	must.Equal(t, len(token.For("").Sentences(text, nil)), 3, "sentences without")
}

// TestTrainStarters checks that a word which mostly begins sentences, but is
// known in lower case too, is learned as a starter.
func TestTrainStarters(t *testing.T) {
	tr := must.Get(NewTrainer(Default))(t)
	tr.Add(trainText() + "It came later. He spoke later.")
	found := false
	for _, l := range tr.Learn() {
		found = found || l.Word == "later" && l.List == "starter"
	}
	if !found {
		t.Errorf("later is no starter: %+v", tr.Learn())
	}
	if _, err := NewTrainer(Config{}); err == nil {
		t.Error("no error for a configuration of zeros")
	}
}

// TestTrainMany wants the same lists where there is room for few word forms: what is learned
// is frequent, and what is forgotten is rare.
func TestTrainMany(t *testing.T) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "He met Dr. Miller in w%s at the zool. garden. The day was k%s long.\n", strconv.FormatInt(int64(i), 2), strconv.FormatInt(int64(i), 3))
	}
	learn := func(most int) []Learned {
		tr := must.Get(NewTrainer(Default))(t)
		tr.most = most
		for line := range strings.Lines(text.String()) {
			tr.Add(line)
		}
		if len(tr.types) > most {
			t.Errorf("%d word forms, at most %d", len(tr.types), most)
		}
		return tr.Learn()
	}
	words := func(list []Learned) (all []string) {
		for _, l := range list {
			all = append(all, l.List+" "+l.Word)
		}
		return all
	}
	all, few := words(learn(maxTypes)), words(learn(300))
	if len(all) == 0 || !slices.Equal(all, few) {
		t.Errorf("learned %q with room for 300 forms, want %q", few, all)
	}
}
