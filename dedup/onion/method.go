package onion

import (
	"context"
	"encoding/binary"
	"math"

	"chaffinch/dedup"
)

// method implements [dedup.Method] and [dedup.IndexKeeper].
type method struct {
	cfg    Config
	firsts uint64 // limit of the numbers in firsts, apart from the limit by memory
}

// New returns the method.
func New(cfg Config) (dedup.Method, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	return &method{cfg, math.MaxUint64}, nil
}

// Name returns the name of the method.
func (m *method) Name() string { return name }

// Config returns the settings.
func (m *method) Config() any { return m.cfg }

// Tables returns the tables of n-grams and units.
func (m *method) Tables() []dedup.Table {
	return []dedup.Table{
		{Name: "grams", Record: gramRecord, Key: 8, Doc: 8},
		{Name: "units", Record: unitRecord, Key: 1, Doc: 1},
	}
}

// IgnoresSingletons reports whether records of the table that occur once are ignored: true for
// n-grams.
func (m *method) IgnoresSingletons(table string) bool { return table == "grams" }

// Sketcher returns a new sketcher.
func (m *method) Sketcher() dedup.Sketcher { return &sketcher{text: newText(&m.cfg)} }

// KeepRecord reports whether a record is added to an index: all n-grams of a document,
// and the units that stay. N-grams that end in dropped units are ignored later.
func (m *method) KeepRecord(table string, record []byte, dropped func(para int32) bool) bool {
	if table != "units" {
		return true
	}
	num := int32(binary.BigEndian.Uint32(record[6:])) - 1
	return num == dedup.Whole || !dropped(num)
}

// The intermediate tables.
var (
	// repeatedTable: rank 5, position of the last token 4, flags 1, number 6.
	// It holds the n-grams that occur at least twice and the template text, in the order
	// in which they are judged. Equal n-grams have the same number.
	repeatedTable = dedup.Table{Name: "repeated", Record: 16, Key: 5}
	// rankedTable: rank 5, unit 4 (+1), first token 4, tokens 4, document 5.
	rankedTable = dedup.Table{Name: "ranked", Record: 22, Key: 5}
	// seenTable: number 6, question 1, rank 5, document 5, unit 4 (+1). A record
	// states where an n-gram was added to the set, or requests that document. N-grams in
	// firsts have the former only if it is requested.
	seenTable = dedup.Table{Name: "seen", Record: 21, Key: 6}
	// verdictTable: document 5, unit 4 (+1), drop 1, why 1, share 4.
	verdictTable = dedup.Table{Name: "verdicts", Record: 15, Key: 5}
	// voteTable: document 5, unit 4 (+1), rank 5 and number 5 of the document
	// in which one of its n-grams was seen first.
	voteTable = dedup.Table{Name: "votes", Record: 19, Key: 5}
)

// Group decides.
func (m *method) Group(ctx context.Context, g *dedup.Group) error {
	repeated, judge := m.repeated, m.judge
	if held := g.Held(); held != nil {
		x := newCollection(&m.cfg, held)
		repeated, judge = x.repeated, func(ctx context.Context, g *dedup.Group) error { return m.decide(ctx, g, x.judge) }
	}
	steps := []struct {
		name string
		do   func(context.Context, *dedup.Group) error
	}{
		{"onion: repeated n-grams", repeated},
		{"onion: judge", judge},
		{"onion: where seen first", m.where},
		{"onion: mark", m.mark},
	}
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := g.Step(s.name, func() error { return s.do(ctx, g) }); err != nil {
			return err
		}
	}
	return nil
}

// put6 and get6 write and read numbers below 2^48.
func put6(b []byte, n uint64) {
	binary.BigEndian.PutUint16(b, uint16(n>>32))
	binary.BigEndian.PutUint32(b[2:], uint32(n))
}

func get6(b []byte) uint64 {
	return uint64(binary.BigEndian.Uint16(b))<<32 | uint64(binary.BigEndian.Uint32(b[2:]))
}
