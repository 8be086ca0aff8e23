package desk

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/clean/blocks"
	"chaffinch/extract/site"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/serve/desk/journal"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// api answers for a Desk.
type api struct {
	*Desk
	gate *gate.Gate

	seen     sync.Mutex // the page that was read last for differences
	lastDoc  *doc
	lastPage *page.Page
}

// Register adds the operations on a set under annotation.
func Register(to huma.API, d *Desk, g *gate.Gate) {
	a := &api{Desk: d, gate: g}
	get := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/v1/desk" + path, Summary: summary, Tags: []string{"annotation"}}
	}
	post := func(id, path, summary string) huma.Operation {
		o := get(id, path, summary)
		o.Method, o.MaxBodyBytes = http.MethodPost, 4<<20
		return o
	}
	problem.Register(to, get("desk", "", "List the pages under annotation, with the progress of a person"), a.list)
	problem.Register(to, get("desk-page", "/pages/{id}", "Show the blocks of a page, with proposals and the labels of a person"), a.page)
	frame := get("desk-frame", "/pages/{id}/frame", "Render the page without running or loading anything; #chaffinch-N marks the element of block N")
	problem.Answers(to, &frame, "The page", map[string]reflect.Type{"text/html": nil})
	problem.Register(to, frame, a.frame)
	problem.Register(to, post("desk-label", "/pages/{id}/labels", "Label blocks of a page, or undo the last step"), a.label)
	problem.Register(to, get("desk-agreement", "/agreement", "Measure agreement on pages finished by several annotators, and list disagreements"), a.agreement)
	problem.Register(to, post("desk-judge", "/pages/{id}/judged", "Adjudicate a block"), a.judge)
	problem.Register(to, get("desk-bias", "/bias", "Measure how often each annotator keeps proposals, shown and hidden"), a.bias)
	problem.Register(to, get("desk-trainings", "/trainings", "List the models adapted to the set, and the running training"), a.status)
	problem.Register(to, post("desk-train", "/trainings", "Adapt the embedded model to the finished pages, and evaluate it"), a.train)
	problem.Register(to, post("desk-cancel", "/trainings/cancel", "Cancel the running training"), a.cancelled)
	problem.Register(to, post("desk-use", "/trainings/use", "Use the model of a training for proposals"), a.keep)
}

// List is the list of pages under annotation.
type List struct {
	Set     string   `json:"set"`
	Blank   bool     `json:"blank" doc:"Proposals are hidden for all annotators."`
	Roles   []string `json:"roles"`
	People  []string `json:"people"`
	Pages   []Listed `json:"pages" doc:"Pages: unfinished first, by uncertainty of the model."`
	Notices []string `json:"notices" doc:"Repairs made when the set was opened."`
	Model   int      `json:"model" doc:"Number of the training whose model makes proposals; 0 for the embedded model."`
}

// Listed is a page in the list.
type Listed struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	URL      string   `json:"url,omitempty"`
	Site     string   `json:"site,omitempty"`
	Blocks   int      `json:"blocks"`
	Labelled int      `json:"labelled"`
	Done     bool     `json:"done"`
	Others   []string `json:"others,omitempty" doc:"Other annotators who have finished the page."`
	Unsure   float64  `json:"unsure" doc:"Mean over the blocks of 1 - probability of the proposed label."`
	Kept     bool     `json:"kept,omitempty" doc:"Held out for evaluation: all pages of a fifth of the sites."`
}

type listOutput struct{ Body List }

// list answers with all pages.
func (a *api) list(ctx context.Context, in *journal.Who) (*listOutput, error) {
	p, err := a.person(in.Person)
	if err != nil {
		return nil, err
	}
	if err := a.rank(ctx); err != nil {
		return nil, err
	}
	out := List{Set: a.Name(), Blank: a.cfg.Blank, Roles: page.AllRoles.Names(), Model: a.model.Load().number, Pages: []Listed{}}
	a.mu.Lock()
	defer a.mu.Unlock()
	out.Notices, out.People = a.notices, append([]string{}, a.names()...)
	for _, d := range a.docs {
		l := Listed{ID: d.ID, Title: d.title, URL: d.URL, Site: d.site, Blocks: len(d.spans), Unsure: unsure(d.proposed), Kept: d.kept()}
		if w := p.works[d]; w != nil {
			l.Labelled, l.Done = w.labelled(), w.done
		}
		for _, o := range a.others(d, p.name) {
			if o.Done {
				l.Others = append(l.Others, o.Name)
			}
		}
		out.Pages = append(out.Pages, l)
	}
	sorts.StableFunc(out.Pages, func(x, y Listed) int {
		if x.Done != y.Done {
			return map[bool]int{false: -1, true: 1}[x.Done]
		}
		return cmp.Compare(y.Unsure, x.Unsure)
	})
	return &listOutput{out}, nil
}

// rank asks the model about all pages that it has not seen yet.
func (a *api) rank(ctx context.Context) error {
	a.ranking.Lock()
	defer a.ranking.Unlock()
	for _, d := range a.docs {
		if _, err := a.proposed(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// Opened is a page under annotation.
type Opened struct {
	ID     string  `json:"id"`
	Title  string  `json:"title,omitempty"`
	URL    string  `json:"url,omitempty"`
	Site   string  `json:"site,omitempty"`
	Two    bool    `json:"two" doc:"The labels are text and boilerplate, not roles."`
	Seq    int     `json:"seq" doc:"Number of steps of the person on the page; a change must state it."`
	Done   bool    `json:"done"`
	Blank  bool    `json:"blank" doc:"Proposals are hidden."`
	Blocks []Block `json:"blocks"`
	Others []other `json:"others,omitempty"`
}

// Block is a block under annotation.
type Block struct {
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	Hidden bool   `json:"hidden,omitempty"`
	Links  bool   `json:"links,omitempty" doc:"More than half of it is links."`
	In     []int  `json:"in" doc:"Numbers of the elements that hold this and other blocks, innermost first."`
	Like   int    `json:"like" doc:"Group number: blocks in elements of the same names and classes."`
	Shape  int    `json:"shape" doc:"Group number: blocks in elements of the same names."`
	Alike  int    `json:"alike,omitempty" doc:"Number of other pages of the site with the same block."`
	Label  string `json:"label,omitempty" doc:"Label of the person."`
	Hand   bool   `json:"hand,omitempty" doc:"Labelled by hand, not accepted with the rest."`
	// Proposed, Score and Odds are left out of pages whose proposals are hidden.
	Proposed string  `json:"proposed,omitempty"`
	Score    float32 `json:"score,omitempty" doc:"Probability of the proposed label."`
	// Odds are the labels that the block may well have, with their probabilities.
	Odds map[string]float32 `json:"odds,omitempty"`
}

type pageInput struct {
	journal.Who
	ID    string `path:"id" doc:"Id of a page from /v1/desk."`
	Blank string `query:"blank" enum:"all,fifth" doc:"Hide proposals: on all pages, or on a fifth of them, to measure their influence."`
}

// fifth reports whether the page is in the person's fifth of the pages.
func (d *doc) fifth(person string) bool {
	return journal.OneOf(5, person+" "+d.SHA256)
}

type pageOutput struct{ Body Opened }

func (a *api) doc(id string) (*doc, error) {
	d := a.byID[id]
	if d == nil {
		return nil, problem.New(http.StatusNotFound, "page %q: the set %s has no such page", id, a.Name())
	}
	return d, nil
}

// proposals reads a page and asks the model; all are the probabilities of the roles.
func (a *api) proposals(ctx context.Context, d *doc) (p *page.Page, of []proposal, all []float32, err error) {
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	defer leave()
	if p, err = a.read(ctx, d); err != nil {
		return nil, nil, nil, err
	}
	of, all, number, err := a.propose(ctx, d, p)
	if err != nil {
		return nil, nil, nil, err
	}
	a.mu.Lock()
	d.proposed, d.model = of, number
	a.mu.Unlock()
	return p, of, all, nil
}

// proposed returns the proposals for a page. The model runs once per page.
func (a *api) proposed(ctx context.Context, d *doc) ([]proposal, error) {
	a.mu.Lock()
	of, known := d.proposed, d.model == a.model.Load().number || d.plain && d.model >= 0
	a.mu.Unlock()
	if known {
		return of, nil
	}
	_, of, _, err := a.proposals(ctx, d)
	return of, err
}

// page opens a page for a person.
func (a *api) page(ctx context.Context, in *pageInput) (*pageOutput, error) {
	who, err := a.person(in.Person)
	if err != nil {
		return nil, err
	}
	d, err := a.doc(in.ID)
	if err != nil {
		return nil, err
	}
	p, of, all, err := a.proposals(ctx, d)
	if err != nil {
		return nil, err
	}
	blank := in.Blank == "all" || a.cfg.Blank || in.Blank == "fifth" && d.fifth(who.name)
	out := Opened{ID: d.ID, Title: d.title, URL: d.URL, Site: d.site, Two: d.two, Blank: blank, Blocks: make([]Block, len(p.Blocks))}
	holds, like, shapes := p.Holders(), site.Likes(p), map[string]int{}
	a.mu.Lock()
	defer a.mu.Unlock()
	who.doc, who.seen = d, a.cfg.Now()
	w := who.work(d)
	out.Seq, out.Done, out.Others = w.seq, w.done, a.others(d, who.name)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		x := Block{Text: b.Text, Kind: b.Kind.String(), Hidden: b.Hidden, Links: b.LinkDensity() > .5, In: holds[i], Like: like[i], Alike: int(b.Repeats.Both), Label: w.marks[i].Label, Hand: w.hand[i] && w.marks[i].Label != ""}
		path := b.Path
		if d.plain { // lines have no elements, so no two are alike
			path = strconv.Itoa(i)
		}
		if x.Shape = shapes[path]; x.Shape == 0 {
			x.Shape = len(shapes) + 1
			shapes[path] = x.Shape
		}
		if !blank {
			x.Proposed, x.Score = of[i].label, of[i].score
			if all != nil {
				x.Odds = d.odds(all[i*blocks.Roles:][:blocks.Roles])
			}
		}
		out.Blocks[i] = x
	}
	return &pageOutput{out}, nil
}

// labelInput is a change.
type labelInput struct {
	journal.Who
	ID   string `path:"id" doc:"Id of a page from /v1/desk."`
	Body struct {
		What   string      `json:"what" enum:"label,accept,undo,reopen" doc:"accept labels the remaining blocks as proposed and finishes the page; undo reverts the person's last step, on any page."`
		Seq    int         `json:"seq" doc:"Number of steps of the person on the page that the client has seen; a mismatch returns 409."`
		Labels []LabelItem `json:"labels,omitempty"`
		Alike  string      `json:"alike,omitempty" enum:"text,place" doc:"Also label similar blocks on other pages of the site: blocks in the same elements with the same text (text), or with any text (place)."`
		Blank  bool        `json:"blank,omitempty" doc:"Proposals were hidden."`
		Millis int64       `json:"ms,omitempty" minimum:"0" doc:"Time since the person's last step."`
	}
}

// LabelItem is the label of a block.
type LabelItem struct {
	Block int    `json:"block"`
	Label string `json:"label" doc:"A role, with a star for the text of another article; text or boilerplate for lines; empty to remove the label."`
}

// Changed is the result of a change.
type Changed struct {
	Page   string    `json:"page" doc:"Page of the step."`
	Seq    int       `json:"seq"`
	Done   bool      `json:"done"`
	Labels []Labeled `json:"labels,omitempty" doc:"All labels of the page, if they may differ from the client's."`
	Pages  int       `json:"pages" doc:"Number of other changed pages."`
	Others []other   `json:"others,omitempty"`
}

// Labeled is the state of a block.
type Labeled struct {
	Label string `json:"label"`
	Hand  bool   `json:"hand"`
}

type changeOutput struct{ Body Changed }

// label changes labels.
func (a *api) label(ctx context.Context, in *labelInput) (*changeOutput, error) {
	name, err := in.Name()
	if err != nil {
		return nil, err
	}
	who, err := a.person(name)
	if err != nil {
		return nil, err
	}
	d, err := a.doc(in.ID)
	if err != nil {
		return nil, err
	}
	c := change{What: in.Body.What, Seq: in.Body.Seq, Labels: in.Body.Labels, Alike: in.Body.Alike, Blank: in.Body.Blank || a.cfg.Blank, Millis: min(in.Body.Millis, maxPause.Milliseconds())}
	var of []proposal
	if c.What == didLabel || c.What == didAccept {
		if of, err = a.proposed(ctx, d); err != nil {
			return nil, err
		}
	}
	return a.change(ctx, who, d, c, of)
}

// change applies a change and returns its result.
func (a *api) change(ctx context.Context, who *person, d *doc, c change, of []proposal) (*changeOutput, error) {
	touched, err := a.do(who, d, c, of)
	if err != nil {
		return nil, err
	}
	at := touched[0]
	a.mu.Lock()
	who.doc, who.seen = at, a.cfg.Now()
	w := who.work(at)
	out := Changed{Page: at.ID, Seq: w.seq, Done: w.done, Pages: len(touched) - 1, Others: a.others(at, who.name)}
	if c.What != didLabel {
		for i := range w.marks {
			out.Labels = append(out.Labels, Labeled{w.marks[i].Label, w.hand[i]})
		}
	}
	var again []*doc // whose gold may be another
	for _, t := range touched {
		if a.agreed(t) != nil || c.What == didUndo || c.What == didReopen {
			again = append(again, t)
		}
	}
	a.mu.Unlock()
	if len(again) > 0 {
		if err := a.writeGold(context.WithoutCancel(ctx), again...); err != nil {
			return nil, fmt.Errorf("the label was saved, but the files of the gold set are not up to date: %w", err)
		}
	}
	return &changeOutput{out}, nil
}

// maxPause bounds the time that a step is said to have taken.
const maxPause = 5 * time.Minute

type frameInput struct {
	ID string `path:"id" doc:"Id of a page from /v1/desk."`
}

type frameOutput struct {
	ContentType string `header:"Content-Type"`
	Policy      string `header:"Content-Security-Policy"`
	Cache       string `header:"Cache-Control"`
	Body        []byte
}

// frame answers with the page itself, under a policy by which nothing of it runs and
// nothing is loaded, with a mark before each block.
func (a *api) frame(ctx context.Context, in *frameInput) (*frameOutput, error) {
	d, err := a.doc(in.ID)
	if err != nil {
		return nil, err
	}
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	p, err := a.read(ctx, d)
	if err != nil {
		return nil, err
	}
	out := &frameOutput{"text/html; charset=utf-8", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'", "no-store", []byte(marked(p))}
	return out, nil
}

// frameStyle shows which block is meant.
const frameStyle = `<style>chaffinch-mark{scroll-margin:40vh}:has(>chaffinch-mark:target){outline:3px solid #d0021b!important;outline-offset:2px!important;background:#fff3b0!important;color:#111!important}</style>`

// marked returns the page with an element before each block.
func marked(p *page.Page) string {
	var out strings.Builder
	if p.PlainText() {
		out.WriteString("<!doctype html><meta charset=utf-8><style>p{white-space:pre-wrap;margin:0 0 .3em;font:15px/1.5 serif}</style>" + frameStyle)
		for i := range p.Blocks {
			fmt.Fprintf(&out, "<p><chaffinch-mark id=chaffinch-%d></chaffinch-mark>%s</p>\n", i, escape.Replace(p.Blocks[i].Text))
		}
		return out.String()
	}
	at := 0
	for i := range p.Blocks {
		if start := p.Blocks[i].Start; start >= at {
			out.WriteString(p.HTML[at:start])
			at = start
		}
		fmt.Fprintf(&out, "<chaffinch-mark id=chaffinch-%d></chaffinch-mark>", i)
	}
	out.WriteString(p.HTML[at:])
	out.WriteString(frameStyle)
	return out.String()
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
