package schedule

import (
	"bufio"
	"io"
)

// Weights holds the factors that [BestFirst] orders a host by. Except for Expected, they are from 0 to 1.
type Weights struct {
	Expected float64 // expected yield of the next page
	Name     float64 // weight of the length of its name
	Trust    float64 // weight of the trust that linking sites pass on
	Targets  float64 // weight of the trust of the sites that it links to
	Lang     float64 // weight of its language
}

// weigh returns the weights of a host.
func weigh(h *Host, t *Totals) Weights {
	return Weights{expected(h, t), longNames[class(len(h.Name), 30, 50)], trustWeight(h.site, t), targetWeight(h.site, t), t.langWeight(h.Lang)}
}

// Weight returns the product of the weights.
func (w Weights) Weight() float64 { return w.Name * w.Trust * w.Targets * w.Lang }

// Value returns the expected yield times the weight.
func (w Weights) Value() float64 { return w.Expected * w.Weight() }

// ReadWeights returns the weights of the hosts in a checkpoint by name.
func ReadWeights(cfg Config, r io.Reader) (map[string]Weights, error) {
	s := newScheduler(cfg, newTables("", 0), nil, nil, nil)
	defer s.memory.Close()
	if _, err := s.restore(bufio.NewReaderSize(r, 1<<16)); err != nil {
		return nil, err
	}
	weights := make(map[string]Weights, s.HostCount())
	for _, h := range s.Hosts() {
		weights[h.Name] = weigh(h, &s.totals)
	}
	return weights, nil
}
