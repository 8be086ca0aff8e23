package metadata

import "strings"

// source is a field and the rank of trust of a source of it.
type source struct {
	field field
	rank  uint8
}

// Ranks of sources of titles, authors and dates, best first. The other fields have few sources and
// use plain numbers.
const (
	titleLinked uint8 = iota // headline of JSON-LD
	titleOG
	titleMeta
	titleItem
	titleTag
)

const (
	authorLinked uint8 = iota
	authorCitation
	authorMeta
	authorSocial // Twitter card
	authorItem
	authorRel
	authorName // class that marks a name
	authorClass
	authorByline
	authorLink // address of an author's page
	authorWide // class that often holds more than the name
	authorBody // an organisation
)

const (
	dateLinked uint8 = iota
	dateArticle
	dateItem
	dateMeta
	timeMarked // time element with a class of dates
	timePub
	dateClass
	timeElement
	dateWide
)

// metaNames maps names, properties and itemprops of meta elements.
var metaNames = map[string]source{
	"og:title": {title, titleOG}, "twitter:title": {title, titleMeta}, "dc.title": {title, titleMeta}, "dcterms.title": {title, titleMeta},
	"citation_title": {title, titleLinked}, "parsely-title": {title, titleMeta}, "sailthru.title": {title, titleMeta}, "headline": {title, titleItem},
	"title": {title, titleMeta}, "fb_title": {title, titleMeta}, "rbtitle": {title, titleMeta}, "shareaholic:title": {title, titleMeta},

	"citation_author": {author, authorCitation}, "citation_authors": {author, authorCitation}, "dc.creator": {author, authorMeta}, "dcterms.creator": {author, authorMeta},
	"dc.contributor.author": {author, authorMeta}, "author": {author, authorMeta}, "authors": {author, authorMeta}, "byl": {author, authorMeta}, "creator": {author, authorMeta},
	"article:author": {author, authorMeta}, "article:author_name": {author, authorMeta}, "og:author": {author, authorMeta}, "og:article:author": {author, authorMeta},
	"parsely-author": {author, authorMeta}, "sailthru.author": {author, authorMeta}, "shareaholic:article_author_name": {author, authorMeta},
	"rbauthors": {author, authorMeta}, "dcsext.author": {author, authorMeta}, "twitter:data1": {author, authorSocial}, "cxenseparse:author": {author, authorMeta},
	"mediator_author": {author, authorMeta}, "weibo: article:author": {author, authorMeta},

	"article:published_time": {published, dateArticle}, "og:article:published_time": {published, dateArticle}, "article:published": {published, dateArticle},
	"article.published": {published, dateArticle}, "og:published_time": {published, dateArticle}, "datepublished": {published, dateItem}, "dateposted": {published, dateItem},
	"rnews:datepublished": {published, dateItem}, "bt:pubdate": {published, dateMeta}, "citation_date": {published, dateMeta},
	"citation_publication_date": {published, dateMeta}, "citation_online_date": {published, dateMeta}, "date": {published, dateMeta}, "date.created": {published, dateMeta},
	"datecreated": {published, dateMeta}, "date_published": {published, dateMeta}, "dc.date": {published, dateMeta}, "dc.date.created": {published, dateMeta},
	"dc.date.issued": {published, dateMeta}, "dcterms.created": {published, dateMeta}, "dcterms.date": {published, dateMeta}, "dcterms.issued": {published, dateMeta},
	"dcterms.available": {published, dateMeta}, "parsely-pub-date": {published, dateMeta}, "pubdate": {published, dateMeta}, "publication_date": {published, dateMeta},
	"publish-date": {published, dateMeta}, "publish_date": {published, dateMeta}, "publishdate": {published, dateMeta}, "published_time": {published, dateMeta},
	"published_date": {published, dateMeta}, "publish_time": {published, dateMeta}, "publisheddate": {published, dateMeta}, "sailthru.date": {published, dateMeta},
	"weibo: article:create_at": {published, dateMeta}, "cxenseparse:recs:publishtime": {published, dateMeta}, "displaydate": {published, dateMeta},
	"originalpublicationdate": {published, dateMeta}, "rbpubdate": {published, dateMeta}, "ptime": {published, dateMeta}, "pdate": {published, dateMeta},
	"mediator_published_time": {published, dateMeta}, "shareaholic:article_published_time": {published, dateMeta}, "article_date_original": {published, dateMeta},
	"og:pubdate": {published, dateMeta}, "og:publish_date": {published, dateMeta}, "video:release_date": {published, dateMeta}, "uploaddate": {published, dateMeta},

	"article:modified_time": {modified, 1}, "article:modified": {modified, 1}, "datemodified": {modified, 1}, "og:updated_time": {modified, 2}, "og:modified_time": {modified, 2},
	"dcterms.modified": {modified, 2}, "dc.date.modified": {modified, 2}, "bt:moddate": {modified, 2}, "last-modified": {modified, 3}, "lastmod": {modified, 3},
	"lastmodified": {modified, 3}, "revised": {modified, 3}, "modified": {modified, 3}, "utime": {modified, 3},

	"og:site_name": {site, 0}, "application-name": {site, 2}, "apple-mobile-web-app-title": {site, 3}, "al:ios:app_name": {site, 5}, "cre": {site, 3}, "citation_journal_title": {site, 0},
	"dc.publisher": {site, 3}, "dcterms.publisher": {site, 3}, "publisher": {site, 4}, "sailthru.publisher": {site, 3}, "twitter:site": {site, 6},

	"og:description": {description, 0}, "description": {description, 1}, "twitter:description": {description, 2}, "dc.description": {description, 2},
	"dcterms.description": {description, 2}, "dcterms.abstract": {description, 2}, "citation_abstract": {description, 2}, "sailthru.description": {description, 2},

	"content-language": {lang, 1}, "language": {lang, 1}, "dc.language": {lang, 2}, "dcterms.language": {lang, 2}, "og:locale": {lang, 3}, "inlanguage": {lang, 2},
	"citation_language": {lang, 2},

	"og:url": {canonical, 1}, "twitter:url": {canonical, 2},

	"dc.rights.license": {license, 1}, "dcterms.license": {license, 1}, "license": {license, 1}, "dc.rights": {license, 4}, "dcterms.rights": {license, 4},

	"article:tag": {tags, 1}, "parsely-tags": {tags, 2}, "sailthru.tags": {tags, 2}, "citation_keywords": {tags, 1}, "news_keywords": {tags, 2}, "keywords": {tags, 3},
	"dc.subject": {tags, 2}, "dcterms.subject": {tags, 2}, "shareaholic:keywords": {tags, 3}, "video:tag": {tags, 2},

	"article:section": {section, 1}, "parsely-section": {section, 1}, "articlesection": {section, 1}, "og:article:section": {section, 1},

	"og:image": {image, 0}, "og:image:url": {image, 0}, "og:image:secure_url": {image, 0}, "twitter:image": {image, 2}, "twitter:image:src": {image, 2},
	"parsely-image-url": {image, 3}, "sailthru.image.full": {image, 3}, "thumbnail": {image, 4}, "image": {image, 3},

	"og:type": {kind, 1},
}

// itemProps maps microdata and RDFa Lite properties of elements in the body.
var itemProps = map[string]source{
	"headline": {title, titleItem}, "author": {author, authorItem}, "creator": {author, authorItem}, "datepublished": {published, dateItem},
	"datecreated": {published, dateItem}, "uploaddate": {published, dateItem}, "datemodified": {modified, 1}, "dateupdated": {modified, 1},
	"license": {license, 1}, "keywords": {tags, 2}, "articlesection": {section, 1}, "image": {image, 5},
	"dc:title": {title, titleItem}, "dc:creator": {author, authorItem}, "dc:date": {published, dateItem}, "cc:attributionname": {author, authorWide},
	"dc:date dc:created": {published, dateItem}, "schema:author": {author, authorItem}, "schema:datepublished": {published, dateItem},
}

// relOf returns the source for a list of link types.
func relOf(rel string) (source, bool) {
	if len(rel) > 64 || len(rel) < 3 {
		return source{}, false
	}
	var found source
	ok := false
	for r := range strings.FieldsSeq(rel) {
		switch len(r) {
		case 3:
			if strings.EqualFold(r, "tag") && !ok {
				found, ok = source{tags, 2}, true
			}
		case 6:
			if strings.EqualFold(r, "author") {
				return source{author, authorRel}, true
			}
		case 7:
			if strings.EqualFold(r, "license") {
				return source{license, 0}, true
			}
		case 8:
			if strings.EqualFold(r, "category") {
				found, ok = source{section, 2}, true
			}
		case 9:
			if strings.EqualFold(r, "canonical") {
				return source{canonical, 0}, true
			} else if strings.EqualFold(r, "image_src") {
				return source{image, 4}, true
			}
		}
	}
	return found, ok
}

// isProfile reports whether href is the address of an author's page.
func isProfile(href string) bool {
	for i := 1; i < len(href); i++ {
		if href[i-1] != '/' {
			continue
		}
		switch rest := href[i:]; rest[0] {
		case 'a', 's', 'c', 'p':
			for _, dir := range &profileFolders {
				if rest[0] == dir[0] && len(rest) > len(dir) && strings.HasPrefix(rest, dir) { // not the list of all authors
					return true
				}
			}
		}
	}
	return false
}

// profileFolders holds folders of the pages of authors.
var profileFolders = [...]string{"author/", "authors/", "autor/", "autoren/", "auteur/", "staff/", "contributor/", "contributors/", "people/", "profil/", "profile/"}

// hints holds words in class names and ids. A word counts at the start of a part of the name:
// "author" in "post-author" and "postAuthor", but not in "coauthored".
var hints = []struct {
	word  string
	whole bool // the part must end after the word
	source
}{
	{"author-name", false, source{author, authorName}}, {"author_name", false, source{author, authorName}}, {"authorname", false, source{author, authorName}},
	{"author", false, source{author, authorClass}}, {"autor", false, source{author, authorClass}}, {"auteur", false, source{author, authorClass}}, {"byline", false, source{author, authorByline}},
	{"byl", true, source{author, authorByline}}, {"posted-by", false, source{author, authorByline}}, {"postedby", false, source{author, authorByline}},
	{"submitted-by", false, source{author, authorByline}}, {"writer", false, source{author, authorWide}}, {"journalist", false, source{author, authorWide}},
	{"zuozhe", false, source{author, authorClass}}, {"username", false, source{author, authorWide}}, {"bigusername", false, source{author, authorWide}}, {"reporter", false, source{author, authorWide}},
	{"published", false, source{published, dateClass}}, {"publish", false, source{published, dateClass}}, {"pubdate", false, source{published, dateClass}}, {"pubtime", false, source{published, dateClass}},
	{"date", false, source{published, dateClass}}, {"datum", false, source{published, dateClass}}, {"posted-on", false, source{published, dateClass}}, {"postdate", false, source{published, dateClass}},
	{"time", true, source{published, dateWide}}, {"timestamp", false, source{published, dateWide}}, {"updated", false, source{modified, 4}}, {"modified", false, source{modified, 4}},
	{"meta", false, source{published, dateWide}}, {"info", true, source{published, dateWide}}, {"postmeta", false, source{published, dateWide}},
}

// hintsAt holds, for each byte, the indexes of the hints that begin with it. hintPairs holds the
// second letters of these hints, one bit for each.
var hintsAt, hintPairs = func() (at [256][]uint8, pairs [256]uint32) {
	for i, h := range hints {
		for _, c := range [...]byte{h.word[0], h.word[0] - 'a' + 'A'} {
			at[c] = append(at[c], uint8(i))
			pairs[c] |= 1 << (h.word[1] & 31)
		}
	}
	return at, pairs
}()

// hintOf returns the source that a class or an id marks. The first hint of the table that occurs
// wins.
func hintOf(class string) (source, bool) {
	if len(class) < 3 || len(class) > 200 {
		return source{}, false
	}
	best := len(hints)
	prev := byte(' ')
	for i := 0; i+1 < len(class); i++ {
		c := class[i]
		if hintPairs[c]>>(class[i+1]&31)&1 == 1 && (!isLetter(prev) || c < 'a' && prev >= 'a') {
			rest := class[i:]
			for _, k := range hintsAt[c] {
				h := &hints[k]
				if int(k) >= best {
					break
				}
				if len(rest) >= len(h.word) && strings.EqualFold(rest[:len(h.word)], h.word) &&
					(!h.whole || len(rest) == len(h.word) || !isLetter(rest[len(h.word)])) {
					best = int(k)
					break
				}
			}
		}
		prev = c
	}
	if best == len(hints) || strings.Contains(class, "comment") {
		return source{}, false
	}
	return hints[best].source, true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
