package main

import (
	"fmt"
	"path/filepath"

	"chaffinch/lab/transformer"
)

// encoderFlags selects the transformer.
type encoderFlags struct {
	Transformer string `required:"" placeholder:"FILE" help:"Model of XLM-R's kind as an ONNX file, with any number of lines and pieces (dynamic axes)."`
	Tokenizer   string `placeholder:"FILE" help:"Its tokenizer.json. Default: the file of that name beside the model."`
	Library     string `placeholder:"FILE" env:"CHAFFINCH_ONNXRUNTIME" help:"ONNX Runtime's shared library; the Python package onnxruntime has it in the folder capi."`
	Threads     int    `default:"0" help:"Threads of ONNX Runtime, 0 for one per processor. Default: ${default}."`
	Batch       int    `default:"32" help:"Most lines that go through the model at once. Default: ${default}."`
	Cache       string `placeholder:"DIR" type:"path" help:"Cache vectors in this folder."`
}

// vectorFlags selects the vectors unless a model file does.
type vectorFlags struct {
	Output    string `placeholder:"NAME" help:"Output of the model to take. Default: last_hidden_state, else the first."`
	Pooling   string `default:"first" enum:"first,mean" help:"Vector of a line: that of its first piece, <s>, or the mean of all. Default: ${default}."`
	MaxLength int    `default:"512" help:"Most pieces of a line, special tokens included. Default: ${default}."`
}

// config returns the configuration for both.
func (f *encoderFlags) config(v vectorFlags) transformer.Config {
	cfg := transformer.Default
	cfg.Model, cfg.Tokenizer, cfg.Library, cfg.Threads, cfg.BatchLines = f.Transformer, f.Tokenizer, f.Library, f.Threads, f.Batch
	cfg.Output, cfg.Pooling, cfg.MaxLength = v.Output, transformer.Pooling(v.Pooling), v.MaxLength
	return cfg
}

// scorerFlags selects the model that returns the probabilities of lines.
type scorerFlags struct {
	encoderFlags
	vectorFlags
	Model     string  `xor:"what" required:"" placeholder:"FILE" help:"Network over the lines of a document, made by the command train. It selects the vectors."`
	Head      string  `xor:"what" required:"" placeholder:"FILE" help:"Head of a classifier of single lines: safetensors file of the checkpoint."`
	Logits    bool    `xor:"what" required:"" help:"The model's output (--output, usually logits) is that of a classifier of single lines."`
	TextClass int     `default:"1" help:"With --head and --logits: number of the class of text. Default: ${default}."`
	Threshold float64 `default:"0.5" help:"Probability from which on a line is text. Default: ${default}."`
}

// open opens the scorer; done releases it.
func (f *scorerFlags) open() (s transformer.Scorer, done func() error, err error) {
	if !(f.Threshold > 0 && f.Threshold < 1) {
		return nil, nil, fmt.Errorf("threshold %v, wanted a probability above 0 and below 1", f.Threshold)
	}
	if f.Model != "" {
		m, err := transformer.Open(f.Model, f.config(f.vectorFlags))
		if err != nil {
			return nil, nil, err
		}
		return m, m.Encoder().Close, nil
	}
	var head *transformer.Head
	if f.Head != "" {
		if head, err = transformer.LoadHead(f.Head); err != nil {
			return nil, nil, err
		}
	}
	e, err := transformer.New(f.config(f.vectorFlags))
	if err != nil {
		return nil, nil, err
	}
	c, err := transformer.NewLineClassifier(e, head, f.TextClass)
	if err != nil {
		e.Close()
		return nil, nil, fmt.Errorf("%s: %w", filepath.Base(f.Transformer), err)
	}
	return c, e.Close, nil
}
