package corpora

import (
	"context"

	"chaffinch/corpus/profile"
)

type profileInput struct {
	Of
	Word     string   `query:"word" required:"true" doc:"Word: a lempos such as take-v, a lemma, or a form."`
	Part     []string `query:"part" doc:"Only these parts: summary, forms, time, register, site, sketch, collocations, thesaurus, examples. Default: all."`
	Time     string   `query:"time" doc:"Attribute with the time. Default: year, decade or date of doc."`
	Register string   `query:"register" doc:"Attribute with the register. Default: register, genre, domain, topic or type of doc."`
	Site     string   `query:"site" doc:"Attribute with the source. Default: host, site, source or author of doc."`
	Limit    int      `query:"limit" minimum:"1" maximum:"1000" default:"10" doc:"Maximum number of rows of a list, or of collocates of a relation."`
}

// profile returns the profile of a word.
func (a *api) profile(ctx context.Context, in *profileInput) (*struct{ Body *profile.Profile }, error) {
	c, done, err := a.enter(ctx, in.Of)
	if err != nil {
		return nil, err
	}
	defer done()
	w, err := profile.Find(ctx, c.Source, in.Word)
	if err != nil {
		return nil, failed("", err, c.Source)
	}
	p, err := w.Profile(ctx, profile.Config{Parts: in.Part, Time: in.Time, Register: in.Register, Site: in.Site, Limit: in.Limit})
	if err != nil {
		return nil, failed("", badSetting(err, map[string]string{"Parts": "part"}), c.Source)
	}
	return &struct{ Body *profile.Profile }{p}, nil
}
