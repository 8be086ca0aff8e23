package documents

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/lab/eval/stats"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
	"chaffinch/text/label"
)

// api answers for a Desk.
type api struct {
	*Desk
	gate *gate.Gate
}

// Register adds the operations on a set of documents under annotation.
func Register(to huma.API, d *Desk, g *gate.Gate) {
	a := &api{Desk: d, gate: g}
	get := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: "documents" + id, Method: http.MethodGet, Path: "/v1/documents" + path, Summary: summary, Tags: []string{"annotation"}}
	}
	post := func(id, path, summary string) huma.Operation {
		o := get(id, path, summary)
		o.Method, o.MaxBodyBytes = http.MethodPost, 1<<20
		return o
	}
	problem.Register(to, get("", "", "Show the scheme of a set of documents, and the progress of its annotators"), a.overview)
	problem.Register(to, get("-next", "/next", "Select the next document of a person"), a.next)
	problem.Register(to, get("-document", "/document", "Show a document, with the labels of a person"), a.document)
	problem.Register(to, post("-label", "/labels", "Label or skip a document, or undo the last step"), a.label)
	problem.Register(to, get("-agreement", "/agreement", "Measure agreement on documents labelled by several annotators, and list disagreements"), a.agreement)
	problem.Register(to, post("-judge", "/judged", "Adjudicate the labels of a document"), a.judge)
	export := get("-export", "/export", "Export the labelled documents for training")
	problem.Answers(to, &export, "The labelled documents", map[string]reflect.Type{mediaTypes[formatJSONL]: nil, mediaTypes[formatTSV]: nil})
	problem.Register(to, export, a.export)
	problem.Register(to, get("-trainings", "/trainings", "List the models trained on the set, and the running training"), a.trained)
	problem.Register(to, post("-train", "/trainings", "Train a model on the labelled documents, and evaluate it"), a.trains)
	problem.Register(to, post("-cancel", "/trainings/cancel", "Cancel the running training"), a.cancelled)
	problem.Register(to, post("-use", "/trainings/use", "Select documents with the model of a training"), a.uses)
}

// Overview describes a set.
type Overview struct {
	Set       string    `json:"set"`
	Scheme    *Scheme   `json:"scheme"`
	Documents int       `json:"documents"`
	Labelled  int       `json:"labelled" doc:"Documents with labels of at least one annotator."`
	Double    float64   `json:"double" doc:"Share of documents that two annotators label."`
	Random    float64   `json:"random" doc:"Share of documents drawn at random while a model selects the others."`
	Model     int       `json:"model" doc:"Number of the training whose model selects documents; 0 for none."`
	People    []Person  `json:"people"`
	Labels    []int     `json:"labels" doc:"Number of labelled documents with each label of the scheme."`
	Recent    []Decided `json:"recent" doc:"The last decisions of the person, the latest first."`
	Notices   []string  `json:"notices" doc:"Repairs made when the set was opened."`
}

// Person is the progress of an annotator.
type Person struct {
	Name     string  `json:"name"`
	Labelled int     `json:"labelled"`
	Skipped  int     `json:"skipped"`
	Unsure   int     `json:"unsure"`
	Seconds  float64 `json:"seconds" doc:"Median time per document."`
}

// Decided is a decision of a person on a document.
type Decided struct {
	ID     string   `json:"id"`
	Title  string   `json:"title,omitempty"`
	Start  string   `json:"start" doc:"Beginning of the text."`
	Labels []string `json:"labels"`
	Unsure bool     `json:"unsure,omitempty"`
	Skip   bool     `json:"skip,omitempty"`
}

const (
	maxRecent = 100
	maxStart  = 120 // bytes
)

type overviewOutput struct{ Body Overview }

func (a *api) overview(_ context.Context, in *journal.Who) (*overviewOutput, error) {
	who, err := a.person(in.Person)
	if err != nil {
		return nil, err
	}
	out := Overview{Set: a.Name(), Scheme: a.scheme, Documents: len(a.docs), Double: a.cfg.Double, Random: a.cfg.Random, People: []Person{}, Recent: []Decided{}, Labels: make([]int, len(a.scheme.Labels))}
	for _, x := range a.examples() {
		out.Labelled++
		for _, l := range x.labels {
			out.Labels[a.scheme.index(l)]++
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	out.Model, out.Notices = a.used, append([]string{}, a.notices...)
	for _, name := range a.names() {
		p, x := a.people.All()[name], Person{Name: name}
		var seconds []float64
		for _, d := range p.order {
			w := p.works[d]
			if w.Skip {
				x.Skipped++
				continue
			}
			x.Labelled++
			if w.Unsure {
				x.Unsure++
			}
			seconds = append(seconds, float64(w.millis)/1000)
		}
		if slices.Sort(seconds); len(seconds) > 0 {
			x.Seconds = stats.Quantile(seconds, .5)
		}
		out.People = append(out.People, x)
	}
	for i := len(who.order) - 1; i >= 0 && len(out.Recent) < maxRecent; i-- {
		d := who.order[i]
		w := who.works[d]
		out.Recent = append(out.Recent, Decided{d.ID, d.Title, start(d.Text), append([]string{}, w.Labels...), w.Unsure, w.Skip})
	}
	return &overviewOutput{out}, nil
}

// Document is a document under annotation.
type Document struct {
	ID     string   `json:"id,omitempty" doc:"Missing if no document is left."`
	Title  string   `json:"title,omitempty"`
	URL    string   `json:"url,omitempty"`
	Lang   string   `json:"lang,omitempty"`
	Text   string   `json:"text,omitempty"`
	Seq    int      `json:"seq" doc:"Number of steps of the person on the document; a change must state it."`
	Labels []string `json:"labels" doc:"Labels of the person."`
	Unsure bool     `json:"unsure,omitempty"`
	Skip   bool     `json:"skip,omitempty"`
	Done   bool     `json:"done" doc:"The person has labelled the document, possibly with no label."`
	How    string   `json:"how,omitempty" enum:"second,spread,random,unsure" doc:"Why the document was selected: for a second annotator; at random, spread over languages and sites; at random for evaluation; since the model is least certain about it."`
	Count  int      `json:"count" doc:"Documents that the person has labelled."`
}

type openedOutput struct{ Body Document }

// next selects a document, and opens it.
func (a *api) next(_ context.Context, in *journal.Who) (*openedOutput, error) {
	who, err := a.annotator(in)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	d, how := a.choose(who)
	if d == nil {
		who.doc = nil
		return &openedOutput{Document{Labels: []string{}, Count: who.labelled()}}, nil
	}
	return a.open(who, d, how), nil
}

// annotator returns the person who labels.
func (a *api) annotator(in *journal.Who) (*person, error) {
	name, err := in.Name()
	if err != nil {
		return nil, err
	}
	return a.person(name)
}

// labelled returns the number of documents that the person has labelled.
func (p *person) labelled() (n int) {
	for _, d := range p.order {
		if p.works[d].Done {
			n++
		}
	}
	return n
}

// open opens a document. The caller holds a.mu.
func (a *api) open(who *person, d *doc, how string) *openedOutput {
	if d == who.doc && how == "" {
		how = who.how // opened again
	}
	who.doc, who.how, who.seen = d, how, a.cfg.Now()
	o := Document{ID: d.ID, Title: d.Title, URL: d.URL, Lang: d.Lang, Text: d.Text, Labels: []string{}, How: how, Count: who.labelled()}
	if w := who.works[d]; w != nil {
		o.Seq, o.Labels, o.Unsure, o.Skip, o.Done = w.seq, append(o.Labels, w.Labels...), w.Unsure, w.Skip, w.Done
	}
	return &openedOutput{o}
}

// Which names a person and a document, as queries name them.
type Which struct {
	journal.Who
	ID string `query:"id" required:"true" doc:"Id of a document of the set."`
}

// find returns the document with an id.
func (a *api) find(id string) (*doc, error) {
	d := a.byID[id]
	if d == nil {
		return nil, problem.New(http.StatusNotFound, "document %q: the set %s has no such document", id, a.Name())
	}
	return d, nil
}

// document opens a document.
func (a *api) document(_ context.Context, in *Which) (*openedOutput, error) {
	who, err := a.annotator(&in.Who)
	if err != nil {
		return nil, err
	}
	d, err := a.find(in.ID)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open(who, d, ""), nil
}

type documentLabelInput struct {
	Which
	Body struct {
		What   string   `json:"what" enum:"label,skip,undo" doc:"label replaces the labels of the document; skip leaves it to others; undo reverts the person's last step, on any document."`
		Seq    int      `json:"seq" doc:"Number of steps of the person on the document that the client has seen; a mismatch returns 409."`
		Labels []string `json:"labels,omitempty" doc:"Labels of the scheme. Parents of labels are added."`
		Unsure bool     `json:"unsure,omitempty" doc:"The person is not sure."`
		Millis int64    `json:"ms,omitempty" minimum:"0" doc:"Time since the document was opened."`
	}
}

// maxPause is the maximum time that counts as work on a document.
const maxPause = 600_000

// label applies a change, and returns the changed document.
func (a *api) label(_ context.Context, in *documentLabelInput) (*openedOutput, error) {
	who, err := a.annotator(&in.Who)
	if err != nil {
		return nil, err
	}
	d, err := a.find(in.ID)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	if d, err = a.do(who, d, change{What: b.What, Seq: b.Seq, Labels: b.Labels, Unsure: b.Unsure, Millis: min(b.Millis, maxPause)}); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open(who, d, ""), nil
}

type agreementOutput struct{ Body Agreements }

func (a *api) agreement(context.Context, *struct{}) (*agreementOutput, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &agreementOutput{a.compare()}, nil
}

type documentJudgeInput struct {
	Which
	Body struct {
		Labels []string `json:"labels" doc:"Labels of the scheme. Parents of labels are added."`
	}
}

// judge stores adjudicated labels.
func (a *api) judge(ctx context.Context, in *documentJudgeInput) (*agreementOutput, error) {
	name, err := in.Name()
	if err != nil {
		return nil, err
	}
	d, err := a.find(in.ID)
	if err != nil {
		return nil, err
	}
	judged, err := a.person(journal.Judged)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	seq := judged.state(d).seq
	a.mu.Unlock()
	if _, err := a.do(judged, d, change{What: didLabel, Seq: seq, Labels: in.Body.Labels, By: name}); err != nil {
		return nil, err
	}
	return a.agreement(ctx, nil)
}

type exportInput struct {
	Format string `query:"format" default:"jsonl" enum:"jsonl,tsv" doc:"JSON lines, or a table."`
	Sure   bool   `query:"sure" doc:"Leave out documents of which an annotator was unsure, unless their labels are adjudicated."`
}

type exportOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

var mediaTypes = map[string]string{formatJSONL: "application/x-ndjson", formatTSV: "text/tab-separated-values"}

func (a *api) export(ctx context.Context, in *exportInput) (*exportOutput, error) {
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	b, err := a.exported(in.Format, in.Sure)
	if err != nil {
		return nil, err
	}
	file := mime.FormatMediaType("attachment", map[string]string{"filename": a.Name() + "." + in.Format})
	return &exportOutput{mediaTypes[in.Format] + "; charset=utf-8", file, b}, nil
}

type statusOutput struct{ Body ModelStatus }

func (a *api) trained(context.Context, *struct{}) (*statusOutput, error) {
	return &statusOutput{a.status()}, nil
}

// trains starts a training.
func (a *api) trains(ctx context.Context, in *journal.Who) (*statusOutput, error) {
	name, err := in.Name()
	if err != nil {
		return nil, err
	}
	if n := len(a.examples()); n < leastTrained {
		return nil, problem.New(http.StatusUnprocessableEntity, "%d labelled documents: wanted at least %d for training", n, leastTrained)
	}
	if err := a.job.Start(ctx, func(ctx context.Context) error { return a.learn(ctx, name) }); err != nil {
		return nil, busy(err)
	}
	return a.trained(ctx, nil)
}

func busy(err error) error {
	return problem.New(http.StatusConflict, "a training is %v: wait until it ends, or cancel it", err)
}

func (a *api) cancelled(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	a.job.Stop()
	return a.trained(ctx, nil)
}

type selectInput struct {
	Body struct {
		Number int `json:"number" minimum:"0" doc:"Number of a training; 0 selects documents at random."`
	}
}

// uses selects documents with the model of a training.
func (a *api) uses(ctx context.Context, in *selectInput) (*statusOutput, error) {
	n := in.Body.Number
	a.mu.Lock()
	there := n == 0 || slices.ContainsFunc(a.trainings, func(t TrainedModel) bool { return t.Number == n })
	a.mu.Unlock()
	if !there {
		return nil, problem.New(http.StatusNotFound, "no training %d", n)
	}
	var m *label.Model
	if n > 0 {
		var err error
		if m, err = label.Load(a.modelFile(n)); err != nil {
			return nil, fmt.Errorf("model %d: %w", n, err)
		}
	}
	if err := a.job.Start(ctx, func(ctx context.Context) error { return a.Desk.use(ctx, n, m) }); err != nil {
		return nil, busy(err)
	}
	return a.trained(ctx, nil)
}

// start returns the beginning of a text, without line breaks.
func start(text string) string {
	return oneLine.Replace(cut(text, maxStart))
}

var oneLine = strings.NewReplacer("\n", " ", "\r", "")
