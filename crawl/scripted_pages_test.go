package crawl

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

// scriptedPage is a page written for the tests of the decision to run scripts.
type scriptedPage struct {
	kind, name string
	html       string
	// needs reports whether the text of the page is present only after its scripts have run.
	// TestScriptedPages checks that with a browser.
	needs bool
}

// storyParts returns the paragraphs of a text, different for each number.
func storyParts(number int) (list []string) {
	for i := range 9 {
		list = append(list, fmt.Sprintf("In the winter of %d the ferry to the island stopped for %d days, and the %d people who lived there baked their own bread, mended the nets and waited for the ice to break.", 1850+7*number+i, 3+i, 40+number*i))
	}
	return list
}

// paragraphs returns paragraphs as HTML.
func paragraphs(list []string) string { return "<p>" + strings.Join(list, "</p>\n<p>") + "</p>" }

// quoted returns a value as JSON for a script.
func quoted(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Parts of pages.
const (
	menu   = `<header><a href="/">Harbour News</a><nav><a href="/news">News</a> <a href="/sport">Sport</a> <a href="/weather">Weather</a> <a href="/about">About us</a></nav></header>`
	footer = `<footer><p>© Harbour News. <a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a> <a href="/contact">Contact</a></p></footer>`
	// noise is what ordinary pages run.
	noise = `<script async src="https://stats.example/t.js"></script><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag("js",new Date())</script><noscript><iframe src="https://stats.example/ns.html"></iframe></noscript>`
)

// around returns a whole page with a title and scripts that ordinary pages have.
func around(title, body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>` + title + `</title>` + noise + `</head><body>` + body + `</body></html>`
}

// later returns a script that writes HTML into the element that a selector names, after a while.
func later(selector, inner string) string {
	return fmt.Sprintf(`<script>setTimeout(() => { document.querySelector(%s).innerHTML = %s }, 300)</script>`, quoted(selector), quoted(inner))
}

// scriptedPages returns the pages. Their texts differ.
func scriptedPages() (list []scriptedPage) {
	var text []string
	add := func(kind, name string, needs bool, page func() string) {
		text = storyParts(len(list))
		list = append(list, scriptedPage{kind, name, page(), needs})
	}
	all := func() string { return "<h1>The winter ferry</h1>" + paragraphs(text) }
	filled := func(name, body, selector string) { // an element that a script fills
		kind, name, _ := strings.Cut(name, "/")
		add(kind, name, true, func() string { return around("The winter ferry", body+later(selector, all())) })
	}
	filled("empty root/root", `<div id="root"></div>`, "#root")
	filled("empty root/app with a menu", menu+`<div id="app"></div>`+footer, "#app")
	filled("empty root/own id", `<div id="harbour-frontend"></div>`, "#harbour-frontend")
	filled("empty root/class only", menu+`<div class="page-view"></div>`+footer, ".page-view")
	filled("empty root/empty main", menu+`<main></main>`+footer, "main")
	filled("empty root/empty article", menu+`<div class="wrap"><article id="story"></article></div>`+footer, "#story")
	add("empty root", "nothing but scripts", true, func() string {
		return around("The winter ferry", fmt.Sprintf(`<script>document.body.insertAdjacentHTML("beforeend", %s)</script>`, quoted(all())))
	})
	add("empty root", "document.write", true, func() string {
		return around("The winter ferry", fmt.Sprintf(`<script>document.write(%s)</script>`, quoted(all())))
	})

	filled("noscript hint/English", `<noscript>You need to enable JavaScript to run this app.</noscript><div id="view"></div>`, "#view")
	filled("noscript hint/German", menu+`<noscript><p>Bitte aktivieren Sie JavaScript, um diese Seite zu lesen.</p></noscript><div class="inhalt"></div>`, ".inhalt")
	filled("noscript hint/French, visible", `<div class="avis">Veuillez activer JavaScript dans votre navigateur.</div><div class="corps"></div>`, ".corps")
	filled("noscript hint/without the word", `<noscript>Please switch on scripts in your browser to read the articles.</noscript><div class="c-1"></div>`, ".c-1")

	state := func(name string, open func(text string) string) { // the text is in the page
		add("JSON state", name, false, func() string {
			return around("The winter ferry", `<div id="__next"></div>`+open(strings.Join(text, "\n\n"))+later("#__next", all()))
		})
	}
	state("Next", func(s string) string {
		return `<script id="__NEXT_DATA__" type="application/json">` + quoted(map[string]any{"props": map[string]any{"pageProps": map[string]any{"article": map[string]any{"title": "The winter ferry", "body": paragraphs(strings.Split(s, "\n\n"))}}}}) + `</script>`
	})
	state("Nuxt", func(s string) string {
		return `<script>window.__NUXT__=` + quoted(map[string]any{"data": []any{map[string]any{"post": map[string]any{"content": paragraphs(strings.Split(s, "\n\n"))}}}}) + `</script>`
	})
	state("Apollo", func(s string) string {
		return `<script>window.__APOLLO_STATE__=` + quoted(map[string]any{"Article:7": map[string]any{"__typename": "Article", "text": s}}) + `</script>`
	})
	state("JSON-LD", func(s string) string {
		return `<script type="application/ld+json">` + quoted(map[string]any{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "The winter ferry", "articleBody": s}) + `</script>`
	})
	add("JSON state", "Next without the text", true, func() string {
		return around("The winter ferry", `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"id":7}},"page":"/story/[id]","buildId":"x1"}</script>`+later("#__next", all()))
	})
	add("JSON state", "JSON-LD with a summary only", true, func() string {
		return around("The winter ferry", menu+`<div class="story-body"></div><script type="application/ld+json">{"@type":"NewsArticle","headline":"The winter ferry","description":"The ferry to the island stopped for days."}</script>`+later(".story-body", all())+footer)
	})

	filled("skeleton/bars", menu+`<section class="story"><div class="skeleton skeleton-title"></div><div class="skeleton"></div><div class="skeleton"></div></section>`+footer, ".story")
	filled("skeleton/shimmer", menu+`<div class="card shimmer" aria-busy="true"><span></span><span></span></div>`+footer, ".card")
	filled("skeleton/spinner", menu+`<div class="reader"><div class="spinner"><i></i></div></div>`+footer, ".reader")
	filled("skeleton/loading", menu+`<div class="reader"><p>Loading …</p></div>`+footer, ".reader")
	filled("skeleton/large menu", `<header>`+strings.Repeat(`<a href="/section">Section of the paper</a> `, 30)+`</header><div class="reader"><div class="placeholder-glow"></div></div>`+footer, ".reader")

	more := func(name string, shown int, after string) {
		add("read more", name, true, func() string {
			return around("The winter ferry", menu+`<article><h1>The winter ferry</h1>`+paragraphs(text[:shown])+`<div class="rest">`+after+`</div></article>`+later(".rest", paragraphs(text[shown:]))+footer)
		})
	}
	more("one paragraph, nothing", 1, "")
	more("one paragraph, loading", 1, `<p class="loading">Loading the article …</p>`)
	more("two paragraphs, skeleton", 2, `<div class="skeleton-text"></div><div class="skeleton-text"></div>`)
	more("three paragraphs, busy", 3, `<div aria-busy="true"></div>`)

	teasers := func(n int) (s string) {
		for i := range n {
			s += fmt.Sprintf(`<li><a href="/story/%d">The ferry, part %d</a><p>What the people of the island did on day %d of the winter.</p></li>`, i, i, i)
		}
		return s
	}
	add("endless list", "first entries shown", false, func() string {
		return around("News", menu+`<ul class="feed">`+teasers(12)+`</ul><div class="sentinel"></div><script>new IntersectionObserver(() => {}).observe(document.querySelector(".sentinel"))</script>`+footer)
	})
	add("endless list", "with a spinner below", false, func() string {
		return around("News", menu+`<ul class="feed">`+teasers(20)+`</ul><div class="spinner"></div><script>addEventListener("scroll", () => {})</script>`+footer)
	})
	add("endless list", "empty at first", true, func() string {
		return around("News", menu+`<ul class="feed"></ul>`+later(".feed", "<li>"+strings.Join(text, "</li><li>")+"</li>")+footer)
	})

	hydrated := func(name, before, after string) {
		add("hydration", name, false, func() string {
			return around("The winter ferry", before+all()+after+`<script>`+strings.Repeat("function f(a){return a+1};", 400)+`</script>`+footer)
		})
	}
	hydrated("React", `<div id="root" data-reactroot="">`+menu, `</div>`)
	hydrated("Nuxt", `<div id="__nuxt" data-server-rendered="true"><main>`, `</main></div>`)
	hydrated("islands", menu+`<main>`, `<astro-island client="visible"></astro-island></main>`)

	ordinary := func(name string, page func() string) { add("ordinary", name, false, page) }
	ordinary("advertisements", func() string {
		return around("The winter ferry", menu+`<article>`+all()+`</article><div id="ad-1"></div><div class="ad-slot"></div><script>`+strings.Repeat("ads.push({slot:1});", 300)+`</script>`+footer)
	})
	ordinary("comments by scripts", func() string {
		return around("The winter ferry", menu+`<article>`+all()+`</article><div id="comments" class="loading"></div>`+later("#comments", "<p>Nice.</p>")+footer)
	})
	ordinary("related by scripts", func() string {
		return around("The winter ferry", menu+`<article>`+all()+`</article><related-stories></related-stories><div class="skeleton"></div>`+footer)
	})
	ordinary("short text", func() string {
		return around("Opening hours", menu+`<main><h1>Opening hours</h1><p>The library is open from nine to five on all days but Sunday, and from ten to noon on holidays.</p></main><div id="map"></div>`+footer)
	})
	ordinary("contact", func() string {
		return around("Contact", menu+`<main><h1>Contact</h1><p>Harbour News, 1 Pier Road, telephone 123.</p><form><input name="mail"><button>Send</button></form></main>`+footer)
	})
	ordinary("not found", func() string {
		return around("Not found", menu+`<h1>Page not found</h1><p>This page does not exist.</p>`+footer)
	})
	ordinary("pictures", func() string {
		return around("Pictures", menu+`<div class="gallery">`+strings.Repeat(`<figure><img src="/p.jpg"><figcaption>The pier</figcaption></figure>`, 8)+`</div>`+footer)
	})
	ordinary("links only", func() string {
		return around("Sections", menu+`<ul>`+strings.Repeat(`<li><a href="/s">A section</a></li>`, 15)+`</ul>`+footer)
	})

	add("login wall", "in the page", false, func() string {
		return around("Sign in", menu+`<div class="wall"><h1>Sign in to read</h1><form><input name="u"><input name="p" type="password"><button>Sign in</button></form></div>`+footer)
	})
	add("login wall", "with a first paragraph", false, func() string {
		return around("The winter ferry", menu+`<article><h1>The winter ferry</h1>`+paragraphs(text[:1])+`<div class="paywall"><p>Subscribe to read the rest.</p></div></article>`+footer)
	})
	add("login wall", "by a script", false, func() string {
		return around("Sign in", `<div id="root"></div>`+later("#root", "<h1>Sign in</h1><form><input><button>Sign in</button></form>"))
	})

	add("frame", "from another page", false, func() string {
		return around("The winter ferry", menu+`<iframe src="/story.html" width="600" height="900"></iframe>`+footer)
	})
	add("frame", "by a script", false, func() string {
		return around("The winter ferry", menu+`<div class="holder"></div>`+later(".holder", `<iframe src="/story.html"></iframe>`)+footer)
	})

	add("template", "filled by a script", true, func() string {
		return around("The winter ferry", menu+`<main id="here"></main><template id="story">`+all()+`</template><script>here.append(story.content.cloneNode(true))</script>`+footer)
	})
	add("template", "declarative shadow root", false, func() string {
		return around("The winter ferry", menu+`<story-view><template shadowrootmode="open">`+all()+`</template></story-view>`+footer)
	})

	element := func(name, tag, before, after string, shadow bool) {
		add("custom element", name, true, func() string {
			into := "this"
			if shadow {
				into = `this.attachShadow({mode: "open"})`
			}
			return around("The winter ferry", before+`<`+tag+`></`+tag+`>`+after+fmt.Sprintf(`<script>customElements.define(%s, class extends HTMLElement { connectedCallback() { %s.innerHTML = %s } })</script>`, quoted(tag), into, quoted(all())))
		})
	}
	element("shadow root", "story-view", menu, footer, true)
	element("light", "harbour-app", "", "", false)
	element("within a page", "news-article", menu+`<main>`, `</main>`+footer, true)

	add("data in attributes", "escaped HTML", true, func() string {
		return around("The winter ferry", menu+`<div class="js-story" data-content="`+html.EscapeString(all())+`"></div><script>for (const e of document.querySelectorAll(".js-story")) e.innerHTML = e.dataset.content</script>`+footer)
	})
	add("data in attributes", "base64 in a script", true, func() string {
		return around("The winter ferry", menu+`<div class="holder"></div><script>document.querySelector(".holder").innerHTML = atob("`+base64.StdEncoding.EncodeToString([]byte(all()))+`")</script>`+footer)
	})

	fetched := func(name, element string) {
		add("fragments", name, true, func() string {
			return around("The winter ferry", menu+element+fmt.Sprintf(`<script>const e = document.querySelector("[data-part], [hx-get], turbo-frame"); setTimeout(() => { e.innerHTML = %s }, 100)</script>`, quoted(all()))+footer)
		})
	}
	fetched("htmx", `<div hx-get="/story/part" hx-trigger="load"></div>`)
	fetched("Turbo", `<turbo-frame id="story" src="/story/part"></turbo-frame>`)
	fetched("own", `<div data-part="/story/part"></div>`)

	add("hidden at first", "style", false, func() string {
		return around("The winter ferry", menu+`<style>.late { opacity: 0 }</style><article class="late">`+all()+`</article><script>document.querySelector(".late").style.opacity = 1</script>`+footer)
	})
	add("hidden at first", "loader above", false, func() string {
		return around("The winter ferry", `<div id="loader" class="spinner">Loading</div>`+menu+`<article>`+all()+`</article><script>loader.remove()</script>`+footer)
	})
	return list
}
