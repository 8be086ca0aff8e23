package punkt

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/neurosnap/sentences/data"
)

// English returns the parameters for English that NLTK distributes.
var English = sync.OnceValue(func() *Parameters {
	p, err := load(data.MustAsset("data/english.json"))
	if err != nil {
		panic(err) // the file is compiled in
	}
	// This list of starters has one word more than NLTK's.
	delete(p.Starters, "she")
	return p
})

// load decodes the parameters from the format of the package neurosnap/sentences.
func load(b []byte) (*Parameters, error) {
	var in struct {
		AbbrevTypes, SentStarters, Collocations map[string]int
		OrthoContext                            map[string]Case
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("punkt parameters: %w", err)
	}
	p := &Parameters{Abbreviations: keys(in.AbbrevTypes), Starters: keys(in.SentStarters), Collocations: map[[2]string]bool{}, Cases: in.OrthoContext}
	for k := range in.Collocations {
		a, b, ok := strings.Cut(k, ",")
		if !ok {
			return nil, fmt.Errorf("punkt parameters: collocation %q: wanted two words with a comma between", k)
		}
		p.Collocations[[2]string{a, b}] = true
	}
	return p, nil
}

func keys(m map[string]int) map[string]bool {
	out := make(map[string]bool, len(m))
	for k := range m {
		out[k] = true
	}
	return out
}
