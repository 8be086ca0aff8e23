package serve

import (
	"chaffinch/clean/method"
	"chaffinch/corpus"
	"chaffinch/model/data/frequencies"
	"chaffinch/page"
)

// about lists the capabilities of the server.
type about struct {
	Version   string        `json:"version"`
	Fetch     bool          `json:"fetch" doc:"Whether the server fetches addresses."`
	Desk      bool          `json:"desk" doc:"Whether the server has a set under annotation, for /v1/desk."`
	Documents bool          `json:"documents" doc:"Whether the server has a set of documents under annotation, for /v1/documents."`
	Sources   bool          `json:"sources" doc:"Whether the server has an index of sources, for /v1/plagiarism."`
	Reports   bool          `json:"reports" doc:"Whether the server has a folder of reports."`
	Workspace bool          `json:"workspace" doc:"Whether the server stores workspaces, for /v1/workspace."`
	Formats   []aboutFormat `json:"formats"`
	Methods   []aboutMethod `json:"methods"`
	Policies  []aboutPolicy `json:"policies" doc:"Policies (named sets of roles) for keep."`
	Roles     []string      `json:"roles"`
	Rules     []aboutRules  `json:"rules" doc:"Groups and profiles of rules, for /v1/filter."`
	Corpora   []string      `json:"corpora"`
	Words     []string      `json:"words" doc:"Names of word models, for /v1/perplexity."`
	Measures  []measure     `json:"measures" doc:"Association measures, for collocations."`
	Keyness   []measure     `json:"keyness" doc:"Keyness measures, for keywords."`
	Lists     []string      `json:"frequency_lists" doc:"Languages of built-in frequency lists, for keywords."`
}

type aboutFormat struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Extension string `json:"extension"`
	Help      string `json:"help"`
	Annotates bool   `json:"annotates" doc:"Whether the format can hold labels."`
}

type aboutMethod struct {
	Name  string `json:"name"`
	Help  string `json:"help"`
	Keeps bool   `json:"keeps" doc:"Whether keep and favour affect the method."`
}

type aboutRules struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

type aboutPolicy struct {
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

type measure struct {
	Key     string `json:"key"`
	Name    string `json:"name"`
	Formula string `json:"formula"`
}

// aboutPages fills in what there is for pages.
func (s *Server) aboutPages(a *about) {
	for _, f := range answerFormats() {
		a.Formats = append(a.Formats, aboutFormat{f.Name, f.Media[0], f.Ext, f.Help, f.Annotates})
	}
	for _, m := range method.Table {
		a.Methods = append(a.Methods, aboutMethod{m.Name, m.Help, m.Keeps})
	}
	for _, name := range s.ruleNames() {
		a.Rules = append(a.Rules, aboutRules{name, ruleHelp(name)})
	}
	a.Roles = page.AllRoles.Names()
	for _, p := range page.Policies() {
		a.Policies = append(a.Policies, aboutPolicy{p.Name, p.Roles.Names()})
	}
}

// aboutMeasures fills in the measures and the frequency lists of corpora.
func aboutMeasures(a *about) {
	for _, m := range corpus.Measures {
		a.Measures = append(a.Measures, measure{m.Key, m.Name, m.Formula})
	}
	a.Lists = frequencies.Languages()
	for _, m := range corpus.KeynessMeasures {
		a.Keyness = append(a.Keyness, measure{m.Key, m.Name, m.Formula})
	}
}
