package extract_test

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/extract"
)

// katex is a formula as KaTeX draws it: MathML, then boxes for the eye.
func katex(mathML, drawn string) string {
	return `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>` + mathML +
		`</semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">` + drawn + `</span></span></span>`
}

// TestFormulas keeps formulas as TeX, each once.
func TestFormulas(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"KaTeX", `so ` + katex(`<mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a &lt; b^2</annotation>`, `<span>a</span><span>&lt;</span>b2`) + ` holds`, "so $a < b^2$ holds"},
		{"KaTeX without MathML", `so <span class="katex"><span class="katex-html" aria-hidden="true">a</span></span> holds`, "so a holds"},
		{"MathJax 2", `so <span class="MathJax_Preview">a2</span><span class="MathJax" id="e1"><nobr aria-hidden="true">a2</nobr><span class="MJX_Assistive_MathML"><math><mi>a</mi></math></span></span><script type="math/tex" id="s1">a^2</script> holds`, "so $a^2$ holds"},
		{"MathJax 2, display", `<p>so</p><div class="MathJax_Display"><span class="MathJax"><nobr>a2</nobr></span></div><script type="math/tex; mode=display">% <![CDATA[
			a &
			b %]]></script>`, "so|$$a & b$$"},
		{"MathJax 2 without scripts", `so <span class="MathJax" id="e1"><nobr aria-hidden="true">a2</nobr><span class="MJX_Assistive_MathML"><math><msup><mi>a</mi><mn>2</mn></msup></math></span></span> holds`, "so $a^{2}$ holds"},
		{"MathJax 3", `so <mjx-container><mjx-math aria-hidden="true" class="mjx-math">a2</mjx-math><mjx-assistive-mml display="block"><math display="block"><msup><mi>a</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> holds`, "so $$a^{2}$$ holds"},
		{"alttext", `<math alttext="\frac{1}{2}" display="inline"><mi>x</mi></math>`, `$\frac{1}{2}$`},
		{"alttext in words", `<math alttext="one half of it"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>`, `$\frac{1}{2}$`},
		{"encyclopedia", `so <span><span style="display: none;"><math alttext="{\displaystyle a}"><mi>a</mi></math></span><img class="mwe-math-fallback-image-inline" alt="{\displaystyle a}" src="a.svg"></span>, too`, "so $a$, too"},
		{"MathML and the same image", `<math alttext="{\displaystyle a}"><mi>a</mi></math><img class="mwe-math-fallback-image-inline" alt="{\displaystyle a}" src="a.svg">`, "$a$"},
		{"blog", `so <img src="https://s0.example/latex.php?latex=x" alt="x^2" class="latex" /> is`, "so $x^2$ is"},
		{"image with TeX", `so <img src=1.png alt="$\sum_{i} x_i$"> and <img src=2.png alt="\[\sqrt{2}\]">`, `so $\sum_{i} x_i$ and $$\sqrt{2}$$`},
		{"other images", `a <img src=1.png alt="C:\new_files"> b <img src=2.png alt="under_score/x"> c <img src=3.png alt="A cat"> d`, "a b c d"},
		{"address of a service", `so <img src="https://tex.example/svg.image?%5Cfrac%7Ba%7D%7Bb%7D"> and <img src="/chart?cht=tx&chl=%5Calpha%2B1&chs=9"> and <img src="/a%5Cb.png">`, `so $\frac{a}{b}$ and $\alpha+1$ and`},
		{"hidden source", `so <span><span class="mwe-math-mathml-inline" style="display: none"><math display="block" alttext="{\displaystyle a}"><mi>a</mi></math></span><img class="mwe-math-fallback-image-inline" alt="{\displaystyle a}" src="a.svg"></span>`, "so $$a$$"},
		{"attribute", `so <span class="math-inline" data-math="a &lt; b"><span class="katex-html" aria-hidden="true">a&lt;b</span></span> holds`, "so $a < b$ holds"},
		{"line breaks in TeX", `so <img class="tex" alt="&lt;br /&gt; x^2&lt;br /&gt;" src=1.png>`, "so $x^2$"},
		{"groups", `so <img class="tex" alt="\begingroup" src=1.png> it is`, "so it is"},
		{"hidden", `a <span hidden><math><mi>x</mi></math></span> b`, "a b"},
		{"never closed", `a <math><mi>x</mi>`, "a $x$"},
		{"empty", `a <math></math> b <math><mi></mi></math>`, "a b"},
	} {
		for _, inline := range []bool{false, true} {
			cfg := extract.Default
			cfg.Inline = inline
			if got := textOf(t, cfg, "<div>"+c.html+"</div>"); got != c.want {
				t.Errorf("%s (inline %v):\n got %q\nwant %q", c.name, inline, got, c.want)
			}
		}
	}
}

// TestMathML writes MathML without TeX as TeX.
func TestMathML(t *testing.T) {
	for _, c := range []struct{ math, want string }{
		{`<mi>x</mi><mo>=</mo><mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>-</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>`,
			`x=\frac{-b\pm\sqrt{b^{2}-4ac}}{2a}`},
		{`<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>`, `\sum_{i=1}^{n}x_{i}`},
		{`<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi><mo>+</mo><mi>rank</mi><mfenced><mi>A</mi><mi>B</mi></mfenced>`, `\sin x+\mathrm{rank}(A, B)`},
		{`<msubsup><mi>x</mi><mn>0</mn><mn>2</mn></msubsup><mroot><mi>x</mi><mn>3</mn></mroot>`, `x_{0}^{2}\sqrt[3]{x}`},
		{`<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover><munder><mi>lim</mi><mi>n</mi></munder><munder><mrow><mi>a</mi></mrow><mtext>so</mtext></munder>`,
			`\overline{x}\vec{v}\lim_{n}\underset{\text{so}}{a}`},
		{`<mfenced open="[" close="]"><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></mfenced>`,
			`[\begin{matrix} 1 & 0 \\ 0 & 1 \end{matrix}]`},
		{`<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>`, `{}^{14}C_{6}`},
		{`<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>−</mo><mi mathvariant="double-struck">R</mi><mi>𝜎</mi><mi>x</mi>`, `\genfrac{}{}{0pt}{}{n}{k}-\mathbb{R}\sigma x`},
		{`<menclose notation="top"><mi>A</mi><mi>B</mi></menclose><mover><mi>a</mi><mo>⏞</mo></mover><mi>∂</mi><mi>y</mi>`, `\overline{AB}\overbrace{a}\partial y`},
		{`<mo>{</mo><mn>5</mn><mo>%</mo><mo>}</mo>`, `\{5\%\}`},
		{`<m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup>`, `x^{2}`},
		{`<mfrac><mi>x</mi></mfrac><msup></msup>`, `\frac{x}{}`},
		{strings.Repeat("<mrow>", 100) + "x", ""}, // too deep
	} {
		want := c.want
		if want != "" {
			want = "$" + want + "$"
		}
		must.Equal(t, textOf(t, extract.Default, "<p><math>"+c.math+"</math>"), want, c.math)
	}
}

// TestHeadingMarks leaves out the links that headings show under the mouse.
func TestHeadingMarks(t *testing.T) {
	for _, c := range []struct{ html, want string }{
		{`<h2>Tides<a class="headerlink" href="#tides" title="Link to this heading">¶</a></h2>`, "Tides"},
		{`<h2><a class="anchor" href="#tides">§</a>Tides</h2>`, "Tides"},
		{`<h2><a class="anchor" href="/x/#tides"><b></b></a> Tides <a href="#tides"> # </a></h2>`, "Tides"},
		{`<h2>Tides <a class="heading-permalink" href="#tides">&para;</a></h2><p>text`, "Tides|text"},
		{`<h2>Tides<a class="headerlink" href="#tides">Â¶</a></h2>`, "Tides"},
		{`<h2>Tides<a class="hash-link" href="#tides">→</a></h2>`, "Tides"},
		{`<h2><span class="mw-headline">Tides</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/edit">Bearbeiten</a><span>]</span></span></h2>`, "Tides"},
		{`<h2><a class="header" href="#tides">Tides</a> <a class="anchor" href="#t">Neap tides</a></h2>`, "Tides Neap tides"},
		{`<p>see <a href="#n1">1</a>, <a href="/c">#</a>, <a name="x">¶</a>`, "see 1, #, ¶"},
	} {
		must.Equal(t, textOf(t, extract.Default, c.html), c.want, c.html)
	}
}
