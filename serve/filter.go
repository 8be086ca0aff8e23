package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaffinch/filter"
	"chaffinch/page"
	"chaffinch/serve/problem"
)

type filterInput struct {
	PageBody
	PageSettings
	Rules []string `query:"rules" required:"true" doc:"Groups and profiles of rules, such as gopher_quality,c4,nontext, from /v1/about."`
}

type filtered struct {
	Kept   bool               `json:"kept"`
	Drop   string             `json:"drop,omitempty" doc:"Reason for dropping the page; filtered if a rule dropped it."`
	Rule   string             `json:"rule,omitempty" doc:"The score that exceeds a limit, its value and the limit."`
	Lang   string             `json:"lang"`
	Scores map[string]float64 `json:"scores" doc:"All scores of the text."`
	Limits map[string]bounds  `json:"limits" doc:"Limits of the scores: a text with a lower or a higher value is dropped."`
	Lines  []lineOut          `json:"lines" doc:"Lines dropped by rules."`
}

// bounds are the limits of a score.
type bounds struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

type lineOut struct {
	Text string `json:"text"`
	Why  string `json:"why"`
}

// filter returns the scores of a page's clean text by quality rules, and the decision. Plain
// text is not cleaned, unless a method is named.
func (s *Server) filter(ctx context.Context, in *filterInput) (*struct{ Body filtered }, error) {
	for _, name := range in.Rules {
		if !slices.Contains(s.ruleNames(), name) {
			return nil, problem.Parameter("rules", name, fmt.Errorf("%q: wanted some of %s", name, strings.Join(s.ruleNames(), ", ")))
		}
	}
	pages, _, err := s.pages(ctx, &in.PageBody, nil)
	if err != nil {
		return nil, err
	}
	p := pages[0]
	settings := in.PageSettings
	if settings.Method == "" && p.MIME == "text/plain" {
		settings.Method = "keep"
	}
	cleaner, err := s.cleaner(cleanerKey{PageSettings: settings, rules: strings.Join(in.Rules, ",")})
	if err != nil {
		return nil, err
	}
	if err := s.cleanPage(ctx, s.gate.Enter, cleaner, p); err != nil {
		return nil, err
	}
	out := filtered{Kept: p.Drop == page.None, Drop: p.Drop.String(), Rule: p.Rule, Lang: p.Lang, Scores: map[string]float64{}, Limits: map[string]bounds{}, Lines: []lineOut{}}
	set, err := s.ruleSet(strings.Join(in.Rules, ","))
	if err != nil {
		return nil, err
	}
	limits := set.Limits(p.Lang)
	for _, n := range p.Notes {
		if strings.HasPrefix(n.By, "filter/") {
			out.Scores[n.What] = n.Value
			if l, ok := limits[n.What]; ok {
				out.Limits[n.What] = bounds(l)
			}
		}
	}
	for i := range p.Blocks {
		if b := &p.Blocks[i]; strings.HasPrefix(b.By, "filter/") {
			out.Lines = append(out.Lines, lineOut{b.Text, b.Reason})
		}
	}
	return &struct{ Body filtered }{out}, nil
}

// ruleSet returns the rules of names with commas between.
func (s *Server) ruleSet(rules string) (*filter.Set, error) {
	return s.rules.get(rules, func() (*filter.Set, error) {
		cfg, err := s.ruleConfig(rules)
		if err != nil {
			return nil, err
		}
		return filter.New(cfg)
	})
}

// ruleNames returns the rules that a client may use: the models of the server, and rules that need
// no files.
func (s *Server) ruleNames() []string {
	names := slices.DeleteFunc(filter.Names(), func(name string) bool {
		return slices.ContainsFunc(filter.Groups, func(g filter.Group) bool { return g.NeedsFiles && g.Name == name })
	})
	return append(names, slices.Sorted(maps.Keys(s.cfg.LabelModels))...)
}

// ruleHelp returns the description of a rule.
func ruleHelp(name string) string {
	for _, g := range filter.Groups {
		if g.Name == name {
			return g.Help
		}
	}
	for _, p := range filter.Profiles {
		if p.Name == name {
			return p.Help
		}
	}
	return ""
}
