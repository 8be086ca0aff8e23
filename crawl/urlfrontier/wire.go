package urlfrontier

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// message is a message of the protocol. Unknown fields are ignored.
type message interface {
	append(b []byte) []byte
	set(field protowire.Number, v value) error
}

// value is the value of a field: a number or bytes.
type value struct {
	number uint64
	bytes  []byte
}

// codec encodes messages for gRPC.
type codec struct{}

func (codec) Name() string { return "proto" }

func (codec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.(message).append(nil))}, nil
}

func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	return decode(data.Materialize(), v.(message))
}

var errMessage = errors.New("damaged message")

// decode decodes a message.
func decode(b []byte, m message) error {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errMessage
		}
		b = b[n:]
		var v value
		switch kind {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(field, kind, b)
		}
		if n < 0 {
			return errMessage
		}
		if b = b[n:]; kind == protowire.VarintType || kind == protowire.BytesType {
			if err := m.set(field, v); err != nil {
				return fmt.Errorf("field %d: %w", field, err)
			}
		}
	}
	return nil
}

func appendNumber(b []byte, field protowire.Number, v uint64) []byte {
	if v == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendText(b []byte, field protowire.Number, s string) []byte {
	if s == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

// appendMessage appends a field that is present even if it is empty.
func appendMessage(b []byte, field protowire.Number, m message) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), m.append(nil))
}

// getParams is a request for URLs (GetParams).
type getParams struct {
	perQueue, queues, requestable uint64
	anyCrawl                      bool
	crawl                         string
}

func (m *getParams) append(b []byte) []byte {
	b = appendNumber(b, 1, m.perQueue)
	b = appendNumber(b, 2, m.queues)
	b = appendNumber(b, 4, m.requestable)
	if m.anyCrawl {
		return appendMessage(b, 5, &empty{})
	}
	// A member of a oneof is present even if it is empty: the crawl "".
	return protowire.AppendString(protowire.AppendTag(b, 6, protowire.BytesType), m.crawl)
}

func (m *getParams) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		m.perQueue = v.number
	case 2:
		m.queues = v.number
	case 4:
		m.requestable = v.number
	case 5:
		m.anyCrawl = true
	case 6:
		m.crawl = string(v.bytes)
	}
	return nil
}

// urlInfo is a URL with its queue and metadata (URLInfo).
type urlInfo struct {
	url, key, crawl string
	metadata        metadata
}

// metadata holds the values of each key, in the order of keys, so that messages are deterministic.
type metadata []entry

type entry struct {
	key    string
	values []string
}

func (m *urlInfo) append(b []byte) []byte {
	b = appendText(b, 1, m.url)
	b = appendText(b, 2, m.key)
	for i := range m.metadata {
		b = appendMessage(b, 3, &m.metadata[i])
	}
	return appendText(b, 4, m.crawl)
}

func (m *urlInfo) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		m.url = string(v.bytes)
	case 2:
		m.key = string(v.bytes)
	case 3:
		var e entry
		if err := decode(v.bytes, &e); err != nil {
			return err
		}
		m.metadata.put(e.key, e.values...)
	case 4:
		m.crawl = string(v.bytes)
	}
	return nil
}

// append encodes an entry of a map: the key, and a StringList.
func (e *entry) append(b []byte) []byte {
	b = appendText(b, 1, e.key)
	return appendMessage(b, 2, (*stringList)(&e.values))
}

func (e *entry) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		e.key = string(v.bytes)
	case 2:
		e.values = nil
		return decode(v.bytes, (*stringList)(&e.values))
	}
	return nil
}

// get returns the first value of a key, "" if there is none.
func (m metadata) get(key string) string {
	for _, e := range m {
		if e.key == key && len(e.values) > 0 {
			return e.values[0]
		}
	}
	return ""
}

// put sets the values of a key. Without values, it removes the key.
func (m *metadata) put(key string, values ...string) {
	for i := range *m {
		if (*m)[i].key == key {
			if (*m)[i].values = values; len(values) == 0 {
				*m = append((*m)[:i], (*m)[i+1:]...)
			}
			return
		}
	}
	if len(values) > 0 {
		*m = append(*m, entry{key, values})
	}
}

type stringList []string

func (m *stringList) append(b []byte) []byte {
	for _, s := range *m {
		b = protowire.AppendString(protowire.AppendTag(b, 1, protowire.BytesType), s)
	}
	return b
}

func (m *stringList) set(field protowire.Number, v value) error {
	if field == 1 {
		*m = append(*m, string(v.bytes))
	}
	return nil
}

// urlItem is an update (URLItem): of a URL that the frontier handed out, or a discovered one.
type urlItem struct {
	info    urlInfo
	known   bool
	refetch uint64 // of a known URL: the time, in seconds of Unix time, of the next visit; 0 for never
	id      string
}

func (m *urlItem) append(b []byte) []byte {
	field := protowire.Number(1)
	if m.known {
		field = 2
	}
	b = appendMessage(b, field, (*itemBody)(m))
	return appendText(b, 3, m.id)
}

func (m *urlItem) set(field protowire.Number, v value) error {
	switch field {
	case 1, 2:
		m.known = field == 2
		return decode(v.bytes, (*itemBody)(m))
	case 3:
		m.id = string(v.bytes)
	}
	return nil
}

// itemBody is the DiscoveredURLItem or KnownURLItem of an update.
type itemBody urlItem

func (m *itemBody) append(b []byte) []byte {
	return appendNumber(appendMessage(b, 1, &m.info), 2, m.refetch)
}

func (m *itemBody) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		return decode(v.bytes, &m.info)
	case 2:
		m.refetch = v.number
	}
	return nil
}

// Statuses of an ack.
const (
	ackOK = iota
	ackSkipped
	ackFail
)

// ack acknowledges an update (AckMessage).
type ack struct {
	id     string
	status uint64
}

func (m *ack) append(b []byte) []byte { return appendNumber(appendText(b, 1, m.id), 2, m.status) }

func (m *ack) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		m.id = string(v.bytes)
	case 2:
		m.status = v.number
	}
	return nil
}

// queueParams names a queue with a number: a time (BlockQueueParams) or a delay (QueueDelayParams).
type queueParams struct {
	key, crawl string
	number     uint64
}

func (m *queueParams) append(b []byte) []byte {
	return appendText(appendNumber(appendText(b, 1, m.key), 2, m.number), 3, m.crawl)
}

func (m *queueParams) set(field protowire.Number, v value) error {
	switch field {
	case 1:
		m.key = string(v.bytes)
	case 2:
		m.number = v.number
	case 3:
		m.crawl = string(v.bytes)
	}
	return nil
}

// empty is a message without fields (Empty, AnyCrawlID).
type empty struct{}

func (*empty) append(b []byte) []byte            { return b }
func (*empty) set(protowire.Number, value) error { return nil }
