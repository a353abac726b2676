// Search in the reader's browser, without a server: files of the index come by script elements, which work from file:// too.
// `services/portal/word_shards.py` says how the files are made. Texts of pages are set as text, never as markup.
"use strict";

const scenthound = (() => {
  const files = new Map();  // by address: the promise of a script that has run
  const tables = new Map();  // words with their pages, by the beginning they have
  const blocks = new Map();  // titles, addresses and snippets, by number of the block
  let about = null, worths = "";
  const DIGIT = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map((one, place) => [one.charCodeAt(0), place]));
  const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
  const MOST_FILES = 6, MOST_ENDINGS = 60;

  function load(name) {
    if (!files.has(name)) {
      files.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = name;
        script.onload = () => { script.remove(); done(); };
        script.onerror = () => { script.remove(); files.delete(name); failed(new Error(`${name} cannot be loaded`)); };
        document.head.append(script);
      }));
    }
    return files.get(name);
  }

  // ── words, cut as word_weights.py cuts them ──
  function fold(text) {
    return text.replace(/ß/g, "ss").normalize("NFKD").replace(/\p{Mn}/gu, "").normalize("NFC").toLowerCase();
  }
  function* cut(text) {
    for (const [word] of fold(text).matchAll(/[\p{L}\p{N}]+/gu)) {
      let at = 0;
      for (const run of word.matchAll(UNSPACED)) {
        if (run.index > at) yield word.slice(at, run.index);
        const letters = [...run[0]];
        for (let place = 0; place < Math.max(1, letters.length - 1); place++) yield letters.slice(place, place + 2).join("");
        at = run.index + run[0].length;
      }
      if (at < word.length) yield word.slice(at);
    }
  }

  // ── the files that hold a word and those that begin with it ──
  function keysFor(word) {
    const found = [];
    for (const key of about.files) {
      const isRest = key.endsWith("_"), beginning = isRest ? key.slice(0, -1) : key;
      if (beginning.startsWith(word)) found.push(key);
      else if (word.startsWith(beginning)) {
        const next = isRest ? beginning + String.fromCodePoint(word.codePointAt(beginning.length)) : "";
        if (!isRest || !about.files.some((other) => other.startsWith(next))) found.push(key);
      }
    }
    return found.length <= MOST_FILES ? found : found.filter((key) => key.replace(/_$/, "").length <= word.length);
  }
  const hex = (text) => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fileOf = (key) => { const rest = key.endsWith("_"); return `search/words/${hex(rest ? key.slice(0, -1) : key) || "0"}${rest ? "_" : ""}.js`; };

  // ── the pages of a word ──
  function* pagesOf(entry) {
    let at = entry.indexOf(";") + 1, weight = 0, number = 0;
    while (at < entry.length) {
      if (entry[at] === ".") { weight = Number(entry[at + 1]); number = 0; at += 2; continue; }
      let value = 0, shift = 0, digit;
      do { digit = DIGIT.get(entry.charCodeAt(at++)); value += (digit & 31) * 2 ** shift; shift += 5; } while (digit & 32);
      number += value;
      yield [number, weight];
    }
  }
  async function endings(word, share) {  // the words that begin so, each with what a match of it counts
    const keys = keysFor(word);
    await Promise.all(keys.map((key) => load(fileOf(key))));
    const found = [];
    for (const key of keys) for (const [term, entry] of Object.entries(tables.get(key) ?? {})) {
      if (term === word) found.push([term, entry, share]);
      else if (term.startsWith(word)) found.push([term, entry, share * 0.7 * word.length / term.length]);
    }
    return found.sort((one, other) => other[2] - one[2]).slice(0, MOST_ENDINGS);
  }
  const stem = (word) => word.length < 5 ? "" : word.slice(0, Math.max(4, word.length - 2));

  async function scores(word) {
    const near = stem(word);
    const terms = await endings(word, 1);
    if (near && keysFor(near).length <= 2) terms.push(...(await endings(near, 0.35)).filter(([term]) => Math.abs(term.length - word.length) <= 3));
    const found = new Map();
    for (const [, entry, share] of terms) {
      const pages = [...pagesOf(entry)];
      const many = Number(entry.slice(0, Math.max(0, entry.indexOf(";")))) || pages.length;
      const rare = Math.log(1 + about.pages / many);
      for (const [number, weight] of pages) {
        const score = rare * share * weight;
        if (score > (found.get(number) ?? 0)) found.set(number, score);
      }
    }
    return found;
  }

  async function search(text) {
    await load("search/index.js");
    await load("search/worth.js");
    const words = [...new Set(cut(text))].slice(0, 12);
    const parts = await Promise.all(words.map(scores));
    const sums = new Map();
    for (const part of parts) for (const [number, score] of part) {
      const sum = sums.get(number);
      if (sum) { sum[0] += score; sum[1] += 1; } else sums.set(number, [score, 1]);
    }
    const hits = [];
    let whole = 0;
    for (const [number, [score, matched]] of sums) {
      if (matched === words.length) whole += 1;
      const worth = Number(worths[number] ?? 0) / 9;
      hits.push({ number, matched, score: score * (matched / words.length) ** 2 * (1 + 0.4 * worth) });
    }
    hits.sort((one, other) => other.matched - one.matched || other.score - one.score || one.number - other.number);
    return { words, whole, hits };
  }
  async function describe(hit) {
    const block = Math.floor(hit.number / about.per);
    await load(`search/pages/${block}.js`);
    const found = blocks.get(block)?.[hit.number % about.per];
    return found ? { title: found[0], url: found[1], snippet: found[2], host: found[3], topic: found[4], name: about.topics[found[4]] } : null;
  }

  // ── what is shown ──
  function element(tag, properties, ...inside) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...inside);
    return made;
  }
  function marked(text, words) {  // a text with the words that were asked for marked
    const parts = [];
    let at = 0;
    for (const found of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const folded = fold(found[0]);
      if (!words.some((word) => folded.startsWith(word) || (stem(word) && folded.startsWith(stem(word)) && Math.abs(folded.length - word.length) <= 3))) continue;
      parts.push(text.slice(at, found.index), element("mark", { textContent: found[0] }));
      at = found.index + found[0].length;
    }
    return [...parts, text.slice(at)];
  }
  function item(page, words) {
    const isWeb = /^https?:\/\//i.test(page.url);
    const title = element(isWeb ? "a" : "span", { className: "title", dir: "auto" }, ...marked(page.title || page.url, words));
    if (isWeb) Object.assign(title, { href: page.url, rel: "nofollow noopener" });
    const where = element("p", { className: "where" }, element("span", { textContent: page.host }));
    if (page.name) where.append(" ", element("a", { href: `topic/${page.topic}.html`, textContent: page.name }));
    const made = element("li", { className: "page" }, title, where);
    if (page.snippet) made.append(element("p", { className: "snippet", dir: "auto" }, ...marked(page.snippet, words)));
    return made;
  }
  function tell({ words, whole, hits }) {
    const count = (many) => `${many.toLocaleString("en")} ${many === 1 ? "page" : "pages"}`;
    if (!words.length) return "Words may be given by their beginnings.";
    if (!hits.length) return "No page has these words. Try fewer or shorter ones.";
    if (words.length === 1 || whole === hits.length) return `${count(hits.length)} found`;
    return whole ? `${count(whole)} with all words, then ${count(hits.length - whole)} with some of them` : `No page has all words; ${count(hits.length)} with some of them`;
  }

  function begin() {
    const field = document.getElementById("q");
    document.addEventListener("keydown", (event) => {
      const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && field) { event.preventDefault(); field.focus(); field.select(); }
    });
    const form = document.getElementById("search");
    if (form) page(form, field);
  }
  function page(form, field) {
    const list = document.getElementById("hits"), told = document.getElementById("told"), more = document.getElementById("more");
    let turn = 0, timer = 0, answer = null, shown = 0;
    async function show(mine) {
      const some = answer.hits.slice(shown, shown + 10);
      const pages = await Promise.all(some.map(describe));
      if (mine !== turn) return;
      const items = pages.filter(Boolean).map((one) => item(one, answer.words));
      if (shown) list.append(...items); else list.replaceChildren(...items);
      shown += some.length;
      more.hidden = shown >= answer.hits.length;
      return items[0];
    }
    async function ask() {
      const mine = ++turn;
      try {
        const found = await search(field.value);
        if (mine !== turn) return;
        answer = found; shown = 0;
        await show(mine);
        if (mine === turn) told.textContent = tell(found);
      } catch (error) {
        if (mine === turn) told.textContent = `Search does not work here: ${error.message}.`;
      }
      try { history.replaceState(null, "", field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname); } catch { /* some browsers keep the address of a file as it is */ }
    }
    field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
    form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); ask(); });
    more.addEventListener("click", async () => { (await show(turn))?.querySelector("a")?.focus(); });
    form.parentElement.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a.title")], at = links.indexOf(document.activeElement);
      if (event.key === "ArrowDown" && (document.activeElement === field || at >= 0) && at + 1 < links.length) links[at + 1].focus();
      else if (event.key === "ArrowUp" && at > 0) links[at - 1].focus();
      else if ((event.key === "ArrowUp" && at === 0) || (event.key === "Escape" && at >= 0)) field.focus();
      else return;
      event.preventDefault();
    });
    field.value = new URLSearchParams(location.search).get("q") ?? "";
    if (field.value) ask();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin); else begin();

  // What the files of the index call.
  return Object.freeze({
    index(facts) { about = facts; },
    worth(text) { worths = text; },
    words(key, table) { tables.set(key, table); },
    pages(block, list) { blocks.set(block, list); },
  });
})();
