// Package nets trains the networks of package recurrent with [Train]: back-propagation through time
// over complete sequences, or over windows of very long ones (backward.go, train.go), with Adam and
// decoupled weight decay (adam.go).
//
// The windows of a batch are divided into four groups. The gradients of a group are added in order,
// then the gradients of the groups, so that the weights depend on the seed but not on the number of
// workers. The learning rate uses the cosine of package math, whose last bit may differ between
// kinds of processors; everything else is identical to the bit on all machines.
package nets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"chaffinch/internal/parallel"
	"chaffinch/internal/recurrent"
)

// Config configures the training of a network.
type Config struct {
	// Epochs is the maximum number of passes over the sequences. Patience is the number of epochs
	// without improvement after which training ends; 0 for no limit. The best epoch has the highest
	// accuracy on the development part, of several the lowest loss. Its weights are kept.
	Epochs   int `json:"epochs"`
	Patience int `json:"patience,omitempty"`
	// Batch is the number of sequences per step.
	Batch int `json:"batch"`
	// Rate is the maximum learning rate. It rises over the first twentieth of the steps and falls
	// along half a cosine to 0 at the end of the last epoch.
	Rate float64 `json:"rate"`
	// Decay is the weight decay per step, times the rate (Loshchilov and Hutter, Decoupled weight
	// decay regularization, 2019). TableDecay is the decay of embeddings.
	Decay      float64 `json:"decay,omitempty"`
	TableDecay float64 `json:"table_decay,omitempty"`
	// DropInput, DropIDs and DropHidden are the dropout rates of dense values, of ids, and of
	// values of the projection and of the last layer (Srivastava et al., JMLR 15, 2014).
	DropInput  float64 `json:"drop_input,omitempty"`
	DropIDs    float64 `json:"drop_ids,omitempty"`
	DropHidden float64 `json:"drop_hidden,omitempty"`
	// Clip is the maximum norm of a gradient, 0 for no limit.
	Clip float64 `json:"clip,omitempty"`
	// Smooth is the label smoothing: target 0 becomes Smooth/2.
	Smooth float64 `json:"smooth,omitempty"`
	// Window is the maximum number of items of a training sequence. Longer sequences are divided
	// into windows with Overlap additional items on each side.
	Window  int `json:"window,omitempty"`
	Overlap int `json:"overlap,omitempty"`
	// Anchor is the strength of the penalty for distance from the initial weights: the fraction of
	// the difference removed per step, times the rate.
	Anchor float64 `json:"anchor,omitempty"`
	Seed   uint64  `json:"seed"`
	// Workers is the number of goroutines, 0 for one per processor. The weights do not depend on
	// it.
	Workers int `json:"-"`
}

// Default is a starting point for several hundred documents.
var Default = Config{Epochs: 20, Patience: 8, Batch: 16, Rate: 4e-3, Decay: .05, TableDecay: .05,
	DropInput: .1, DropIDs: .3, DropHidden: .3, Clip: 1, Window: 1024, Overlap: 64, Seed: 1}

// Check returns an error if the settings are invalid.
func (c Config) Check() error {
	share := func(v float64) bool { return v >= 0 && v < 1 }
	switch {
	case c.Epochs < 1 || c.Batch < 1 || c.Patience < 0 || c.Workers < 0:
		return fmt.Errorf("nets: %d epochs with batches of %d sequences, patience %d, %d workers: wanted at least 1, 1, 0, 0", c.Epochs, c.Batch, c.Patience, c.Workers)
	case !(c.Rate > 0) || c.Rate > 1:
		return fmt.Errorf("nets: rate %v, wanted above 0, such as 0.004", c.Rate)
	case !(c.Decay >= 0) || !(c.TableDecay >= 0) || !(c.Anchor >= 0) || !(c.Clip >= 0):
		return fmt.Errorf("nets: decay %v and %v, anchor %v, clip %v: wanted 0 or more", c.Decay, c.TableDecay, c.Anchor, c.Clip)
	case !share(c.DropInput) || !share(c.DropIDs) || !share(c.DropHidden) || !share(c.Smooth):
		return fmt.Errorf("nets: dropout of %v of the input, %v of the ids, %v of the hidden values, smoothing %v: wanted 0 to below 1", c.DropInput, c.DropIDs, c.DropHidden, c.Smooth)
	case c.Window < 0 || c.Overlap < 0:
		return fmt.Errorf("nets: windows of %d items with %d more on each side, wanted 0 or more", c.Window, c.Overlap)
	}
	return nil
}

// Epoch holds the results of a pass over the training part.
type Epoch struct {
	Number   int     // from 1
	Train    float64 // mean loss of an item in training, with dropout, in nats
	Dev      float64 // mean loss of an item of the development part
	Accuracy float64 // weighted fraction of the development part classified correctly
	Best     bool
}

// Example is a training sequence.
type Example struct {
	recurrent.Sequence
	// Target and Weight hold the target probability and the weight of each item. A nil Weight means
	// weights of 1.
	Target, Weight []float32
	// Base, if not nil, holds log odds of another model: training fits Base plus Share times the
	// log odds of the network.
	Base  []float32
	Share float32
}

// fits returns an error if q is not a valid example for net.
func (q *Example) fits(net *recurrent.Net) error {
	if err := net.Fits(&q.Sequence); err != nil {
		return err
	}
	if len(q.Target) != q.N || q.Weight != nil && len(q.Weight) != q.N || q.Base != nil && len(q.Base) != q.N {
		return fmt.Errorf("nets: %d targets, %d weights and %d base values for %d items", len(q.Target), len(q.Weight), len(q.Base), q.N)
	}
	return nil
}

// groups is the number of parts of a batch whose gradients are summed separately, so that sums do
// not depend on the number of workers.
const groups = 4

// Train trains net, starting with its current weights, on train. It sets the weights of the best
// epoch on dev, or of the last epoch without dev. The result depends only on the network, the
// sequences and the configuration. progress may be nil.
//
// The loss of an item with weight w, target y and log odds z is
// -w (y ln p + (1-y) ln (1-p)), p = 1/(1+e^-z). Steps use Adam (Kingma and Ba, ICLR 2015).
func Train(ctx context.Context, cfg Config, net *recurrent.Net, train, dev []*Example, progress func(Epoch)) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	for _, q := range append(append([]*Example(nil), train...), dev...) {
		if err := q.fits(net); err != nil {
			return err
		}
	}
	t := newTrainer(net, train, cfg)
	if len(t.windows) == 0 {
		return errors.New("nets: no items to learn from")
	}
	best := Clone(net)
	high, low, since := -1., math.Inf(1), 0
	for e := range cfg.Epochs {
		loss, err := t.epoch(ctx, e)
		if err != nil {
			return fmt.Errorf("nets: epoch %d of %d: %w", e+1, cfg.Epochs, err)
		}
		now := Epoch{Number: e + 1, Train: loss, Best: true}
		if len(dev) > 0 {
			now.Dev, now.Accuracy = Loss(net, dev, cfg.Workers)
			now.Best = now.Accuracy > high || now.Accuracy == high && now.Dev < low
		}
		if since++; now.Best {
			high, low, since = now.Accuracy, now.Dev, 0
			copy(best.Flat, net.Flat)
			copy(best.Table, net.Table)
		}
		if progress != nil {
			progress(now)
		}
		if cfg.Patience > 0 && len(dev) > 0 && since >= cfg.Patience {
			break
		}
	}
	copy(net.Flat, best.Flat)
	copy(net.Table, best.Table)
	return nil
}

// window is a part of a training sequence: items from to to-1, of which a to b-1 contribute to the
// loss.
type window struct {
	q        *Example
	from, to int
	a, b     int
}

func windows(all []*Example, size, overlap int) (out []window) {
	for _, q := range all {
		if size == 0 || q.N <= size {
			if q.N > 0 {
				out = append(out, window{q, 0, q.N, 0, q.N})
			}
			continue
		}
		for a := 0; a < q.N; a += size {
			b := min(a+size, q.N)
			out = append(out, window{q, max(0, a-overlap), min(q.N, b+overlap), a, b})
		}
	}
	return out
}

// trainer is the state between steps.
type trainer struct {
	net     *recurrent.Net
	cfg     Config
	windows []window
	weight  float64 // mean weight of a batch
	adam    *adam
	grads   [groups]*gradient
	traces  [groups]*recurrent.Trace
	noise   [groups]*dropout
	derivs  [groups][]float32
	losses  [groups]float64
	step    int
	steps   int
}

func newTrainer(net *recurrent.Net, train []*Example, cfg Config) *trainer {
	t := &trainer{net: net, cfg: cfg, windows: windows(train, cfg.Window, cfg.Overlap), adam: newAdam(net, cfg)}
	perEpoch := (len(t.windows) + cfg.Batch - 1) / cfg.Batch
	t.steps = perEpoch * cfg.Epochs
	for g := range groups {
		t.grads[g], t.traces[g] = newGradient(net.Shape), new(recurrent.Trace)
		t.noise[g] = &dropout{dense: cfg.DropInput, ids: cfg.DropIDs, top: cfg.DropHidden}
	}
	for _, w := range t.windows {
		for i := w.a; i < w.b; i++ {
			t.weight += float64(w.q.weight(i)) / float64(perEpoch)
		}
	}
	return t
}

func (q *Example) weight(i int) float32 {
	if q.Weight == nil {
		return 1
	}
	return q.Weight[i]
}

// mixed returns the log odds of item i for the network's output z, and their derivative by z.
func (q *Example) mixed(i int, z float32) (all, share float32) {
	if q.Base == nil {
		return z, 1
	}
	return q.Base[i] + float32(q.Share*z), q.Share
}

// epoch makes a pass over all windows and returns the mean loss of an item.
func (t *trainer) epoch(ctx context.Context, e int) (float64, error) {
	rng := rand.New(rand.NewPCG(t.cfg.Seed, uint64(e)))
	deal := rng.Perm(len(t.windows))
	var loss float64
	for from := 0; from < len(deal); from += t.cfg.Batch {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		batch := deal[from:min(from+t.cfg.Batch, len(deal))]
		parallel.Each(t.cfg.Workers, groups, func(g int) { t.group(g, batch, e) })
		for g := range groups {
			loss += t.losses[g]
			if g > 0 {
				t.grads[0].merge(t.grads[g], t.net.Dim)
			}
		}
		t.adam.step(t.net, t.grads[0], t.rate())
		t.step++
	}
	return loss / (t.weight * float64((len(t.windows)+t.cfg.Batch-1)/t.cfg.Batch)), nil
}

// rate returns the learning rate of the current step.
func (t *trainer) rate() float64 {
	warm := max(1, t.steps/20)
	if t.step < warm {
		return t.cfg.Rate * float64(t.step+1) / float64(warm)
	}
	return t.cfg.Rate * (1 + math.Cos(math.Pi*float64(t.step-warm)/float64(max(1, t.steps-warm)))) / 2
}

// group sums the gradients of every groups-th window of a batch.
func (t *trainer) group(g int, batch []int, epoch int) {
	t.grads[g].reset(t.net.Dim)
	t.losses[g] = 0
	for k := g; k < len(batch); k += groups {
		w := t.windows[batch[k]]
		q := w.q.Part(t.net.Shape, w.from, w.to)
		z := t.noise[g]
		z.begin(rand.NewPCG(t.cfg.Seed^0x6e6f697365, uint64(epoch)<<32|uint64(batch[k])))
		tr := t.traces[g]
		t.net.Forward(tr, &q, z)
		d := cleared(t.derivs[g], q.N)
		t.derivs[g] = d
		for i := w.a; i < w.b; i++ {
			y, v := float64(w.q.Target[i]), float64(w.q.weight(i))
			y = float64(y*(1-t.cfg.Smooth)) + t.cfg.Smooth/2
			z, share := w.q.mixed(i, tr.LogOdds[i-w.from])
			t.losses[g] += float64(v * lossOf(float64(z), y))
			d[i-w.from] = float32(v * (float64(recurrent.Sigmoid(z)) - y) * float64(share) / t.weight)
		}
		backward(t.net, t.grads[g], tr, d, z)
	}
}

// lossOf returns -(y ln p + (1-y) ln (1-p)) at log odds z.
func lossOf(z, y float64) float64 {
	return max(z, 0) - float64(z*y) + math.Log1p(math.Exp(-math.Abs(z)))
}

// Loss returns the mean loss of an item in nats, and the weighted fraction of items classified
// correctly.
func Loss(n *recurrent.Net, all []*Example, workers int) (loss, accuracy float64) {
	type sums struct{ loss, right, weight float64 }
	each := make([]sums, len(all))
	parallel.Each(workers, len(all), func(i int) {
		q := all[i]
		p := make([]float32, q.N)
		n.LogOdds(p, &q.Sequence)
		for k, z := range p {
			w := float64(q.weight(k))
			z, _ := q.mixed(k, z)
			each[i].loss += float64(w * lossOf(float64(z), float64(q.Target[k])))
			each[i].weight += w
			if (z >= 0) == (q.Target[k] >= .5) {
				each[i].right += w
			}
		}
	})
	var s sums
	for _, e := range each {
		s.loss, s.right, s.weight = s.loss+e.loss, s.right+e.right, s.weight+e.weight
	}
	return s.loss / s.weight, s.right / s.weight
}
