// Package recurrent applies small recurrent networks that give each
// item of a sequence the probability of a yes, in the light of the items
// before and after it.
//
// # The network
//
// An item is a vector of any width and, if the network has a table of
// embeddings, a bag of ids; the sum of their rows, divided by the root of
// their number, joins the vector. A projection (tanh) may follow. Then one or
// more layers of cells read the sequence forward and backward (Schuster and
// Paliwal, Bidirectional recurrent neural networks, IEEE Trans. Signal
// Processing 45, 1997): gated recurrent units or long short-term memories
// (cell.go). The log odds of an item are a linear function of what the two
// directions of the last layer say, and, with Skip, of the input.
//
// Products are rounded before they are added, so that no processor fuses the two, and the
// exponential is computed here, so that scores are the same to the bit on any machine. Package
// lab/train/nets trains networks.
//
// # Cost
//
// An item costs one multiplication a weight and one addition a value of an
// embedding; a thousand multiplications take some 0.2 microseconds in SSE, and
// .05 in the vectors of sixteen numbers of a [Scorer].
package recurrent
