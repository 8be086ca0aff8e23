package transformer

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Head is the classification head of RoBERTa's family
// (RobertaClassificationHead of transformers): with the vector x of <s>,
//
//	logits = P tanh(D x + d) + p
type Head struct {
	width, classes int
	dense, bias    []float32 // D, width x width, and d
	out, outBias   []float32 // P, classes x width, and p
}

// headNames lists the tensors of a head.
var headNames = []string{"classifier.dense.weight", "classifier.dense.bias", "classifier.out_proj.weight", "classifier.out_proj.bias"}

// LoadHead reads a head from the safetensors file of a checkpoint, or from a smaller file with only
// those four tensors.
func LoadHead(path string) (*Head, error) {
	all, err := ReadSafetensors(path, func(name string) bool { return strings.HasPrefix(name, "classifier.") })
	if err != nil {
		return nil, err
	}
	h, err := newHead(all)
	if err != nil {
		return nil, fmt.Errorf("head %s: %w", path, err)
	}
	return h, nil
}

func newHead(all map[string]Tensor) (*Head, error) {
	for _, name := range headNames {
		if _, ok := all[name]; !ok {
			return nil, fmt.Errorf("no tensor %s, wanted %s", name, strings.Join(headNames, ", "))
		}
	}
	d, o := all[headNames[0]], all[headNames[2]]
	if len(d.Shape) != 2 || d.Shape[0] != d.Shape[1] || len(o.Shape) != 2 || o.Shape[1] != d.Shape[0] || o.Shape[0] < 1 || d.Shape[0] < 1 {
		return nil, fmt.Errorf("dense of shape %v and out_proj of shape %v, wanted n x n and classes x n", d.Shape, o.Shape)
	}
	h := &Head{width: d.Shape[0], classes: o.Shape[0], dense: d.Data, bias: all[headNames[1]].Data, out: o.Data, outBias: all[headNames[3]].Data}
	if len(h.bias) != h.width || len(h.outBias) != h.classes {
		return nil, fmt.Errorf("biases of %d and %d values, wanted %d and %d", len(h.bias), len(h.outBias), h.width, h.classes)
	}
	return h, nil
}

// Logits appends the logits of each vector to dst, one value per class.
func (h *Head) Logits(dst, vectors []float32) []float32 {
	inner := make([]float32, h.width)
	for ; len(vectors) >= h.width; vectors = vectors[h.width:] {
		x := vectors[:h.width]
		for i := range inner {
			inner[i] = float32(math.Tanh(float64(h.bias[i] + dot(h.dense[i*h.width:(i+1)*h.width], x))))
		}
		for c := range h.classes {
			dst = append(dst, h.outBias[c]+dot(h.out[c*h.width:(c+1)*h.width], inner))
		}
	}
	return dst
}

func dot(a, b []float32) (sum float32) {
	for i, x := range a {
		sum += float32(x * b[i])
	}
	return sum
}

// LineClassifier classifies each line independently: the first model of the thesis. It is safe for
// concurrent use.
type LineClassifier struct {
	encoder *Encoder
	head    *Head
	text    int
}

// NewLineClassifier returns a classifier with an encoder and a head; text is the class of text. If
// head is nil, the encoder's vectors are the logits: for a model whose graph has a head, with the
// output "logits".
func NewLineClassifier(e *Encoder, head *Head, text int) (*LineClassifier, error) {
	classes := e.Width()
	if head != nil {
		if classes = head.classes; head.width != e.Width() {
			return nil, fmt.Errorf("a head for vectors of width %d, the model's have %d", head.width, e.Width())
		}
	}
	if text < 0 || text >= classes || head == nil && classes > 64 {
		return nil, fmt.Errorf("class %d of text among %d, wanted an output of logits or a head, and one of its classes", text, classes)
	}
	return &LineClassifier{e, head, text}, nil
}

// ScoreDocs returns the probabilities of text of the lines of documents; cache is as in
// [Encoder.DocVectors].
func (c *LineClassifier) ScoreDocs(ctx context.Context, docs [][]string, cache string) ([][]float32, error) {
	vectors, err := c.encoder.DocVectors(ctx, docs, cache, nil)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(docs))
	for i, logits := range vectors {
		n := c.encoder.Width()
		if c.head != nil {
			logits, n = c.head.Logits(nil, logits), c.head.classes
		}
		for ; len(logits) >= n; logits = logits[n:] {
			out[i] = append(out[i], probability(logits[:n], c.text))
		}
	}
	return out, nil
}

// probability returns the softmax for a class. A single logit belongs to class 0.
func probability(logits []float32, class int) float32 {
	if len(logits) == 1 {
		return float32(1 / (1 + math.Exp(-float64(logits[0]))))
	}
	sum := 0.
	for _, l := range logits {
		sum += math.Exp(float64(l - logits[class]))
	}
	return float32(1 / sum)
}
