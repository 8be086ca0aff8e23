package transformer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"chaffinch/lab/transformer/tokenizer"
)

// Pooling is the method of computing the vector of a line.
type Pooling string

// The methods of pooling.
const (
	First Pooling = "first" // the vector of the first piece, <s>
	Mean  Pooling = "mean"  // the mean over all pieces except padding
)

// Config configures an [Encoder].
type Config struct {
	// Model is the path of the ONNX file.
	Model string `json:"-"`
	// Tokenizer is the path of the model's tokenizer.json. Default: the file of that name beside
	// the model.
	Tokenizer string `json:"-"`
	// Library is the path of ONNX Runtime's shared library; see [LoadLibrary].
	Library string `json:"-"`
	// Output is the name of the model's output. If its shape is lines x pieces x width, it is
	// pooled; if it is lines x width, it is used unchanged. Default: last_hidden_state if present,
	// otherwise the first output.
	Output string `json:"output,omitempty"`
	// Pooling is the method of computing the vector of a line from the vectors of its pieces.
	Pooling Pooling `json:"pooling"`
	// MaxLength is the maximum number of pieces of a line including special tokens. Longer lines
	// are truncated. XLM-R was trained with 512, which Salmela also uses.
	MaxLength int `json:"max_length"`
	// BatchLines and BatchPieces are the maximum numbers of lines and of pieces, including padding,
	// in a batch.
	BatchLines  int `json:"-"`
	BatchPieces int `json:"-"`
	// Threads is the number of threads of ONNX Runtime. Default: one per processor.
	Threads int `json:"-"`
}

// Default uses <s>, as in the thesis, and lines of up to 512 pieces.
var Default = Config{Pooling: First, MaxLength: 512, BatchLines: 32, BatchPieces: 4096}

// Encoder encodes lines as vectors. It is safe for concurrent use.
type Encoder struct {
	cfg     Config
	tok     *tokenizer.Tokenizer
	session *ort.DynamicAdvancedSession
	inputs  []string // in the order of the session
	output  string
	width   int
	sum     string // SHA-256 of the model and the tokenizer
}

// New loads the library, the model and its tokenizer.
func New(cfg Config) (*Encoder, error) {
	if cfg.Pooling != First && cfg.Pooling != Mean {
		return nil, fmt.Errorf("pooling %q, wanted %s or %s", cfg.Pooling, First, Mean)
	}
	if cfg.MaxLength < 1 || cfg.BatchLines < 1 || cfg.BatchPieces < 1 || cfg.Threads < 0 {
		return nil, fmt.Errorf("lines of %d pieces, batches of %d lines and %d pieces, %d threads: wanted at least 1 of each, and 0 threads or more",
			cfg.MaxLength, cfg.BatchLines, cfg.BatchPieces, cfg.Threads)
	}
	cfg.Tokenizer = cmp.Or(cfg.Tokenizer, filepath.Join(filepath.Dir(cfg.Model), "tokenizer.json"))
	e := &Encoder{cfg: cfg}
	var err error
	if e.tok, err = tokenizer.Load(cfg.Tokenizer); err != nil {
		return nil, err
	}
	e.tok.SetMaxLength(cfg.MaxLength)
	if e.sum, err = sumFiles(cfg.Model, cfg.Tokenizer); err != nil {
		return nil, err
	}
	if err := LoadLibrary(cfg.Library); err != nil {
		return nil, err
	}
	if err := e.open(); err != nil {
		return nil, fmt.Errorf("model %s: %w", cfg.Model, err)
	}
	return e, nil
}

// sumFiles returns the SHA-256 of the concatenated files.
func sumFiles(paths ...string) (string, error) {
	h := sha256.New()
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return "", fmt.Errorf("open model: %w", err)
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("read model %s: %w", p, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// open reads the inputs and outputs of the model and starts a session.
func (e *Encoder) open() error {
	ins, outs, err := ort.GetInputOutputInfo(e.cfg.Model)
	if err != nil {
		return err
	}
	for _, in := range ins {
		switch in.Name {
		case "input_ids", "attention_mask", "token_type_ids":
		default:
			return fmt.Errorf("input %q, wanted input_ids, attention_mask and perhaps token_type_ids", in.Name)
		}
		if in.DataType != ort.TensorElementDataTypeInt64 || len(in.Dimensions) != 2 {
			return fmt.Errorf("input %s of type %s with %d dimensions, wanted int64 with 2: export it again", in.Name, in.DataType, len(in.Dimensions))
		}
		for i, d := range in.Dimensions {
			if d > 0 {
				return fmt.Errorf("input %s: dimension %d is fixed at %d, wanted lines and pieces of any number: export it with dynamic axes", in.Name, i, d)
			}
		}
		e.inputs = append(e.inputs, in.Name)
	}
	if !slices.Contains(e.inputs, "input_ids") || !slices.Contains(e.inputs, "attention_mask") {
		return fmt.Errorf("inputs %q, wanted input_ids and attention_mask among them", e.inputs)
	}
	out, err := chooseOutput(outs, e.cfg.Output)
	if err != nil {
		return err
	}
	e.output, e.width = out.Name, int(out.Dimensions[len(out.Dimensions)-1])
	options, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer options.Destroy()
	threads := cmp.Or(e.cfg.Threads, runtime.GOMAXPROCS(0))
	if err := errors.Join(options.SetIntraOpNumThreads(threads), options.SetInterOpNumThreads(1)); err != nil {
		return err
	}
	e.session, err = ort.NewDynamicAdvancedSession(e.cfg.Model, e.inputs, []string{e.output}, options)
	return err
}

func chooseOutput(outs []ort.InputOutputInfo, name string) (out ort.InputOutputInfo, err error) {
	var names []string
	for _, o := range outs {
		names = append(names, o.Name)
	}
	at := slices.Index(names, name)
	if name == "" {
		at = max(0, slices.Index(names, "last_hidden_state"))
	}
	if at < 0 || len(outs) == 0 {
		return out, fmt.Errorf("no output %q, wanted one of %s", name, strings.Join(names, ", "))
	}
	out = outs[at]
	n := len(out.Dimensions)
	if out.DataType != ort.TensorElementDataTypeFloat || n != 2 && n != 3 || out.Dimensions[n-1] < 1 {
		return out, fmt.Errorf("output %s of type %s and shape %s, wanted float, lines x pieces x width or lines x width, with a width that is fixed", out.Name, out.DataType, out.Dimensions)
	}
	return out, nil
}

// Close releases the session.
func (e *Encoder) Close() error { return e.session.Destroy() }

// Width returns the number of values of a vector.
func (e *Encoder) Width() int { return e.width }

// Output returns the name of the model's output that vectors are computed from.
func (e *Encoder) Output() string { return e.output }

// SHA256 returns the hash of the model's file followed by its tokenizer's file.
func (e *Encoder) SHA256() string { return e.sum }

// Vectors appends the vectors of lines to dst, [Encoder.Width] values each. Batch sizes and the
// order of lines affect them only by rounding errors.
func (e *Encoder) Vectors(ctx context.Context, dst []float32, lines []string) ([]float32, error) {
	var ids []int64
	ends := make([]int, len(lines))
	lengths := make([]int, len(lines))
	for i, line := range lines {
		from := len(ids)
		ids = e.tok.Encode(ids, []byte(line))
		ends[i], lengths[i] = len(ids), len(ids)-from
	}
	from := len(dst)
	dst = append(dst, make([]float32, len(lines)*e.width)...)
	out := dst[from:]
	for _, b := range batches(lengths, e.cfg.BatchLines, e.cfg.BatchPieces) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b.length == 0 {
			continue // neither pieces nor special tokens: the zero vector
		}
		if err := e.run(out, b, ids, ends, lengths); err != nil {
			return nil, fmt.Errorf("model %s: %d lines of up to %d pieces: %w", e.cfg.Model, len(b.lines), b.length, err)
		}
	}
	return dst, nil
}

// run runs a batch through the model and stores the vectors.
func (e *Encoder) run(out []float32, b batch, ids []int64, ends, lengths []int) error {
	n := len(b.lines)
	input, mask := make([]int64, n*b.length), make([]int64, n*b.length)
	for i := range input {
		input[i] = e.tok.Pad()
	}
	for row, line := range b.lines {
		copy(input[row*b.length:], ids[ends[line]-lengths[line]:ends[line]])
		for i := range lengths[line] {
			mask[row*b.length+i] = 1
		}
	}
	shape := ort.NewShape(int64(n), int64(b.length))
	values := make([]ort.Value, 0, len(e.inputs))
	defer func() {
		for _, v := range values {
			v.Destroy()
		}
	}()
	for _, name := range e.inputs {
		data := input
		switch name {
		case "attention_mask":
			data = mask
		case "token_type_ids": // all lines are a first segment
			data = make([]int64, len(input))
		}
		v, err := ort.NewTensor(shape, data)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	results := []ort.Value{nil}
	if err := e.session.Run(values, results); err != nil {
		return err
	}
	defer results[0].Destroy()
	tensor, ok := results[0].(*ort.Tensor[float32])
	if !ok {
		return fmt.Errorf("output %s of type %T, wanted float", e.output, results[0])
	}
	return e.pool(out, b, lengths, tensor.GetData(), tensor.GetShape())
}

// pool computes the vectors of lines from the output of the model.
func (e *Encoder) pool(out []float32, b batch, lengths []int, data []float32, shape ort.Shape) error {
	n, w := len(b.lines), e.width
	switch {
	case shape.Equals(ort.NewShape(int64(n), int64(w))):
		for row, line := range b.lines {
			copy(out[line*w:(line+1)*w], data[row*w:])
		}
	case shape.Equals(ort.NewShape(int64(n), int64(b.length), int64(w))):
		for row, line := range b.lines {
			vector := out[line*w : (line+1)*w]
			from := row * b.length * w
			if e.cfg.Pooling == First {
				copy(vector, data[from:])
				continue
			}
			for i := range lengths[line] {
				for j, x := range data[from+i*w : from+(i+1)*w] {
					vector[j] += x
				}
			}
			for j := range vector {
				vector[j] /= float32(lengths[line])
			}
		}
	default:
		return fmt.Errorf("output %s of shape %s for %d lines of %d pieces, wanted width %d", e.output, shape, n, b.length, w)
	}
	return nil
}
