// Package transformer labels the lines of a document with a language model of
// XLM-R's kind (Conneau et al. 2019), as Salmela (2022, section 5.2) does: a
// transformer makes a vector of each line by itself, and a bidirectional LSTM
// over the vectors of the document's lines says which are text.
//
// The parts in the order of the data:
//
//	tokenizer/     tokenizer.json: lines to pieces
//	library.go     ONNX Runtime's shared library
//	encoder.go     pieces to vectors, in batches (batch.go)
//	head.go        a vector to the probability of text: the model of one line
//	               alone (safetensors.go)
//	model.go       vectors of a document to probabilities: the LSTM, its
//	               training and file
//	labeller.go    the same as a clean.Labeller
//
// The transformer itself is trained elsewhere and comes as an ONNX file. It is
// a module of its own, since calling ONNX Runtime takes cgo.
package transformer
