package epochs

import (
	"bufio"
	"bytes"

	"chaffinch/crawl/frontier"
	"chaffinch/crawl/schedule"

	"github.com/zeebo/xxh3"
)

// Sent drops links that a rank sent before. It keeps 8 bytes per link on disk and a bounded number
// of links in memory.
type Sent struct {
	sieve *frontier.Sieve
	key   []byte
	item  []byte
}

// sentSieve takes at most 36 MB.
var sentSieve = frontier.SieveConfig{Pending: 1 << 20, Recent: 1 << 18}

// OpenSent opens the sent links in a folder with the state of a [Sent.Generation], 0 for none.
func OpenSent(dir string, generation int) (*Sent, error) {
	sieve, err := frontier.OpenSieve(dir, generation, sentSieve)
	return &Sent{sieve: sieve}, err
}

// Generation identifies the state after the last Flush.
func (s *Sent) Generation() int { return s.sieve.Generation() }

// Close releases the files.
func (s *Sent) Close() error { return s.sieve.Close() }

// Add adds a link to a bundle unless it was sent before. It may wait for Flush.
func (s *Sent) Add(b *Bundle, l schedule.Link) error {
	if s.sieve.Full() {
		if err := s.Flush(b); err != nil {
			return err
		}
	}
	s.key = append(append(s.key[:0], l.Origin...), l.Path...)
	s.item = appendLink(s.item[:0], l)
	return s.sieve.Add(xxh3.Hash(s.key), s.item)
}

// Flush adds the waiting links to a bundle.
func (s *Sent) Flush(b *Bundle) error {
	in := bufio.NewReader(nil)
	return s.sieve.Flush(func(item []byte) error {
		in.Reset(bytes.NewReader(item))
		l, err := readLink(in)
		if err != nil {
			return err
		}
		return b.Add(l)
	})
}

// Prune removes the files of earlier generations.
func (s *Sent) Prune() error { return s.sieve.Prune() }
