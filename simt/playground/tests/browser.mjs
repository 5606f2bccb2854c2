// Tests the page in headless Chromium: node browser.mjs CHROMIUM PAGE NATIVE OUT
//
// CHROMIUM is the browser, PAGE the folder of the page, NATIVE the example `answer`, built for this
// machine, and OUT a folder for screenshots. The browser opens the page from the file. Each kernel
// runs with each fault and each value, and each answer must be the native program's, byte by byte.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, page, native, out] = process.argv.slice(2).map(path => resolve(path));

/// A browser, spoken to through two pipes: messages are JSON, and end with a zero byte.
class Browser {
  constructor() {
    this.profile = mkdtempSync(join(tmpdir(), "playground-"));
    const options = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
      `--user-data-dir=${this.profile}`, "--no-first-run", "about:blank",
    ];
    this.process = spawn(chromium, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.errors = [];
    this.listeners = [];
    /// The newest context of each frame, in which expressions are evaluated.
    this.contexts = new Map();
    this.count = 0;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", data => {
      const messages = (rest + data).split("\0");
      rest = messages.pop();
      messages.forEach(message => this.take(JSON.parse(message)));
    });
    this.process.on("exit", () => this.waiting.forEach(({ fail }) => fail(new Error("the browser ended"))));
  }

  take({ id, result, error, method, params }) {
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") this.errors.push(JSON.stringify(params.args));
    if (method === "Runtime.executionContextCreated") this.contexts.set(params.context.auxData.frameId, params.context.id);
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    this.listeners.forEach(listener => listener(method, params));
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) waiting?.fail(new Error(error.message));
    else waiting?.done(result);
  }

  send(method, params = {}) {
    const id = ++this.count;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((done, fail) => this.waiting.set(id, { done, fail }));
  }

  async attach() {
    const { targetInfos } = await this.send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Accessibility"]) await this.send(`${domain}.enable`);
  }

  /// Opens the page, and waits until it is ready.
  async open(hash = "") {
    const loaded = new Promise(done => this.listeners.push(method => method === "Page.loadEventFired" && done()));
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url: pathToFileURL(join(page, "index.html")).href + hash });
    await loaded;
    this.listeners.length = 0;
    for (let i = 0; i < 100 && !(await this.value("'playground' in globalThis")); i++) {
      await new Promise(done => setTimeout(done, 20));
    }
    return this.value("playground.then(page => page.ready)");
  }

  /// Opens a page with the playground in a frame, as a chapter of the book has it.
  async openFrame(hash) {
    const file = join(out, "chapter.html");
    const source = pathToFileURL(join(page, "index.html")).href + hash;
    writeFileSync(file, `<!doctype html><meta name="viewport" content="width=device-width">
      <style>body { margin: 0 } iframe { width: 100%; height: 44rem; border: 0 }</style>
      <iframe src="${source}" title="playground" loading="lazy"></iframe>`);
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url: pathToFileURL(file).href });
    for (let i = 0; i < 200; i++) {
      await new Promise(done => setTimeout(done, 20));
      const { frameTree } = await this.send("Page.getFrameTree");
      const context = this.contexts.get(frameTree.childFrames?.[0]?.frame.id);
      // A context ends when the frame's page replaces the empty one.
      const verdict = context && this.value("document.querySelector('#verdict')?.className", context);
      if (await verdict?.catch(() => null)) return context;
    }
    throw new Error(`the playground in a frame is not ready: ${hash}`);
  }

  /// Evaluates an expression in the page, or in a frame's context.
  async value(expression, contextId) {
    const options = { expression, contextId, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async key(key) {
    const code = { Tab: 9, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35, " ": 32 }[key];
    for (const type of ["rawKeyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: code });
    }
  }

  async screen(width, dark) {
    const mobile = width < 500;
    await this.send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: mobile ? 2 : 1, mobile });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await this.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  async screenshot(name) {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    writeFileSync(join(out, `${name}.png`), Buffer.from(data, "base64"));
  }

  async end() {
    const ended = new Promise(done => this.process.on("exit", done));
    this.process.kill();
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

let checks = 0;
const failures = [];
function check(holds, what) {
  checks += 1;
  if (!holds) failures.push(what);
}

/// Returns the choices to compare: each version with each fault under three schedules, and each
/// value of each control.
function choices(lessons) {
  return lessons.flatMap(({ id: lesson, controls }) => {
    const versions = controls.find(({ kind }) => kind === "version")?.names.map((_, i) => ({ version: i })) ?? [{}];
    const faults = [{}, ...controls.filter(({ kind }) => kind === "fault").map(({ id }) => ({ [id]: 1 }))];
    const numbers = controls.flatMap(({ kind, id, values }) =>
      (kind === "switch" ? [0, 1] : kind === "number" ? values : []).map(value => ({ lesson, seed: null, values: { [id]: value } })));
    return [...versions.flatMap(version => faults.flatMap(fault => [null, 1, 2].map(seed => ({
      lesson, seed, values: { ...version, ...fault },
    })))), ...numbers];
  });
}

async function compare(browser) {
  const lessons = await browser.value("playground.then(page => page.lessons())");
  const all = choices(lessons);
  const lines = all.map(choice => JSON.stringify(choice));
  const told = spawnSync(native, { input: `${lines.join("\n")}\n`, encoding: "utf8", maxBuffer: 2 ** 30 }).stdout.split("\n");
  for (const [i, line] of lines.entries()) {
    let answer;
    try {
      answer = await browser.value(`playground.then(page => page.run(${line}))`);
    } catch (error) {
      answer = error.message;
    }
    check(answer === told[i], `${line}: the browser and the native program differ:\n  ${answer?.slice(0, 300)}\n  ${told[i]?.slice(0, 300)}`);
  }
  return all.length;
}

async function keyboard(browser) {
  await browser.screen(1280, false);
  await browser.open("#transpose");
  const order = [];
  for (let i = 0; i < 40; i++) {
    await browser.key("Tab");
    const at = await browser.value("document.activeElement.id || document.activeElement.className");
    if (order.includes(at)) break;
    order.push(at);
  }
  for (const id of ["lesson", "c-version", "c-no_barrier", "seed", "search", "step", "view", "source", "whole"]) {
    check(order.includes(id), `the Tab key does not reach #${id}: ${order}`);
  }
  const sorted = ["lesson", "c-version", "c-no_barrier", "seed", "next", "view", "source"].map(id => order.indexOf(id));
  check(sorted.every((at, i) => i === 0 || at > sorted[i - 1]), `the Tab key follows another order: ${order}`);

  const step = () => browser.value("Number(document.getElementById('step').value)");
  const what = () => browser.value("document.getElementById('what').textContent");
  await browser.value("document.getElementById('step').focus()");
  await browser.key("Home");
  check(await step() === 0, "Home goes to the first step");
  await browser.key("ArrowRight");
  check(await step() === 1, "an arrow key goes to the next step");
  await browser.value("document.getElementById('view').focus()");
  const before = await what();
  await browser.key("ArrowDown");
  const below = await what();
  check(before.includes("warp 0") && below.includes("warp 1"), `an arrow key goes to the next warp: ${before} ${below}`);
  await browser.key("End");
  check(await step() > 1, "End goes to the warp's last step");

  await browser.value("document.getElementById('c-no_barrier').focus()");
  await browser.key(" ");
  const verdict = await browser.value("document.getElementById('verdict').textContent");
  check(verdict.includes("race"), `the space bar plants the fault: ${verdict}`);
  check(await browser.value("location.hash") === "#transpose&no_barrier=1", "the address keeps the choice");
  check(await browser.value("document.querySelectorAll('#source .tag').length") === 2, "both lines of the race are marked");
  check(await browser.value("!document.getElementById('to-earlier').hidden"), "the first access can be shown");
}

/// Text whose contrast with its background is less than 4.5, as WCAG's AA demands.
const CONTRAST = `(() => {
  const parse = colour => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return { rgb: [r, g, b], a }; };
  const light = ({ rgb }) => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = at => { for (; at; at = at.parentElement) { const c = parse(getComputedStyle(at).backgroundColor); if (c.a) return c; } return parse("rgb(255,255,255)"); };
  const bad = [];
  for (const at of document.querySelectorAll("body *")) {
    const text = [...at.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!text || at.closest("svg, script, noscript, option") || at.disabled || !at.offsetParent) continue;
    const [a, b] = [light(parse(getComputedStyle(at).color)), light(back(at))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(at.tagName + "." + at.className + " " + at.textContent.slice(0, 30) + " " + ratio.toFixed(2));
  }
  return [...new Set(bad)].slice(0, 10);
})()`;

async function looks(browser) {
  const states = {
    right: "#vector_add", conflicts: "#transpose", race: "#transpose&no_barrier=1", sectors: "#transpose&version=0",
    reduction: "#reduction&version=1", deadlock: "#look_back&by_number=1&seed=4", wrong: "#blelloch&no_clear=1", panic: "#myers&unknown=1",
  };
  for (const width of [1280, 390]) {
    for (const dark of [false, true]) {
      await browser.screen(width, dark);
      for (const [name, hash] of Object.entries(states)) {
        await browser.open(hash);
        const where = `${name} at ${width} px${dark ? ", dark" : ""}`;
        const wide = await browser.value("document.documentElement.scrollWidth");
        check(wide <= width, `${where}: the page is ${wide} px wide`);
        const bad = await browser.value(CONTRAST);
        check(bad.length === 0, `${where}: too little contrast: ${bad.join("; ")}`);
        await browser.screenshot(`${name}-${width}${dark ? "-dark" : ""}`);
      }
    }
  }
  await looksInChapters(browser);
  await browser.screen(1280, false);
  await browser.open();
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const roles = ["button", "combobox", "checkbox", "spinbutton", "slider", "image", "application"];
  const controls = nodes.filter(({ ignored, role }) => !ignored && roles.includes(role?.value));
  check(controls.length > 15, `there are controls: ${controls.length}`);
  for (const { role, name } of controls) check(name?.value, `a ${role.value} has no name`);
}

/// In a frame, the page has no header, fits into the width of a chapter, and keeps its choice.
async function looksInChapters(browser) {
  const verdicts = {
    "#warp&no_barrier=1": "wrong", "#memory_machine&stride=32": "right", "#memory_machine&version=1&stride=33": "right",
    "#duels&both=1": "wrong",
  };
  for (const width of [750, 390]) {
    for (const [hash, expected] of Object.entries(verdicts)) {
      await browser.screen(width, false);
      const frame = await browser.openFrame(hash);
      const where = `${hash} in a frame of ${width} px`;
      const wide = await browser.value("document.documentElement.scrollWidth", frame);
      check(wide <= width, `${where}: the page is ${wide} px wide`);
      check(await browser.value("!document.querySelector('header').offsetParent", frame), `${where}: the header is there`);
      check(await browser.value("location.hash", frame) === hash, `${where}: the address is another`);
      const verdict = await browser.value("document.querySelector('#verdict').className", frame);
      check(verdict === expected, `${where}: the verdict is ${verdict}`);
      const bad = await browser.value(CONTRAST, frame);
      check(bad.length === 0, `${where}: too little contrast: ${bad.join("; ")}`);
      const top = await browser.value("document.querySelector('#view').getBoundingClientRect().bottom", frame);
      if (width > 500) check(top < 704, `${where}: the timeline is not visible at first: ${top}`);
      await browser.screenshot(`chapter-${hash.slice(1).replaceAll(/[&=]/g, "-")}-${width}`);
    }
  }
}

const browser = new Browser();
try {
  mkdirSync(out, { recursive: true });
  await browser.attach();
  await browser.screen(1280, false);
  const ready = await browser.open();
  const compared = await compare(browser);
  await keyboard(browser);
  await looks(browser);
  browser.errors.forEach(error => check(false, `the page's console: ${error}`));
  console.log(`${compared} answers compared; the page was ready ${Math.round(ready)} ms after its start`);
} finally {
  await browser.end();
}
failures.slice(0, 20).forEach(failure => console.error(failure));
console.log(`${checks - failures.length} passed, ${failures.length} failed`);
process.exitCode = failures.length ? 1 : 0;
