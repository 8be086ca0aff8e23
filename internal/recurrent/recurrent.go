// Package recurrent trains and applies small recurrent networks that give each
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
// # Training
//
// Back-propagation through time over whole sequences, or over windows of very
// long ones (backward.go, train.go), steps of Adam with decoupled decay
// (adam.go). The windows of a batch are dealt to four groups; the gradients of
// a group are added in order, then those of the groups. So the weights depend
// on the seed but not on the number of workers. Products are rounded before
// they are added, so that no processor fuses the two, and the exponential is
// computed here, so that scores are the same to the bit on any machine; in
// training the rate takes its cosine from package math, whose last bit may
// differ between kinds of processors.
//
// # Cost
//
// An item costs one multiplication a weight and one addition a value of an
// embedding; a thousand multiplications take some 0.2 microseconds in SSE, and
// .05 in the vectors of sixteen numbers of a [Scorer].
package recurrent
