package clean

import (
	"context"
	"fmt"
	"strings"

	"chaffinch/page"
)

// Vote is a [Labeller] that keeps the blocks that more than half of its methods keep. Tables
// and lists are decided as a whole for each method first (see [Stage]).
//
// A method that labels a block Unknown has no vote on it. If no method has a vote, the label
// is Unknown. The score is the share of votes for the block. A kept block has the sentence
// labels of the first method that keeps it and labels single sentences.
type Vote struct{ Methods []Labeller }

// Name returns "vote/1" with the names of the methods.
func (v Vote) Name() string {
	names := make([]string, len(v.Methods))
	for i, m := range v.Methods {
		names[i] = m.Name()
	}
	return "vote/1(" + strings.Join(names, ",") + ")"
}

// Label returns the majority verdicts.
func (v Vote) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	final, _, err := v.LabelAll(ctx, p)
	return final, err
}

// LabelAll returns the majority verdicts and the verdicts of each method.
func (v Vote) LabelAll(ctx context.Context, p *page.Page) (final []page.Verdict, parts [][]page.Verdict, err error) {
	for _, m := range v.Methods {
		part, err := m.Label(ctx, p)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.Name(), err)
		}
		if len(part) != len(p.Blocks) {
			return nil, nil, fmt.Errorf("%s: %d verdicts for %d blocks", m.Name(), len(part), len(p.Blocks))
		}
		if Settles(m) {
			settle(p, part)
		}
		parts = append(parts, part)
	}
	final = make([]page.Verdict, len(p.Blocks))
	for i := range final {
		final[i] = v.count(parts, i)
	}
	return final, parts, nil
}

func (v Vote) count(parts [][]page.Verdict, i int) page.Verdict {
	out := page.Verdict{By: "vote/1", Label: page.Bad}
	voters, kept := 0, 0
	var who []string
	for m := range parts {
		part := &parts[m][i]
		if part.Label != page.Unknown {
			voters++
		}
		if !part.Label.Keep() {
			continue
		}
		kept++
		who = append(who, v.Methods[m].Name())
		if out.Sentences == nil {
			out.Sentences = part.Sentences
		}
	}
	if voters > 0 {
		out.Score = float64(kept) / float64(voters)
	}
	out.Reason = fmt.Sprintf("%d of %d keep it", kept, voters)
	if kept > 0 {
		out.Reason += ": " + strings.Join(who, ", ")
	}
	switch {
	case voters == 0:
		out.Label = page.Unknown
	case 2*kept > voters:
		out.Label = page.Good
	default:
		out.Sentences = nil
	}
	return out
}

// OneLanguage is a [Labeller] for pages in one language. It labels pages known to be in
// another language Unknown.
type OneLanguage struct {
	Labeller
	// Lang is the primary language subtag (BCP 47), such as "en".
	Lang string
}

// Cells reports whether the wrapped method decides tables and lists itself.
func (s OneLanguage) Cells() bool { return !Settles(s.Labeller) }

// Label returns the verdicts of the wrapped method, or Unknown labels for pages in other
// languages.
func (s OneLanguage) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	lang, _, _ := strings.Cut(p.KnownLang(), "-")
	if lang == "" || lang == s.Lang {
		return s.Labeller.Label(ctx, p)
	}
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i] = page.Verdict{By: s.Name(), Reason: "no model for " + lang}
	}
	return out, nil
}

// Keep is the baseline [Labeller]: it labels every block good.
type Keep struct{}

// Name returns "keep/1".
func (Keep) Name() string { return "keep/1" }

// IgnoresLang reports whether the method ignores the language of a page: always true.
func (Keep) IgnoresLang() bool { return true }

// Label labels every block good.
func (Keep) Label(_ context.Context, p *page.Page) ([]page.Verdict, error) {
	out := make([]page.Verdict, len(p.Blocks))
	for i := range out {
		out[i] = page.Verdict{By: "keep/1", Label: page.Good, Score: 1}
	}
	return out, nil
}
