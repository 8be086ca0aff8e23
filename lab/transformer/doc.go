// Package transformer labels the lines of a document with a language model like XLM-R (Conneau et
// al. 2019), as in Salmela (2022, section 5.2): a transformer returns a vector for each line, and a
// bidirectional LSTM over the vectors of the document's lines classifies them. [New] opens an
// encoder, [Train] trains a model and [Open] opens one.
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
// The transformer itself is trained elsewhere and read from an ONNX file. The package is in a
// separate module, since calling ONNX Runtime requires cgo.
package transformer
