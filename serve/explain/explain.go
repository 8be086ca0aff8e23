// Package explain shows the decisions of every method on a page, with their reasons, in a
// self-contained HTML file. [New] returns an [Explainer]; [Explainer.Do] explains a page. The
// file shows all blocks of the page in order, coloured by label, with the score and reason of
// each method, sliders for the thresholds, and the kept text.
//
// explain.go runs the methods, data.go and text.go convert the results to the data of the
// file, html.go writes the file; view/ holds its template, style and scripts. The scripts
// recompute decisions when a threshold (view/labels.js) or the choice of roles (view/roles.js)
// changes: by the rule of [clean.Scored], by the vote, or by jusText's passes. A method whose
// labels do not follow from its scores in one of these ways gets no slider.
//
// All content of the page is untrusted: it is stored as JSON and shown as text, and the file
// forbids scripts and addresses other than its own.
//
// Unstable: this package may change in any release.
package explain

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	_ "chaffinch/extract/documents/readers"
	_ "chaffinch/model/data/languages"

	"chaffinch/build/stage"
	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/internal/layout"
	_ "chaffinch/model/data/words" // every method is asked
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Config configures an Explainer. The zero value runs all methods with their defaults.
type Config struct {
	// Clean holds the settings of the stages; of them Method is the one whose
	// decision is shown first, and MethodConfig are its settings.
	Clean stage.Options
	// MaxBlockChars is the maximum number of characters of a block in the file, MaxChars
	// of all blocks together. Zero means the values of Default. Beyond MaxChars the first
	// shortChars of each block are shown.
	MaxBlockChars, MaxChars int
}

// Default has the sizes that keep the file small enough for a browser.
var Default = Config{MaxBlockChars: 20_000, MaxChars: 1_500_000}

// Explainer explains pages. It is safe for concurrent use.
type Explainer struct {
	cfg     Config
	byForm  bool             // no method was named: plain text and documents have other defaults
	before  []pipeline.Stage // stages before the labels
	methods []asked
}

// asked is an entry of method.Table at work.
type asked struct {
	method.Method
	labeller clean.Labeller
	err      error // why it cannot run
}

// New makes the methods. A method that cannot run with the settings, for want
// of a model for the language, is shown with its error; it is an error only
// if it is the one asked for.
func New(cfg Config) (*Explainer, error) {
	byForm := cfg.Clean.Method == ""
	if byForm {
		cfg.Clean.Method = method.Default
	}
	if cfg.MaxBlockChars <= 0 {
		cfg.MaxBlockChars = Default.MaxBlockChars
	}
	if cfg.MaxChars <= 0 {
		cfg.MaxChars = Default.MaxChars
	}
	cfg.Clean.CountLangs = true
	before, err := stage.Build(slices.DeleteFunc(stage.Steps(cfg.Clean), func(s stage.Step) bool { return s.Stage == "label" }))
	if err != nil {
		return nil, err
	}
	e := &Explainer{cfg: cfg, byForm: byForm, before: before}
	for _, m := range method.Table {
		l, err := method.New(m.Name, e.options(m, cfg.Clean.Keep))
		if err != nil && m.Name == cfg.Clean.Method {
			return nil, err
		}
		e.methods = append(e.methods, asked{m, l, err})
	}
	for _, m := range method.Table {
		if m.Keeps && m.Name != method.DefaultDocument {
			e.addPolicies(m)
		}
	}
	if !slices.Contains(method.Names(), cfg.Clean.Method) {
		_, err := method.New(cfg.Clean.Method, method.Options{})
		return nil, err
	}
	return e, nil
}

// options returns the options of method m for a policy.
func (e *Explainer) options(m method.Method, keep string) method.Options {
	c := &e.cfg.Clean
	o := method.Options{Lang: c.Lang}
	if m.Name == c.Method {
		o.Config = c.MethodConfig
	}
	if m.Keeps {
		o.Keep, o.Favour = keep, c.Favour
	}
	return o
}

// policies lists the policies under which methods with roles are compared.
var policies = []string{"text", "article"}

// addPolicies adds method m under the other policies, for comparison.
func (e *Explainer) addPolicies(m method.Method) {
	current := cmp.Or(e.cfg.Clean.Keep, policies[0])
	for _, keep := range policies {
		if keep == current {
			continue
		}
		if l, err := method.New(m.Name, e.options(m, keep)); err == nil {
			e.methods = append(e.methods, asked{method.Method{Name: m.Name + "-" + keep, Help: m.Help + " (keep " + keep + ")"}, l, nil})
		}
	}
}

// Page holds the results of all methods on a page.
type Page struct {
	data *data
}

// Prepare prepares for p before a time limit of Do begins, see [pipeline.Prepare].
func (e *Explainer) Prepare(ctx context.Context, p *page.Page) error {
	return pipeline.Prepare(ctx, e.before, p)
}

// Do decodes p, segments it into blocks and runs every method. A page that would be dropped
// is shown with the reason. An error means that a method failed.
func (e *Explainer) Do(ctx context.Context, p *page.Page) (*Page, error) {
	drop := p.Drop
	if drop != page.NotText {
		p.Drop = page.None
		for _, s := range e.before {
			if p.Drop != page.None {
				break
			}
			if err := s.Do(ctx, p); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name(), err)
			}
		}
		if drop == page.None {
			drop = p.Drop
		}
	}
	p.Drop = page.None
	d := e.pageData(p, drop)
	d.Wholes = e.wholes(p)
	found := make([]answer, len(e.methods))
	for i, m := range e.methods {
		md, a, err := e.ask(ctx, m, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		found[i] = a
		d.Methods = append(d.Methods, md)
	}
	e.setRules(d, p, found)
	p.Drop = drop
	return &Page{d}, nil
}

// answer holds the verdicts of a method on the blocks of a page, nil if it cannot run.
type answer struct {
	// verdicts are those in force, labels those before tables and lists were
	// decided as wholes.
	verdicts, labels []page.Verdict
}

// ask returns the results of a method on p.
func (e *Explainer) ask(ctx context.Context, m asked, p *page.Page) (*methodData, answer, error) {
	md := &methodData{Name: m.Name, Help: m.Help}
	if m.err != nil {
		md.Error = m.err.Error()
		return md, answer{}, nil
	}
	verdicts, q, err := e.label(ctx, m, p, false)
	if err != nil {
		return nil, answer{}, err
	}
	a := answer{verdicts, verdicts}
	if md.Settles = clean.Settles(m.labeller); md.Settles {
		if a.labels, _, err = e.label(ctx, m, p, true); err != nil {
			return nil, answer{}, err
		}
	}
	md.By = m.labeller.Name()
	if q.Confidence > 0 {
		md.Confidence, md.ConfidencePolicy = fmt.Sprintf("%.0f %%", 100*q.Confidence), q.ConfidencePolicy
	}
	if q.Type != "" {
		md.PageType, md.PageTypeConfidence = q.Type, fmt.Sprintf("%.0f %%", 100*q.TypeConfidence)
	}
	if q.Drop != page.None {
		md.Drop = q.Drop.Sentence()
	}
	if q.Drop == page.NoModel {
		md.Silent = "no model for this language"
	}
	return md, a, nil
}

// label returns the verdicts of a method on p, and the page as the method leaves it.
func (e *Explainer) label(ctx context.Context, m asked, p *page.Page, eachCell bool) ([]page.Verdict, *page.Page, error) {
	q := *p
	q.Blocks = slices.Clone(p.Blocks)
	stage := clean.Stage{Labeller: m.labeller, KeepHidden: e.cfg.Clean.KeepHidden, EachCell: eachCell}
	if err := stage.Do(ctx, &q); err != nil {
		return nil, nil, err
	}
	verdicts := make([]page.Verdict, len(q.Blocks))
	for i := range q.Blocks {
		verdicts[i] = q.Blocks[i].Verdict
	}
	return verdicts, &q, nil
}

// wholes returns for each block the number of the data table or list that holds it, 0 for
// none, as seen by methods.
func (e *Explainer) wholes(p *page.Page) []int32 {
	q := *p
	q.Blocks = nil
	for i := range p.Blocks {
		if b := &p.Blocks[i]; !b.Hidden || e.cfg.Clean.KeepHidden {
			q.Blocks = append(q.Blocks, *b)
		}
	}
	var w layout.Units
	w.Find(&q)
	out, seen := make([]int32, len(p.Blocks)), 0
	for i := range p.Blocks {
		if !p.Blocks[i].Hidden || e.cfg.Clean.KeepHidden {
			out[i] = w.Of[seen]
			seen++
		}
	}
	return out
}

// configOf returns the JSON object of settings that v has.
func configOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return b
}

// unwrap returns the method inside one that speaks a single language.
func unwrap(l clean.Labeller) clean.Labeller {
	if s, ok := l.(clean.OneLanguage); ok {
		return s.Labeller
	}
	return l
}
