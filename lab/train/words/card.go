package words

import (
	"math"

	"chaffinch/internal/sorts"
	"chaffinch/text/lm"
)

// Card is the model card of a word model: its training data, and its fit to clean text.
type Card struct {
	About    string   `json:"about,omitempty"`
	Licences []string `json:"licences,omitempty"` // of the data, as stated by the user
	Data     []Source `json:"data"`
	Split    Split    `json:"split"`
	// Sentences and Tokens (without <s> and </s>) count the training data.
	Sentences uint64       `json:"sentences"`
	Tokens    uint64       `json:"tokens"`
	Types     uint64       `json:"types"`
	Ngrams    []uint64     `json:"ngrams"` // by order, before pruning
	Kept      []uint64     `json:"kept"`   // after pruning
	Discounts [][3]float64 `json:"discounts,omitempty"`
	// Fallback lists the orders whose discounts could not be estimated.
	Fallback []int    `json:"fallback,omitempty"`
	HeldOut  *HeldOut `json:"held_out,omitempty"`
	// Paper is the limit of the PyPlexity paper, which applies to the paper's estimator (mle) and
	// its two corpora.
	Paper Paper `json:"paper"`
}

// Paper is the best limit for web pages in the paper.
type Paper struct {
	Limit     float64      `json:"limit"`
	Estimator lm.Estimator `json:"estimator"`
}

// Source is an input.
type Source struct {
	Name      string  `json:"name"`
	Files     string  `json:"files,omitempty"`
	Weight    float64 `json:"weight"`
	FileCount int     `json:"file_count"`
	Bytes     int64   `json:"bytes"`
	SHA256    string  `json:"sha256"`
	// HeldOut holds the fit of the model to this input's held-out sentences.
	HeldOut *Fit `json:"held_out,omitempty"`
}

// HeldOut holds the fit of the model to held-out sentences.
type HeldOut struct {
	Every int `json:"every"` // every n-th sentence was held out
	Fit
}

// Fit holds the fit of a model to sentences. Each sentence is weighted like its input.
type Fit struct {
	Sentences  int     `json:"sentences"`
	Tokens     int     `json:"tokens"` // including </s>
	OOV        float64 `json:"oov"`    // fraction of unknown words
	Perplexity float64 `json:"perplexity"`
	// Limit95 and Limit99 are the perplexities that 95 % and 99 % of the sentences do not exceed.
	Limit95 float64 `json:"limit95"`
	Limit99 float64 `json:"limit99"`
}

type scored struct {
	score      lm.Score
	perplexity float64
	weight     float64
}

func fit(s []scored) Fit {
	var f Fit
	var log, tokens, words, oov, weight float64
	for _, x := range s {
		f.Sentences++
		f.Tokens += x.score.Tokens
		log += float64(x.weight * x.score.LogProb)
		tokens += float64(x.weight * float64(x.score.Tokens))
		words += float64(x.weight * float64(x.score.Tokens-1))
		oov += float64(x.weight * float64(x.score.OOV))
		weight += x.weight
	}
	f.OOV = round(oov/max(words, 1), 5)
	f.Perplexity = round(math.Pow(10, -log/max(tokens, 1)), 2)
	sorts.StableFunc(s, func(a, b scored) int { return int(sign(a.perplexity - b.perplexity)) })
	below := 0.0
	for _, x := range s {
		below += x.weight
		p := math.Ceil(x.perplexity)
		if f.Limit95 == 0 && below >= .95*weight {
			f.Limit95 = p
		}
		if f.Limit99 == 0 && below >= .99*weight {
			f.Limit99 = p
		}
	}
	return f
}

func sign(x float64) float64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func round(x float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	return math.Round(x*p) / p
}

// measure measures the fit to the held-out sentences.
func measure(m *lm.Model, held []Held, inputs []Input, c *Card) {
	all := make([]scored, 0, len(held))
	each := make([][]scored, len(inputs))
	for _, h := range held {
		s := m.Sentence(h.Text)
		if s.Tokens < 2 {
			continue
		}
		x := scored{s, s.Perplexity(), inputs[h.Source].Weight}
		all = append(all, x)
		each[h.Source] = append(each[h.Source], x)
	}
	if len(all) == 0 {
		return
	}
	c.HeldOut.Fit = fit(all)
	for i, s := range each {
		if len(s) > 0 {
			f := fit(s)
			c.Data[i].HeldOut = &f
		}
	}
}
