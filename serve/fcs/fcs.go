// Package fcs implements an endpoint of CLARIN's Federated Content Search (FCS Core 2.0):
// explain and searchRetrieve of SRU 2.0 (OASIS searchRetrieve), with the data views of hits
// and annotation layers. It translates queries of Basic Search and FCS-QL (Advanced Search)
// into CQL (query.go).
//
// Unstable: this package may change in any release.
package fcs

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/corpus"
	"chaffinch/serve/corpora"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// Names of SRU and FCS.
const (
	capabilities = "http://clarin.eu/fcs/capability/"
	resource     = "http://clarin.eu/fcs/resource"
	hitsType     = "application/x-clarin-fcs-hits+xml"
	advType      = "application/x-clarin-fcs-adv+xml"
)

// Diagnostics of SRU (info:srw/diagnostic/1/).
const (
	badVersion   = 5
	badParameter = 6
	badSyntax    = 10
	badIndex     = 16
	tooComplex   = 47
	notSupported = 48
	badPosition  = 61
	badSchema    = 66
	badType      = 8
	generalError = 1
)

// Bounds on the records of an answer.
const (
	defaultRecords = 50
	maxRecords     = 1000
	maxAnswer      = 16 << 20 // bytes of records, after which no other one follows
)

// contextTokens is the text on either side of a hit.
const contextTokens = 20

// Handler answers for the corpora of a Set.
func Handler(set *corpora.Set, g *gate.Gate) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := &endpoint{set: set, base: base(r), query: r.URL.Query()}
		leave, err := g.Enter(r.Context())
		if err != nil {
			problem.Of(err).Write(w)
			return
		}
		defer leave()
		body, err := e.answer(r.Context())
		if err != nil {
			problem.Of(err).Write(w)
			return
		}
		w.Header().Set("Content-Type", "application/sru+xml; charset=utf-8")
		w.Write([]byte(body)) // a client that is gone needs no answer
	})
}

// base is the address of the server as the client calls it.
func base(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// endpoint answers one request.
type endpoint struct {
	set   *corpora.Set
	base  string
	query url.Values
}

// pid is the persistent identifier of a corpus: its address.
func (e *endpoint) pid(name string) string { return e.base + "/v1/corpora/" + url.PathEscape(name) }

// answer returns an answer of SRU. What cannot be done is a diagnostic in it; an error
// is one of the server.
func (e *endpoint) answer(ctx context.Context) (string, error) {
	explain := !e.query.Has("query") || e.query.Get("operation") == "explain"
	element := "searchRetrieveResponse"
	if explain {
		element = "explainResponse"
	}
	var body string
	err := e.check(explain)
	if err == nil {
		if explain {
			body, err = e.explain(ctx)
		} else {
			body, err = e.search(ctx)
		}
	}
	var d *queryError
	if errors.As(err, &d) {
		body = e.diagnostic(d, !explain)
	} else if err != nil {
		return "", err
	}
	return xml.Header + `<sru:` + element + ` xmlns:sru="http://docs.oasis-open.org/ns/search-ws/sruResponse"><sru:version>2.0</sru:version>` + body + `</sru:` + element + ">\n", nil
}

// knownParameters lists the parameters of SRU and FCS.
var knownParameters = []string{"operation", "version", "query", "queryType", "startRecord", "maximumRecords", "recordXMLEscaping", "recordPacking", "recordSchema", "responseType", "httpAccept",
	"x-fcs-endpoint-description", "x-fcs-context", "x-fcs-dataviews", "x-fcs-rewrites-allowed"}

// check refuses what SRU 2.0 or this endpoint does not know.
func (e *endpoint) check(explain bool) error {
	for name := range e.query {
		if !slices.Contains(knownParameters, name) && !strings.HasPrefix(name, "x-") {
			return &queryError{badType, "unknown parameter " + name}
		}
	}
	if v := e.query.Get("version"); v != "" && v != "2.0" {
		return &queryError{badVersion, "version " + v + ": wanted 2.0"}
	}
	if o := e.query.Get("operation"); o != "" && o != "explain" && o != "searchRetrieve" {
		return &queryError{4, "operation " + o + ": wanted explain or searchRetrieve"}
	}
	if s := e.query.Get("recordSchema"); !explain && s != "" && s != resource && s != "fcs" {
		return &queryError{badSchema, "record schema " + s + ": wanted " + resource}
	}
	return nil
}

// diagnostic returns the element for an error.
func (e *endpoint) diagnostic(d *queryError, records bool) string {
	count := ""
	if records {
		count = "<sru:numberOfRecords>0</sru:numberOfRecords>"
	}
	return count + fmt.Sprintf(`<sru:diagnostics><diag:diagnostic xmlns:diag="http://docs.oasis-open.org/ns/search-ws/diagnostic"><diag:uri>info:srw/diagnostic/1/%d</diag:uri><diag:details>%s</diag:details><diag:message>%[2]s</diag:message></diag:diagnostic></sru:diagnostics>`,
		d.diagnostic, escaped(d.what))
}

func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // into memory, cannot fail
	return b.String()
}

// explain describes the endpoint.
func (e *endpoint) explain(ctx context.Context) (string, error) {
	u, err := url.Parse(e.base)
	if err != nil {
		return "", err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<sru:record><sru:recordSchema>http://explain.z3950.org/dtd/2.0/</sru:recordSchema><sru:recordXMLEscaping>xml</sru:recordXMLEscaping><sru:recordData>`+
		`<zr:explain xmlns:zr="http://explain.z3950.org/dtd/2.0/"><zr:serverInfo protocol="SRU" version="2.0" transport="%s"><zr:host>%s</zr:host><zr:port>%s</zr:port><zr:database>fcs</zr:database></zr:serverInfo>`+
		`<zr:databaseInfo><zr:title lang="en" primary="true">Chaffinch</zr:title><zr:description lang="en" primary="true">Text corpora</zr:description></zr:databaseInfo>`+
		`<zr:schemaInfo><zr:schema identifier="%s" name="fcs"><zr:title lang="en" primary="true">CLARIN Federated Content Search</zr:title></zr:schema></zr:schemaInfo>`+
		`<zr:configInfo><zr:default type="numberOfRecords">%d</zr:default><zr:setting type="maximumRecords">%d</zr:setting></zr:configInfo></zr:explain></sru:recordData></sru:record>`,
		u.Scheme, escaped(u.Hostname()), port, resource, defaultRecords, maxRecords)
	if e.query.Get("x-fcs-endpoint-description") != "true" {
		return b.String(), nil
	}
	fmt.Fprintf(&b, `<sru:extraResponseData><ed:EndpointDescription xmlns:ed="http://clarin.eu/fcs/endpoint-description" version="2"><ed:Capabilities><ed:Capability>%sbasic-search</ed:Capability><ed:Capability>%[1]sadvanced-search</ed:Capability></ed:Capabilities>`+
		`<ed:SupportedDataViews><ed:SupportedDataView id="hits" delivery-policy="send-by-default">%s</ed:SupportedDataView><ed:SupportedDataView id="adv" delivery-policy="need-to-request">%s</ed:SupportedDataView></ed:SupportedDataViews><ed:SupportedLayers>`, capabilities, hitsType, advType)
	infos, err := e.set.Infos(ctx)
	if err != nil {
		return "", err
	}
	var resources strings.Builder
	offered := map[string]bool{}
	for _, info := range infos {
		if len(info.Shards) > 0 {
			continue // a search needs one index
		}
		langs, err := e.languages(ctx, info.Name)
		if err != nil {
			return "", err
		}
		var names []string
		for _, l := range layersOf(info.Info) {
			names = append(names, l.name)
			if !offered[l.name] {
				offered[l.name] = true
				fmt.Fprintf(&b, `<ed:SupportedLayer id="%s" result-id="%s">%[1]s</ed:SupportedLayer>`, l.name, layerID(l.name))
			}
		}
		fmt.Fprintf(&resources, `<ed:Resource pid="%s"><ed:Title xml:lang="en">%s</ed:Title><ed:Description xml:lang="en">%s tokens</ed:Description><ed:LandingPageURI>%s/#corpus/%s</ed:LandingPageURI><ed:Languages>`,
			escaped(e.pid(info.Name)), escaped(info.Name), strconv.FormatInt(info.Tokens, 10), escaped(e.base), url.PathEscape(info.Name))
		for _, l := range langs {
			fmt.Fprintf(&resources, `<ed:Language>%s</ed:Language>`, l)
		}
		fmt.Fprintf(&resources, `</ed:Languages><ed:AvailableDataViews ref="hits adv"/><ed:AvailableLayers ref="%s"/></ed:Resource>`, strings.Join(names, " "))
	}
	fmt.Fprintf(&b, `</ed:SupportedLayers><ed:Resources>%s</ed:Resources></ed:EndpointDescription></sru:extraResponseData>`, resources.String())
	return b.String(), nil
}

// offer is a layer and the attribute that has it.
type offer struct{ name, attr string }

// layersOf returns the layers that a corpus has.
func layersOf(info corpus.Info) []offer {
	offers := []offer{{"text", info.Attributes[0].Name}}
	has := func(attr string) bool {
		return slices.ContainsFunc(info.Attributes, func(a corpus.AttributeInfo) bool { return a.Name == attr })
	}
	for _, name := range []string{"lemma", "pos", "orth", "norm"} {
		if attr, err := layer(name, "", has); err == nil {
			offers = append(offers, offer{name, attr})
		}
	}
	return offers
}

func layerID(name string) string { return "http://clarin.eu/fcs/layer/" + name }

// maxLanguages bounds the languages that are told of a corpus.
const maxLanguages = 50

// languages returns the languages of a corpus as ISO 639-3 codes, from the attribute
// doc.lang, or und without it.
func (e *endpoint) languages(ctx context.Context, name string) (codes []string, err error) {
	err = e.set.Use(ctx, name, func(c *corpus.Corpus) error {
		doc, err := c.Struct("doc")
		if err != nil {
			return nil
		}
		a, err := doc.Attr("lang")
		if err != nil {
			return nil
		}
		for i := range min(a.Len(), maxLanguages) {
			if tag, err := language.Parse(a.Word(uint32(i))); err == nil {
				base, _ := tag.Base()
				if code := base.ISO3(); code != "" && !slices.Contains(codes, code) {
					codes = append(codes, code)
				}
			}
		}
		return nil
	})
	if len(codes) == 0 {
		codes = []string{"und"}
	}
	return codes, err
}

// number reads a parameter that is a whole number from least on.
func (e *endpoint) number(name string, value, least int) (int, error) {
	text := e.query.Get(name)
	if text == "" {
		return value, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, &queryError{badParameter, fmt.Sprintf("%s: %q, wanted a whole number from %d on", name, text, least)}
	}
	return n, nil
}

// search returns the response to a query, with the hits of one corpus after another.
func (e *endpoint) search(ctx context.Context) (string, error) {
	first, err := e.number("startRecord", 1, 1)
	if err != nil {
		return "", err
	}
	most, err := e.number("maximumRecords", defaultRecords, 0)
	if err != nil {
		return "", err
	}
	names, err := e.asked(ctx)
	if err != nil {
		return "", err
	}
	s := &searching{endpoint: e, pass: int64(first - 1), left: min(most, maxRecords), at: first, adv: slices.Contains(strings.Split(e.query.Get("x-fcs-dataviews"), ","), "adv")}
	for _, name := range names {
		if err := e.set.Use(ctx, name, func(c *corpus.Corpus) error { return s.corpus(ctx, name, c) }); err != nil {
			return "", err
		}
	}
	if s.total > 0 && int64(first) > s.total {
		return "", &queryError{badPosition, fmt.Sprintf("startRecord: %d of %d records", first, s.total)}
	}
	next := ""
	if int64(s.at) <= s.total && s.at > first {
		next = fmt.Sprintf("<sru:nextRecordPosition>%d</sru:nextRecordPosition>", s.at)
	}
	records := s.records.String()
	if records != "" {
		records = "<sru:records>" + records + "</sru:records>"
	}
	return fmt.Sprintf("<sru:numberOfRecords>%d</sru:numberOfRecords>%s%s<sru:resultCountPrecision>info:srw/vocabulary/resultCountPrecision/1/exact</sru:resultCountPrecision>", s.total, records, next), nil
}

// asked returns the corpora that x-fcs-context names, or all of one index each.
func (e *endpoint) asked(ctx context.Context) (names []string, err error) {
	context, all := e.query.Get("x-fcs-context"), e.set.Indexes(ctx)
	if context == "" {
		return all, nil
	}
	for pid := range strings.SplitSeq(context, ",") {
		i := slices.IndexFunc(all, func(n string) bool { return e.pid(n) == pid || n == pid })
		if i < 0 {
			return nil, &queryError{generalError, "x-fcs-context: no resource " + pid}
		}
		names = append(names, all[i])
	}
	return names, nil
}

// searching is a search in progress.
type searching struct {
	*endpoint
	pass    int64 // hits to pass over
	left    int   // records that may still come
	at      int   // position of the next record
	total   int64
	adv     bool
	records strings.Builder
}

// corpus adds the hits of a corpus.
func (s *searching) corpus(ctx context.Context, name string, c *corpus.Corpus) error {
	cql, err := s.translate(c)
	if err != nil {
		return err
	}
	q, err := c.Query(ctx, cql)
	if errors.As(err, new(*corpus.SyntaxError)) {
		return syntaxError("%v", err)
	}
	if err != nil {
		return err
	}
	total, err := q.Count(ctx)
	if err != nil {
		return err
	}
	s.total += total
	if s.pass >= total {
		s.pass -= total
		return nil
	}
	if s.left == 0 {
		return nil
	}
	k, err := q.Concordance(ctx, corpus.ConcordanceConfig{View: corpus.KWIC, Context: contextTokens, Tokens: true, First: int(s.pass), Limit: s.left, Uncounted: true})
	if err != nil {
		return err
	}
	s.pass = 0
	info, err := c.Info()
	if err != nil {
		return err
	}
	offers := layersOf(info)
	for l, err := range k.Lines(ctx) {
		if err != nil {
			return err
		}
		if s.record(name, c, offers, l); s.records.Len() > maxAnswer {
			s.left = 0 // SRU lets an answer have fewer records than were asked for
			break
		}
	}
	return nil
}

// translate returns the query in CQL.
func (s *searching) translate(c *corpus.Corpus) (string, error) {
	attrs := c.Attrs()
	query := s.query.Get("query")
	switch t := s.query.Get("queryType"); t {
	case "", "cql":
		return basic(query, attrs[0], slices.Contains(c.Structs(), "s"))
	case "fcs":
		return advanced(query, attrs[0], func(a string) bool { return slices.Contains(attrs, a) })
	default:
		return "", unsupported("queryType %s: wanted cql or fcs", t)
	}
}

// record adds a hit.
func (s *searching) record(name string, c *corpus.Corpus, offers []offer, l corpus.Line) {
	b := &s.records
	fmt.Fprintf(b, `<sru:record><sru:recordSchema>%s</sru:recordSchema><sru:recordXMLEscaping>xml</sru:recordXMLEscaping><sru:recordData><fcs:Resource xmlns:fcs="%[1]s" pid="%s"%s><fcs:ResourceFragment>`+
		`<fcs:DataView type="%s"><hits:Result xmlns:hits="http://clarin.eu/fcs/dataview/hits">%s<hits:Hit>%s</hits:Hit>%s</hits:Result></fcs:DataView>`,
		resource, escaped(s.pid(name)), source(c, l.Start), hitsType, escaped(l.Left), escaped(l.Text), escaped(l.Right))
	if s.adv {
		s.layers(c, offers, l)
	}
	fmt.Fprintf(b, `</fcs:ResourceFragment></fcs:Resource></sru:recordData><sru:recordPosition>%d</sru:recordPosition></sru:record>`, s.at)
	s.at++
	s.left--
}

// source returns the address of the document as an attribute, if it has one.
func source(c *corpus.Corpus, at int64) string {
	doc, err := c.Struct("doc")
	if err != nil {
		return ""
	}
	i, ok := doc.Find(at)
	if !ok {
		return ""
	}
	if u, err := url.Parse(doc.Value("url", i)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return ` ref="` + escaped(u.String()) + `"`
	}
	return ""
}

// layers adds the data view of annotation layers: the tokens of the hit.
func (s *searching) layers(c *corpus.Corpus, offers []offer, l corpus.Line) {
	b := &s.records
	fmt.Fprintf(b, `<fcs:DataView type="%s"><adv:Advanced xmlns:adv="http://clarin.eu/fcs/dataview/advanced" unit="item"><adv:Segments>`, advType)
	words, err := c.Attr("")
	if err != nil {
		return // every corpus has one
	}
	at := 1
	for pos := l.Start; pos < l.End; pos++ {
		n := max(len([]rune(words.Word(words.At(pos)))), 1)
		fmt.Fprintf(b, `<adv:Segment id="s%d" start="%d" end="%d"/>`, pos-l.Start, at, at+n-1)
		at += n + 1
	}
	b.WriteString(`</adv:Segments><adv:Layers>`)
	for _, o := range offers {
		a, err := c.Attr(o.attr)
		if err != nil {
			continue
		}
		fmt.Fprintf(b, `<adv:Layer id="%s">`, layerID(o.name))
		for pos := l.Start; pos < l.End; pos++ {
			fmt.Fprintf(b, `<adv:Span ref="s%d" highlight="h1">%s</adv:Span>`, pos-l.Start, escaped(a.Word(a.At(pos))))
		}
		b.WriteString(`</adv:Layer>`)
	}
	b.WriteString(`</adv:Layers></adv:Advanced></fcs:DataView>`)
}
