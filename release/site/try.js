// The cleaner in the browser. cleaner.js holds the program of examples/browser, compressed;
// wasm_exec.js comes with Go. A script instead of a fetch, so that the page works from a folder.
const part = name => document.getElementById("try-" + name);
const reader = new FileReader();
let cleaned;

const start = async () => {
  const packed = Uint8Array.from(atob(window.cleaner), c => c.charCodeAt(0));
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const go = new Go();
  const {instance} = await WebAssembly.instantiate(await bytes, go.importObject);
  go.run(instance);
  part("clean").disabled = false;
  part("status").textContent = "Ready";
};

// clean cleans the bytes of a page, whose encoding the cleaner detects.
const clean = bytes => {
  const began = performance.now();
  cleaned = window.chaffinch.clean(bytes, "");
  const took = Math.round(performance.now() - began);
  if (cleaned.error) {
    part("status").textContent = cleaned.error;
    return;
  }
  const page = JSON.parse(cleaned.page);
  const blocks = leaves(page.blocks);
  const kept = blocks.filter(isKept).length;
  part("status").textContent = page.drop ? `No text is kept: ${page.drop}` : `${kept} of ${blocks.length} blocks kept, ${took} ms`;
  part("blocks").replaceChildren(...blocks.map(item));
  part("views").hidden = false;
  show("blocks");
};

// leaves returns the blocks with text inside nested blocks.
const leaves = blocks => blocks.flatMap(b => b.blocks ? leaves(b.blocks) : b.text ? [b] : []);

const isKept = b => b.label === "good";

const item = b => {
  const li = document.createElement("li");
  const why = document.createElement("small");
  li.className = isKept(b) ? "kept" : "dropped";
  why.textContent = [isKept(b) ? "kept" : "dropped", b.role].filter(Boolean).join(", ");
  li.append(why, b.text);
  return li;
};

// show shows the blocks, the text or the Markdown.
const show = view => {
  for (const b of document.querySelectorAll("#try-views button")) b.ariaPressed = String(b.dataset.view === view);
  part("blocks").hidden = view !== "blocks";
  part("text").hidden = view === "blocks";
  part("text").textContent = cleaned[view] || "";
};

const ready = start().catch(e => { part("status").textContent = `This browser cannot run the cleaner: ${e.message}`; });
reader.onload = () => ready.then(() => clean(new Uint8Array(reader.result)));
// The mark at the beginning overrides the encoding that the page declares.
part("clean").onclick = () => clean(new TextEncoder().encode("\uFEFF" + part("html").value));
part("file").onchange = () => part("file").files[0] && reader.readAsArrayBuffer(part("file").files[0]);
part("example").onclick = () => {
  part("html").value = window.example;
  if (!part("clean").disabled) part("clean").click();
};
part("views").onclick = e => e.target.dataset.view && show(e.target.dataset.view);
document.getElementById("try").ondragover = e => e.preventDefault();
document.getElementById("try").ondrop = e => {
  e.preventDefault();
  if (e.dataTransfer.files[0]) reader.readAsArrayBuffer(e.dataTransfer.files[0]);
};
