package desk

// event is a line of an annotator's log: a step on a page. Logs are append-only; undo is
// another event.
type event struct {
	Page string `json:"page"`
	// Seq counts the events of the person on the page, from 1.
	Seq int `json:"seq"`
	// Group is the same for what one key did on several pages, and rises in the file.
	Group int    `json:"group"`
	Time  string `json:"time"` // RFC 3339
	What  string `json:"what"` // see the constants
	// By is the adjudicator, in the file of adjudicated labels.
	By string `json:"by,omitempty"`
	// Blank reports whether proposals were hidden.
	Blank bool `json:"blank,omitempty"`
	// Millis is the time since the person's last key on the page.
	Millis int64  `json:"ms,omitempty"`
	Labels []mark `json:"labels,omitempty"`
}

// The kinds of events.
const (
	didLabel  = "label"
	didAlike  = "alike"  // the like blocks of the site's other pages
	didAccept = "accept" // the proposals of the blocks without a label; the page is done
	didUndo   = "undo"
	didReopen = "reopen" // a page that was done
)

// mark is the label of a block.
type mark struct {
	// Start and End are the bytes of the block in the decoded page.
	Start int `json:"start"`
	End   int `json:"end"`
	// Label is a role, with a star in a further article, or text or boilerplate for a
	// line; "" takes the label back.
	Label string `json:"label"`
	// Proposed is the label proposed by the model, with its probability.
	Proposed string  `json:"proposed,omitempty"`
	Score    float32 `json:"score,omitempty"`
}
