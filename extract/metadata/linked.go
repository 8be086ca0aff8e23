package metadata

import "strings"

// object is a node of JSON-LD with the rank of its type.
type object struct {
	*value
	rank uint8
}

// Ranks of types, by how surely the metadata of an object describe the page.
const (
	rankArticle = iota
	rankWork    // a recipe, product, video, event, ...
	rankPage
	rankSite
	rankNone
)

// rankOf returns the rank of a schema.org type.
func rankOf(t string) uint8 {
	t = typeName(t)
	switch {
	case strings.HasSuffix(t, "Article"), strings.HasSuffix(t, "Posting") && t != "JobPosting", t == "Report", t == "Blog Post", t == "Question":
		return rankArticle
	case strings.HasSuffix(t, "Page"):
		return rankPage
	case t == "WebSite":
		return rankSite
	}
	switch t {
	case "Recipe", "Product", "VideoObject", "Event", "Book", "Movie", "Review", "CreativeWork", "Course", "HowTo", "JobPosting", "SoftwareApplication",
		"PodcastEpisode", "Dataset", "MedicalWebPage", "Thesis", "Chapter", "PhotographSeries", "ImageGallery", "MediaObject", "AudioObject":
		return rankWork
	}
	return rankNone
}

// typeName returns the name of a type without its vocabulary.
func typeName(t string) string { return t[strings.LastIndexAny(t, "/:#")+1:] }

// kinds adds the types of an object as candidates.
func (g *graph) kinds(s *Sources, o object, rank uint8) {
	o.get("@type").each(func(t *value) {
		s.add(candidate{field: kind, rank: rank, plain: true, value: unescape(typeName(t.text))})
	})
}

// addJSONLD adds the candidates in a JSON-LD script.
func (s *Sources) addJSONLD(script string) {
	values := parseJSON(script)
	g := graph{byID: map[string]*value{}}
	for i := range values {
		g.collect(&values[i], 0)
	}
	for r := uint8(rankArticle); r <= rankSite; r++ {
		for _, o := range g.objects {
			if o.rank == r {
				g.addCandidates(s, o)
			}
		}
	}
}

// graph holds the objects of a script.
type graph struct {
	objects []object
	byID    map[string]*value
}

// collect collects the objects at the top level, in a @graph, or as the main entity of another
// object. It also indexes the objects with an @id.
func (g *graph) collect(v *value, depth int) {
	if v == nil || depth > maxJSONDepth {
		return
	}
	if !v.object {
		for i := range v.items {
			g.collect(&v.items[i], depth+1)
		}
		return
	}
	if id := v.get("@id"); id != nil && id.text != "" && (v.get("name") != nil || v.get("url") != nil) && g.byID[id.text] == nil {
		g.byID[id.text] = v
	}
	best := uint8(rankNone)
	v.get("@type").each(func(t *value) { best = min(best, rankOf(t.text)) })
	if best < rankNone {
		g.objects = append(g.objects, object{v, best})
	}
	g.collect(v.get("@graph"), depth+1)
	g.collect(v.get("mainEntity"), depth+1)
	if m := v.get("mainEntityOfPage"); m != nil && m.get("headline") != nil {
		g.collect(m, depth+1)
	}
	for _, name := range [...]string{"author", "publisher", "creator"} {
		v.get(name).each(func(a *value) {
			if id := a.get("@id"); id != nil && a.get("name") != nil && g.byID[id.text] == nil {
				g.byID[id.text] = a
			}
		})
	}
}

// addCandidates adds the members of an object as candidates. Objects come in the order of their ranks; the
// first value of a field wins.
func (g *graph) addCandidates(s *Sources, o object) {
	add := func(f field, rank uint8, v *value) {
		v.each(func(v *value) {
			if t := g.textOf(v); t != "" {
				t = unescape(t)
				s.add(candidate{field: f, rank: rank, plain: true, value: t})
				s.state(f, t)
			}
		})
	}
	if o.rank == rankSite {
		add(site, 1, o.get("name"))
		return
	}
	if o.rank < rankPage {
		add(title, titleLinked, o.get("headline"))
		if o.get("headline") == nil {
			add(title, titleItem, o.get("name"))
		}
		o.get("alternativeHeadline").each(func(v *value) { s.state(description, v.text) })
		s.stateText(o.get("articleBody"))
		g.people(s, o.get("author"), o.get("creator"))
		g.kinds(s, o, 0)
		add(section, 0, o.get("articleSection"))
	} else {
		g.people(s, o.get("author"))
		g.kinds(s, o, 2)
	}
	for _, name := range [...]string{"datePublished", "dateCreated", "uploadDate", "datePosted"} {
		if d := o.get(name); d != nil {
			add(published, dateLinked+min(o.rank, 1), d)
			break
		}
	}
	add(modified, 0, o.get("dateModified"))
	add(site, 1+o.rank, o.get("publisher"))
	add(description, 3, o.get("description"))
	add(tags, 1, o.get("keywords"))
	add(lang, 2, o.get("inLanguage"))
	add(license, 1, o.get("license"))
	add(image, 1, o.get("image"))
	add(image, 4, o.get("thumbnailUrl"))
}

// textOf returns a value as text: a string, or the name or address of an object. The object may be
// elsewhere in the graph.
func (g *graph) textOf(v *value) string {
	if !v.object {
		return v.text
	}
	for range 2 {
		for _, name := range [...]string{"name", "@value", "url", "contentUrl"} {
			if m := v.get(name); m != nil {
				t := ""
				m.each(func(m *value) {
					if t == "" {
						t = m.text
					}
				})
				if t != "" {
					return t
				}
			}
		}
		given, family := v.get("givenName"), v.get("familyName")
		if given != nil && family != nil {
			return given.text + " " + family.text
		}
		id := v.get("@id")
		if id == nil || g.byID[id.text] == nil || g.byID[id.text] == v {
			return ""
		}
		v = g.byID[id.text]
	}
	return ""
}

// people adds the authors of the first list that has any, persons before organisations, as one
// candidate each.
func (g *graph) people(s *Sources, lists ...*value) {
	for _, l := range lists {
		var persons, others []string
		l.each(func(v *value) {
			name := unescape(g.textOf(v))
			if name == "" {
				return
			}
			org, person := false, false
			if id := v.get("@id"); id != nil && v.get("@type") == nil && g.byID[id.text] != nil {
				v = g.byID[id.text]
			}
			v.get("@type").each(func(t *value) {
				person = person || t.text == "Person"
				org = org || strings.HasSuffix(t.text, "Organization")
			})
			if org && !person {
				others = append(others, name)
			} else {
				persons = append(persons, name)
			}
		})
		if len(persons) > 0 {
			list := strings.Join(persons, "; ")
			s.add(candidate{field: author, rank: authorLinked, plain: true, value: truncateNames(list, maxValue)})
			s.state(author, list)
		}
		if len(others) > 0 {
			s.add(candidate{field: author, rank: authorBody, plain: true, value: strings.Join(others, "; ")})
		}
		if len(persons)+len(others) > 0 {
			return
		}
	}
}
