package perplexity

import (
	"fmt"
	"io"
	"math"
	"os"

	"chaffinch/model/data"
	"chaffinch/text/lm/pyplexity"
)

// Model is implemented by language models that can score text. Models are safe for
// concurrent use.
type Model interface {
	// Bits returns the information of a sentence in bits, -Σ log2 P(w_i | w_1 .. w_(i-1)),
	// and n, the number of terms.
	Bits(sentence string) (bits float64, n int)
	// Frequencies calls f for each token of text with its unigram probability, which is
	// above 0. The token is valid until f returns.
	Frequencies(text string, f func(token []byte, p float64))
	// Limit returns the perplexity that keeps the share keep of clean sentences, scored
	// separately or, if context is true, together with the text around them. It is an error
	// if the limit is unknown.
	Limit(keep float64, context bool) (float64, error)
}

// Of returns the perplexity of a sentence under m (equation 1 of the paper).
func Of(m Model, sentence string) float64 {
	bits, n := m.Bits(sentence)
	return math.Exp2(bits / float64(max(n, 1)))
}

// Load returns the embedded model of that name or reads a model file. The format is detected
// from the content. If compat is "pyplexity", the file must be a PyPlexity model and is read
// with PyPlexity's errors.
func Load(name, compat string) (Model, error) {
	switch compat {
	case "", "pyplexity":
	default:
		return nil, fmt.Errorf("perplexity: compat %q, wanted pyplexity or nothing", compat)
	}
	theirs, err := isPyPlexity(name)
	if err != nil {
		return nil, err
	}
	if theirs {
		m, err := pyplexity.Load(name, pyplexity.Config{RepairKeys: compat == ""})
		if err != nil {
			return nil, err
		}
		return storable{m}, nil
	}
	if compat != "" {
		if _, err := os.Stat(name); err != nil {
			if _, embedded := data.Words(name); !embedded {
				return nil, fmt.Errorf("perplexity: model: %w", err)
			}
		}
		return nil, fmt.Errorf("perplexity: model %s: PyPlexity's scores need a model of PyPlexity, a file that begins with \"pst0\": name one as \"model\"", name)
	}
	return loadWords(name)
}

// isPyPlexity reports whether the named file exists and starts like a PyPlexity model.
func isPyPlexity(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, nil // an embedded model, or loadWords reports the error
	}
	defer f.Close()
	var head [4]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, fmt.Errorf("perplexity: model %s: %w", name, err)
	}
	return pyplexity.Is(head[:n]), nil
}

// storable adapts a PyPlexity model to Model.
type storable struct{ *pyplexity.Model }

// Limit returns PyPlexity's default, regardless of the share.
func (storable) Limit(float64, bool) (float64, error) { return pyplexity.Limit, nil }
