// Package urlfrontier is a client of crawler-commons' URLFrontier, a service that stores the URLs of
// a crawl and hands them out to crawlers over gRPC. [Run] takes URLs, has a [Visitor] fetch and clean
// them, and reports their status and the links that it found. A [chaffinch/crawl.Worker] is a Visitor.
//
// The messages follow urlfrontier.proto of API 2.6 (github.com/crawler-commons/url-frontier, commit
// 69399d2). The client uses four of the 19 methods, so that the messages are written by hand
// (wire.go) and need no generated code: GetURLs, PutURLs, BlockQueueUntil, SetDelay.
//
// Unstable: this package may change in any release.
package urlfrontier
