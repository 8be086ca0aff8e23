package urlfrontier

import (
	"reflect"
	"testing"

	"chaffinch/internal/testkit/must"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// descriptor describes the messages that the client uses, with the numbers of urlfrontier.proto, for
// the library of Protocol Buffers.
const descriptor = `
name: "urlfrontier.proto" package: "urlfrontier" syntax: "proto3"
message_type { name: "AnyCrawlID" }
message_type { name: "StringList" field { name: "values" number: 1 type: TYPE_STRING label: LABEL_REPEATED } }
message_type {
  name: "GetParams"
  field { name: "max_urls_per_queue" number: 1 type: TYPE_UINT32 }
  field { name: "max_queues" number: 2 type: TYPE_UINT32 }
  field { name: "key" number: 3 type: TYPE_STRING }
  field { name: "delay_requestable" number: 4 type: TYPE_UINT32 }
  field { name: "anyCrawlID" number: 5 type: TYPE_MESSAGE type_name: ".urlfrontier.AnyCrawlID" oneof_index: 0 }
  field { name: "crawlID" number: 6 type: TYPE_STRING oneof_index: 0 }
  oneof_decl { name: "item" }
}
message_type {
  name: "URLInfo"
  field { name: "url" number: 1 type: TYPE_STRING }
  field { name: "key" number: 2 type: TYPE_STRING }
  field { name: "metadata" number: 3 type: TYPE_MESSAGE type_name: ".urlfrontier.URLInfo.MetadataEntry" label: LABEL_REPEATED }
  field { name: "crawlID" number: 4 type: TYPE_STRING }
  nested_type {
    name: "MetadataEntry"
    field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".urlfrontier.StringList" label: LABEL_OPTIONAL }
    options { map_entry: true }
  }
}
message_type {
  name: "KnownURLItem"
  field { name: "info" number: 1 type: TYPE_MESSAGE type_name: ".urlfrontier.URLInfo" }
  field { name: "refetchable_from_date" number: 2 type: TYPE_UINT64 }
}
message_type { name: "DiscoveredURLItem" field { name: "info" number: 1 type: TYPE_MESSAGE type_name: ".urlfrontier.URLInfo" } }
message_type {
  name: "URLItem"
  field { name: "discovered" number: 1 type: TYPE_MESSAGE type_name: ".urlfrontier.DiscoveredURLItem" oneof_index: 0 }
  field { name: "known" number: 2 type: TYPE_MESSAGE type_name: ".urlfrontier.KnownURLItem" oneof_index: 0 }
  field { name: "ID" number: 3 type: TYPE_STRING }
  field { name: "creation_date" number: 4 type: TYPE_UINT64 }
  oneof_decl { name: "item" }
}
message_type {
  name: "AckMessage"
  field { name: "ID" number: 1 type: TYPE_STRING }
  field { name: "status" number: 2 type: TYPE_ENUM type_name: ".urlfrontier.AckMessage.Status" }
  enum_type { name: "Status" value { name: "OK" number: 0 } value { name: "SKIPPED" number: 1 } value { name: "FAIL" number: 2 } }
}
message_type {
  name: "BlockQueueParams"
  field { name: "key" number: 1 type: TYPE_STRING }
  field { name: "time" number: 2 type: TYPE_UINT64 }
  field { name: "crawlID" number: 3 type: TYPE_STRING }
}`

// TestWire compares the messages with the library of Protocol Buffers, both ways.
func TestWire(t *testing.T) {
	var file descriptorpb.FileDescriptorProto
	must.Succeed(t, prototext.Unmarshal([]byte(descriptor), &file))
	d, err := protodesc.NewFile(&file, nil)
	must.Succeed(t, err)
	info := urlInfo{url: "http://example.org/ü", key: "example.org", crawl: "news", metadata: metadata{{"a", []string{"1", ""}}, {"depth", []string{"3"}}}}
	const infoJSON = `{"url":"http://example.org/ü","key":"example.org","crawlID":"news","metadata":{"a":{"values":["1",""]},"depth":{"values":["3"]}}}`
	for _, c := range []struct {
		name, json string
		m          message
	}{
		{"GetParams", `{"max_urls_per_queue":10,"max_queues":100,"delay_requestable":600,"anyCrawlID":{}}`, &getParams{perQueue: 10, queues: 100, requestable: 600, anyCrawl: true}},
		{"GetParams", `{"max_urls_per_queue":1,"max_queues":1,"delay_requestable":1,"crawlID":""}`, &getParams{perQueue: 1, queues: 1, requestable: 1}},
		{"GetParams", `{"crawlID":"news"}`, &getParams{crawl: "news"}},
		{"URLInfo", infoJSON, &info},
		{"URLItem", `{"known":{"info":` + infoJSON + `,"refetchable_from_date":"1800000000"},"ID":"17"}`, &urlItem{info: info, known: true, refetch: 1_800_000_000, id: "17"}},
		{"URLItem", `{"known":{"info":{"url":"x"}},"ID":"1"}`, &urlItem{info: urlInfo{url: "x"}, known: true, id: "1"}},
		{"URLItem", `{"discovered":{"info":` + infoJSON + `},"ID":"18"}`, &urlItem{info: info, id: "18"}},
		{"AckMessage", `{"ID":"17","status":"FAIL"}`, &ack{"17", ackFail}},
		{"AckMessage", `{"ID":"17","status":"SKIPPED"}`, &ack{"17", ackSkipped}},
		{"AckMessage", `{"ID":"17"}`, &ack{"17", ackOK}},
		{"BlockQueueParams", `{"key":"k","time":"1800000000","crawlID":"news"}`, &queueParams{"k", "news", 1_800_000_000}},
	} {
		kind := d.Messages().ByName(protoreflect.Name(c.name))
		want, got := dynamicpb.NewMessage(kind), dynamicpb.NewMessage(kind)
		must.Succeed(t, protojson.Unmarshal([]byte(c.json), want))
		must.Succeed(t, proto.Unmarshal(c.m.append(nil), got))
		if !proto.Equal(got, want) || len(got.GetUnknown()) > 0 {
			t.Errorf("%s: encoded %v, wanted %v", c.name, got, want)
		}
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
		must.Succeed(t, err)
		read := reflect.New(reflect.TypeOf(c.m).Elem()).Interface().(message)
		must.Succeed(t, decode(b, read))
		if !reflect.DeepEqual(read, c.m) {
			t.Errorf("%s: decoded %+v, wanted %+v", c.name, read, c.m)
		}
	}
}

// FuzzDecode wants damaged messages to be errors, and others to keep their meaning.
func FuzzDecode(f *testing.F) {
	f.Add((&urlInfo{url: "http://example.org/", metadata: metadata{{"a", []string{"b"}}}}).append(nil))
	f.Add([]byte("\x1a\x04\x12\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m, again urlInfo
		if decode(b, &m) != nil {
			return
		}
		must.Succeed(t, decode(m.append(nil), &again))
		if string(again.append(nil)) != string(m.append(nil)) {
			t.Errorf("%+v, again %+v", m, again)
		}
	})
}
