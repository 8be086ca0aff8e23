package lines

// NetConfig says how a recurrent network is trained.
type NetConfig struct {
	// Epochs is how often each sequence is seen at most, Patience after how
	// many epochs without a better one training ends; 0 for never. The best is
	// the one with most of the development part on the right side of a half,
	// of several the one with the lowest loss there. Its weights are kept.
	Epochs   int `json:"epochs"`
	Patience int `json:"patience,omitempty"`
	// Batch is the number of sequences of a step.
	Batch int `json:"batch"`
	// Rate is the largest step. It rises over the first twentieth of the steps
	// and falls along half a cosine to 0 at the end of the last epoch.
	Rate float64 `json:"rate"`
	// Decay is the share of a weight that a step takes away, times the rate
	// (Loshchilov and Hutter, Decoupled weight decay regularization, 2019);
	// TableDecay is that of embeddings.
	Decay      float64 `json:"decay,omitempty"`
	TableDecay float64 `json:"table_decay,omitempty"`
	// DropInput, DropIDs and DropHidden are the shares of dense values, of ids
	// and of values of the projection and of the last layer that are left out
	// at random (Srivastava et al., JMLR 15, 2014).
	DropInput  float64 `json:"drop_input,omitempty"`
	DropIDs    float64 `json:"drop_ids,omitempty"`
	DropHidden float64 `json:"drop_hidden,omitempty"`
	// Clip is the largest length of a gradient, 0 for any.
	Clip float64 `json:"clip,omitempty"`
	// Smooth moves targets towards a half: 0 becomes Smooth/2.
	Smooth float64 `json:"smooth,omitempty"`
	// Window is the number of items that are learned from at once; longer
	// sequences are cut into windows that see Overlap items more on each side.
	Window  int `json:"window,omitempty"`
	Overlap int `json:"overlap,omitempty"`
	// Anchor draws weights towards those that training began with: the share
	// of the difference that a step takes away, times the rate.
	Anchor float64 `json:"anchor,omitempty"`
	Seed   uint64  `json:"seed"`
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the weights.
	Workers int `json:"-"`
}
