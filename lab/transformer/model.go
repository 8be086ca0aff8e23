package transformer

import (
	"context"
	"errors"
	"math"

	"chaffinch/internal/recurrent"
	"chaffinch/lab/gold"
	"chaffinch/lab/train/nets"
)

// Model classifies the lines of a document as text or boilerplate with an encoder's vectors,
// standardised to mean 0 and deviation 1, and a bidirectional LSTM over all of them. It is safe for
// concurrent use.
type Model struct {
	encoder *Encoder
	scale   scale
	net     *recurrent.Net
	info    info
}

// info is the header of a file.
type info struct {
	// Encoder holds the settings that affect vectors, EncoderSHA256 the hash of its files.
	Encoder       Config          `json:"encoder"`
	EncoderSHA256 string          `json:"encoder_sha256"`
	Output        string          `json:"output"`
	Shape         recurrent.Shape `json:"shape"`
	Train         TrainConfig     `json:"train"`
	Docs          int             `json:"docs"`
	Lines         int             `json:"lines"`
}

// scale standardises vectors to mean 0 and deviation 1 on the training lines.
type scale struct {
	mean, factor []float32
}

// TrainConfig configures the training of the network over the lines.
type TrainConfig struct {
	// Hidden is the width of each direction of the LSTM.
	Hidden int `json:"hidden"`
	// Project is the width of a layer between vectors and LSTM. Default: no layer.
	Project int `json:"project,omitempty"`
	// Net configures the training.
	Net nets.Config `json:"net"`
}

// DefaultTrain has the dropout of the thesis (0.15) on the LSTM's output and uses whole documents.
var DefaultTrain = defaultTrain()

func defaultTrain() TrainConfig {
	net := nets.Default
	net.DropInput, net.DropIDs, net.DropHidden, net.TableDecay = 0, 0, .15, 0
	net.Rate = 2e-3
	return TrainConfig{Hidden: 64, Net: net}
}

// Progress receives the progress of [Train]. Fields may be nil.
type Progress struct {
	// Vectors is called with the number of encoded lines.
	Vectors func(done, all int)
	// Epoch is called after each pass over the training documents.
	Epoch func(nets.Epoch)
}

// Train encodes all lines, using vectors in the folder cache (see [Encoder.DocVectors]; "" for
// none), and trains a network on train. It returns the network that is best on dev, which may be
// empty. The result depends only on the vectors and the configuration.
func Train(ctx context.Context, e *Encoder, train, dev []*gold.LineDoc, cfg TrainConfig, cache string, progress Progress) (*Model, error) {
	if len(train) == 0 {
		return nil, errors.New("no documents to train on")
	}
	docs := make([][]string, 0, len(train)+len(dev))
	lines := 0
	for _, d := range append(train[:len(train):len(train)], dev...) {
		docs = append(docs, d.Lines)
		lines += len(d.Lines)
	}
	vectors, err := e.DocVectors(ctx, docs, cache, func(done int) {
		if progress.Vectors != nil {
			progress.Vectors(done, lines)
		}
	})
	if err != nil {
		return nil, err
	}
	m := &Model{encoder: e, scale: newScale(vectors[:len(train)], e.width)}
	shape := recurrent.Shape{Dense: e.width, Project: cfg.Project, Cell: recurrent.LSTM, Hidden: cfg.Hidden, Layers: 1}
	if m.net, err = nets.New(shape, cfg.Net.Seed); err != nil {
		return nil, err
	}
	sequences := func(docs []*gold.LineDoc, vectors [][]float32) (out []*nets.Example) {
		for i, d := range docs {
			if len(d.Lines) == 0 {
				continue
			}
			m.scale.apply(vectors[i])
			q := &nets.Example{Sequence: recurrent.Sequence{Dense: vectors[i], N: len(d.Lines)}, Target: make([]float32, len(d.Lines))}
			for j, text := range d.Labels {
				if text {
					q.Target[j] = 1
				}
			}
			out = append(out, q)
		}
		return out
	}
	report := progress.Epoch
	if report == nil {
		report = func(nets.Epoch) {}
	}
	if err := nets.Train(ctx, cfg.Net, m.net, sequences(train, vectors), sequences(dev, vectors[len(train):]), report); err != nil {
		return nil, err
	}
	m.info = info{Encoder: e.cfg, EncoderSHA256: e.sum, Output: e.output, Shape: shape, Train: cfg, Docs: len(train)}
	for _, d := range train {
		m.info.Lines += len(d.Lines)
	}
	return m, nil
}

// newScale computes the means and deviations of the vectors of documents.
func newScale(docs [][]float32, width int) scale {
	sum, squares := make([]float64, width), make([]float64, width)
	n := 0.
	for _, v := range docs {
		for i, x := range v {
			sum[i%width] += float64(x)
			squares[i%width] += float64(x) * float64(x)
		}
		n += float64(len(v) / width)
	}
	s := scale{make([]float32, width), make([]float32, width)}
	for i := range sum {
		mean := sum[i] / max(1, n)
		deviation := math.Sqrt(max(0, squares[i]/max(1, n)-mean*mean))
		s.mean[i], s.factor[i] = float32(mean), 1
		if deviation > 1e-6 {
			s.factor[i] = float32(1 / deviation)
		}
	}
	return s
}

func (s scale) apply(vectors []float32) {
	w := len(s.mean)
	for i := range vectors {
		vectors[i] = (vectors[i] - s.mean[i%w]) * s.factor[i%w]
	}
}

// Score appends the probability of text of each line of a document to dst.
func (m *Model) Score(ctx context.Context, dst []float32, lines []string) ([]float32, error) {
	all, err := m.ScoreDocs(ctx, [][]string{lines}, "")
	if err != nil {
		return nil, err
	}
	return append(dst, all[0]...), nil
}

// ScoreDocs returns the probabilities of text of the lines of several documents, which are encoded
// together; cache is as in [Encoder.DocVectors].
func (m *Model) ScoreDocs(ctx context.Context, docs [][]string, cache string) ([][]float32, error) {
	vectors, err := m.encoder.DocVectors(ctx, docs, cache, nil)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(docs))
	for i, v := range vectors {
		out[i] = make([]float32, len(docs[i]))
		if len(docs[i]) == 0 {
			continue
		}
		m.scale.apply(v)
		m.net.LogOdds(out[i], &recurrent.Sequence{Dense: v, N: len(docs[i])})
		for j, z := range out[i] {
			out[i][j] = float32(1 / (1 + math.Exp(-float64(z))))
		}
	}
	return out, nil
}

// Encoder returns the encoder of the model.
func (m *Model) Encoder() *Encoder { return m.encoder }
