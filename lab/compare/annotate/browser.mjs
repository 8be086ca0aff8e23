// Measures the annotation desk in Chromium: how long a page of many blocks takes to open, and
// a key to be painted. It makes the page; the server is started with --open:
//   node eval/compare/annotate/browser.mjs page big.html
//   chaffinch serve --open --annotate DIR --pages big.html
//   node --experimental-websocket eval/compare/annotate/browser.mjs http://127.0.0.1:8017/
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [what, file] = process.argv.slice(2);
if (what === "page") {
  const list = (n, name) => Array.from({ length: n }, (_, i) => `<li><a href="/${i}">${name} ${i}</a>`).join("\n");
  const text = Array.from({ length: 1400 }, (_, i) => i % 10 ? `<p>${"The mill at the river grinds corn in winter too. ".repeat(1 + i % 6)}` : `<h2>Part ${i}</h2>`).join("\n");
  writeFileSync(file, `<!doctype html><meta charset=utf-8><title>Big</title><nav><ul>${list(300, "Link")}</ul></nav><main><h1>Big page</h1>${text}</main><div class=side><ul>${list(300, "Read also")}</ul></div>`);
  process.exit();
}
const dir = mkdtempSync(join(tmpdir(), "annotate-"));
const chromium = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", `--user-data-dir=${dir}`, "--window-size=1600,900", "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
const port = await new Promise(found => { let said = ""; chromium.stderr.on("data", d => { const m = /127\.0\.0\.1:(\d+)/.exec(said += d); if (m) found(m[1]); }); });
const tabs = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
const ws = new WebSocket(tabs.find(t => t.type === "page").webSocketDebuggerUrl);
await new Promise(r => { ws.onopen = r; });
let id = 0;
const waiting = new Map();
ws.onmessage = m => { const d = JSON.parse(m.data); waiting.get(d.id)?.(d); };
const send = (method, params) => new Promise(r => { waiting.set(++id, r); ws.send(JSON.stringify({ id, method, params })); });
const run = async js => { const d = await send("Runtime.evaluate", { expression: `(async () => { ${js} })()`, awaitPromise: true, returnByValue: true }); if (d.result.exceptionDetails) throw new Error(JSON.stringify(d.result.exceptionDetails)); return d.result.result.value; };
const painted = "await new Promise(r => requestAnimationFrame(() => setTimeout(r)));", sleep = "const sleep = ms => new Promise(r => setTimeout(r, ms));";
const load = () => readFileSync("/proc/loadavg", "utf8").split(" ")[0];
const cpu = () => { // milliseconds of the processes that show pages
  let sum = 0;
  for (const p of readdirSync("/proc").filter(x => /^\d+$/.test(x))) try {
    const line = readFileSync(`/proc/${p}/cmdline`, "utf8");
    if (!line.includes("--type=renderer") || !line.includes(dir)) continue;
    const f = readFileSync(`/proc/${p}/stat`, "utf8").replace(/.*\) /s, "").split(" ");
    sum += 10 * (Number(f[11]) + Number(f[12]));
  } catch { /* it ended */ }
  return sum;
};
await send("Page.navigate", { url: what + "#annotate?as=measured" });
await run(`${sleep} while (!document.querySelector("#view-annotate table")) await sleep(50); await sleep(1500);`);
for (let i = 0; i < 5; i++) {
  await run(`${sleep} location.hash = "#annotate?as=measured"; await sleep(1500);`);
  const before = cpu();
  const [ms, asked] = await run(`const t = performance.now(); location.hash = "#annotate/page/big?as=measured"; while (!document.querySelector("#block-0.at")) await new Promise(requestAnimationFrame); ${painted}
    return [performance.now() - t, performance.getEntriesByType("resource").findLast(e => e.name.includes("/pages/big?")).duration];`);
  console.log(`opened in ${ms.toFixed(0)} ms, ${asked.toFixed(0)} of these the server's; ${cpu() - before} ms of processor time; load ${load()}`);
}
const before = cpu();
const keys = await run(`${sleep} await sleep(2000); const out = [], rows = document.querySelector("[role=listbox]");
  for (const key of "jjjjjjjjjjJ.bbhnwwwx500gvjjbkkk..n".split("")) { const t = performance.now(); rows.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })); ${painted} out.push(performance.now() - t); await sleep(50); }
  return out;`);
keys.sort((a, b) => a - b);
console.log(`${keys.length} keys, painted after: median ${keys[keys.length >> 1].toFixed(1)} ms, p95 ${keys[Math.floor(keys.length * 0.95)].toFixed(1)} ms; load ${load()}`);
ws.close();
chromium.kill();
