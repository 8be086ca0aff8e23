// Package recurrent applies small recurrent networks that return the log odds of a binary class for
// each item of a sequence, using the items before and after it. [Parse] decodes a network,
// [Net.LogOdds] applies one, and a [Scorer] applies several.
//
// # The network
//
// An item is a vector of any width and, if the network has a table of embeddings, a bag of ids. The
// sum of their rows, divided by the square root of their number, is appended to the vector. A
// projection (tanh) may follow. Then one or more layers of cells read the sequence forward and
// backward (Schuster and Paliwal, Bidirectional recurrent neural networks, IEEE Trans. Signal
// Processing 45, 1997): gated recurrent units or long short-term memories (cell.go). The log odds
// of an item are a linear function of the states of both directions of the last layer and, with
// Skip, of the input.
//
// Products are rounded before they are added, so that no processor fuses the operations, and the
// exponential is computed here. Scores are therefore identical to the bit on all machines. Package
// lab/train/nets trains networks.
//
// # Cost
//
// An item costs one multiplication per weight and one addition per value of an embedding. A
// thousand multiplications take about 0.2 microseconds with SSE, and 0.05 with the vectors of
// sixteen numbers of a [Scorer].
package recurrent
