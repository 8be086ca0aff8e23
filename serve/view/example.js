// EXAMPLE is a page for trials, written for this purpose.
export const EXAMPLE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Chaffinches change their song within one generation | Hedge and Field</title>
<meta name="author" content="Nora Birch">
<meta property="article:published_time" content="2025-03-14">
<style>body{font:16px/1.5 Georgia,serif;margin:0 auto;max-width:44rem;padding:1rem;color:#222}nav,footer,aside,.cookie{font:14px sans-serif;background:#eef2ea;padding:.5rem 1rem;margin:.5rem 0}nav a,footer a{margin-right:1rem}figure{margin:1rem 0;background:#f4f4f4;padding:1rem}figcaption{color:#666}.by{color:#666}section{border-top:1px solid #ccc}</style>
</head>
<body>
<div class="cookie">We use cookies to remember what you like. <a href="/cookies">Settings</a> <button>Accept all</button></div>
<nav><a href="/">Home</a> <a href="/birds">Birds</a> <a href="/insects">Insects</a> <a href="/plants">Plants</a> <a href="/subscribe">Subscribe</a></nav>
<article>
<h1>Chaffinches change their song within one generation</h1>
<p class="by">By Nora Birch, 14 March 2025</p>
<p class="lede"><b>Young birds copy their neighbours, not their fathers, and a valley can sound different after five springs.</b></p>
<p>A male chaffinch learns two or three songs in his first year and keeps them for life. Where he learns them decides what he will sing: birds that settle a few miles from the nest take over the phrases of the hedge in which they end up.</p>
<figure>[picture]<figcaption>A male in April, near the edge of the wood. Photograph: Tom Reed</figcaption></figure>
<h2>Forty hedges, nine years</h2>
<p>For nine years volunteers recorded every singing male along forty hedges. They noted the trill, the number of notes in it, and the flourish with which each song ends.</p>
<p>In the valley with the new road the songs became shorter and higher. In the two valleys without one they hardly changed. &ldquo;We had expected a drift,&rdquo; says one of the recorders, &ldquo;but not that it would show before our recorders wore out.&rdquo;</p>
<ul><li>Songs near the road lost one note in seven.</li><li>The flourish rose by a third.</li><li>Females answered both kinds alike.</li></ul>
<h2>What comes next</h2>
<p>This spring the volunteers will play old songs to young birds. If they answer, the old dialect is not forgotten, only out of fashion.</p>
</article>
<section><h3>2 comments</h3>
<p><b>Wren</b>, 15 March: The ones in my garden have sung the same song since I moved here, and that was in 1998.</p>
<p><b>Ivo</b>, 16 March: Would be good to hear the recordings. Are they anywhere to listen to?</p></section>
<aside><h3>Read also</h3><a href="/a1">Why blackbirds sing at night</a><br><a href="/a2">Ten plants for a winter hedge</a><br><a href="/a3">The robin that crossed the sea</a></aside>
<footer>&copy; 2025 Hedge and Field. All rights reserved. <a href="/terms">Terms</a> <a href="/privacy">Privacy</a> <a href="/contact">Contact</a></footer>
</body>
</html>
`;
