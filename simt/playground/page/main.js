// The page: controls, and what the simulator says.

const by = id => document.getElementById(id);
let all = [], lesson = null, answer = null, launchNumber = 0, current = 0, whole = false;
// A page inside another one, such as a chapter of the book, has less room.
const embedded = window.self !== window.top;
document.documentElement.classList.toggle("embedded", embedded);
const timeline = new Timeline(by("view"), by("extent"), by("canvas"), show);

/// Returns what the controls say. Values that are the first ones are left out.
function choice() {
  const values = {};
  for (const control of lesson.controls) {
    const input = by(`c-${control.id}`);
    const value = input.type === "checkbox" ? Number(input.checked) : Number(input.value);
    if (value !== control.value) values[control.id] = value;
  }
  const seed = by("seed").value;
  return { lesson: lesson.id, seed: /^\d+$/.test(seed) ? Number(seed) : null, values };
}

/// The address of the page has the choice, so that it can be kept and passed on.
function remember(chosen) {
  const parts = Object.entries(chosen.values).map(([id, value]) => `&${id}=${value}`);
  const seed = chosen.seed === null ? "" : `&seed=${chosen.seed}`;
  const hash = `#${chosen.lesson}${parts.join("")}${seed}`;
  history.replaceState(null, "", hash);
  by("alone").href = hash;
}

/// Sets the controls to those of the address; unknown ones are ignored.
function recall() {
  const [id, ...parts] = decodeURIComponent(location.hash.slice(1)).split("&");
  by("lesson").value = all.some(each => each.id === id) ? id : all[0].id;
  open();
  for (const part of parts) {
    const [name, value] = part.split("=");
    const input = name === "seed" ? by("seed") : by(`c-${name}`);
    if (!input || !/^\d+$/.test(value ?? "")) continue;
    if (input.type === "checkbox") input.checked = value === "1";
    else if (input.tagName !== "SELECT" || [...input.options].some(option => option.value === value)) input.value = value;
  }
}

/// Makes the controls of the chosen kernel.
function open() {
  lesson = all.find(each => each.id === by("lesson").value);
  by("idea").textContent = lesson.idea;
  by("searched").textContent = "A seed is an order of threads. Without one, they run in the order of their numbers.";
  by("parameters").replaceChildren();
  by("faults").replaceChildren(by("faults").querySelector("legend"));
  for (const control of lesson.controls) {
    const id = `c-${control.id}`, label = element("label", "", control.label);
    label.htmlFor = id;
    if (control.kind === "switch" || control.kind === "fault") {
      const input = element("input", "");
      Object.assign(input, { id, type: "checkbox", checked: control.value === 1 });
      const line = element("div", "check", input, label);
      by(control.kind === "fault" ? "faults" : "parameters").append(line);
      continue;
    }
    const select = element("select", "");
    select.id = id;
    (control.names ?? control.values).forEach((name, i) => {
      select.add(new Option(name, control.names ? i : name, false, (control.names ? i : name) === control.value));
    });
    by("parameters").append(element("div", control.names ? "line tall" : "line", label, select));
  }
}

/// Disables the faults that have no effect in the chosen version.
function limitFaults() {
  const version = Number(by("c-version")?.value ?? 0);
  for (const control of lesson.controls.filter(each => each.kind === "fault")) {
    const off = control.versions.length > 0 && !control.versions.includes(version);
    const input = by(`c-${control.id}`);
    input.disabled = off;
    if (off) input.checked = false;
    input.parentElement.classList.toggle("off", off);
  }
}

function update() {
  limitFaults();
  const chosen = choice();
  remember(chosen);
  const begun = performance.now();
  try {
    answer = JSON.parse(run(chosen));
  } catch (error) {
    answer = { error: `the simulator stopped: ${error.message}` };
  }
  const took = performance.now() - begun;
  verdict(took);
  if (answer.error) return;
  totals();
  const launches = answer.timeline.launches;
  launchNumber = answer.marks?.launch ?? launches.length - 1;
  timeline.open(launches[launchNumber], answer.marks);
  by("step").max = Math.max(0, steps().length - 1);
  drawSource(by("source"), answer, whole, nextOf);
  for (const [button, mark] of [["to-earlier", "earlier"], ["to-fault", "fault"]]) {
    by(button).hidden = (answer.marks?.[mark]?.step ?? null) === null;
  }
  show(answer.marks?.fault?.step ?? answer.marks?.earlier?.step ?? answer.marks?.last ?? interesting());
  // A panic or a barrier has no access: its own line says more than the thread's last step.
  if (answer.fault?.line && (answer.marks?.fault?.step ?? null) === null) showLine(by("source"), answer.fault.line);
}

const steps = () => answer?.timeline?.launches?.[launchNumber]?.steps ?? [];

/// Returns the step with the most conflicts, or else with the most sectors.
function interesting() {
  let best = 0, most = -1;
  steps().forEach((step, i) => {
    const weight = step[3] === 2 || step[3] === 3 ? step[6] * 4 : step[3] < 2 ? step[6] : 0;
    if (weight > most) [best, most] = [i, weight];
  });
  return best;
}

function verdict(took) {
  const box = by("verdict"), { fault, result, error } = answer;
  const say = (className, title, detail) => {
    box.className = className;
    box.replaceChildren(element("strong", "", title), element("p", "", detail));
  };
  const time = `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`;
  if (error) say("wrong", "No result", error);
  else if (fault) say("wrong", `Fault: ${FAULTS[fault.kind] ?? fault.kind}`, fault.text.replaceAll(/[\w/]+\/(\w+\.rs)/g, "$1"));
  else if (!result.right) say("odd", "A wrong result, without a fault", `${result.text}. The simulator checks accesses and synchronisation; results need a test.`);
  else say("right", "Right, and no fault", `${result.text[0].toUpperCase()}${result.text.slice(1)}; simulated in ${time}.`);
}

const FAULTS = {
  Race: "a race", OutOfBounds: "out of bounds", Misaligned: "misaligned", Uninitialised: "a read of uninitialised memory",
  DivergentBarrier: "a divergent barrier", Collective: "a collective used wrongly", Deadlock: "a deadlock",
  StackOverflow: "a stack overflow", ReadOnly: "written while read-only", Panic: "the kernel panicked", Launch: "a launch that cannot be",
};

function totals() {
  const t = answer.totals, each = t.accesses ? t.lanes / t.accesses : 0;
  const shown = [
    ["warp accesses", t.accesses], ["lanes per access", each.toFixed(1)], ["shared wavefronts", t.wavefronts],
    ["bank conflicts", t.conflicts, t.conflicts > 0], ["global sectors", t.sectors],
    ["bytes used of moved", t.sectors ? `${Math.round(100 * t.bytes / (32 * t.sectors))} %` : "–"],
    ["barriers", t.barriers], ["collectives", t.collectives],
  ];
  by("totals").replaceChildren(...shown.map(([name, value, bad]) =>
    element("div", bad ? "bad" : "", element("dt", "", name), element("dd", "", typeof value === "number" ? value.toLocaleString("en") : value))));
}

/// Goes to the next step of a line, after the current one or from the start.
function nextOf(line) {
  const file = Object.keys(answer.sources)[0], sites = answer.timeline.sites;
  const here = step => sites[step[4]][0] === file && sites[step[4]][1] === line;
  const list = steps(), after = list.findIndex((step, i) => i > current && here(step));
  const found = after >= 0 ? after : list.findIndex(here);
  if (found >= 0) show(found);
}

/// Shows a step everywhere.
function show(number) {
  const list = steps(), step = list[number];
  by("drawing").replaceChildren();
  by("explained").textContent = by("what").textContent = "";
  for (const [id, off] of [["first", number === 0], ["previous", number === 0], ["next", number >= list.length - 1], ["last", number >= list.length - 1]]) {
    by(id).disabled = off || !step;
  }
  if (!step) return timeline.show(0);
  current = number;
  by("step").value = number;
  const launch = answer.timeline.launches[launchNumber], [block, warp] = launch.rows[step[0]];
  const [, line] = answer.timeline.sites[step[4]], kind = KINDS[step[3]], lanes = lanesOf(step[5]).length;
  const entry = launch.addresses?.find(each => each.step === number);
  const unit = entry ? (entry.array === null ? "wavefront" : "sector") : "";
  const cost = unit ? `, ${step[6]} ${unit}${step[6] === 1 ? "" : "s"}` : "";
  const wait = step[3] === BARRIER ? `, waits ${step[2] - 1}` : `, ${lanes} lane${lanes === 1 ? "" : "s"}`;
  const text = `Step ${number + 1} of ${list.length}: block ${block}, warp ${warp}, ${kind.name}, line ${line}${wait}${cost}`;
  by("what").textContent = text;
  by("step").setAttribute("aria-valuetext", text);
  const mark = [answer.marks?.fault, answer.marks?.earlier].find(each => each && each.step === number);
  if (entry) by("drawing").append(drawAccess(step, entry, step[3], mark?.lane ?? null, by("drawing").clientWidth));
  by("explained").textContent = (mark ? `Lane ${mark.lane} is ${mark === answer.marks.fault ? "at fault" : "the first access of the race"}. ` : "") + explain(step, entry);
  timeline.show(number);
  showLine(by("source"), line);
}

/// Runs up to 100 schedules, and stops at the first with a fault.
async function search() {
  const chosen = choice(), button = by("search"), begun = chosen.lesson + JSON.stringify(chosen.values);
  button.disabled = true;
  let found = null;
  for (let seed = 1; seed <= 100 && found === null; seed++) {
    if (seed % 5 === 1) {
      by("searched").textContent = `Schedule ${seed} of 100 …`;
      await new Promise(done => setTimeout(done));
      const now = choice();
      if (now.lesson + JSON.stringify(now.values) !== begun) break;
    }
    const outcome = JSON.parse(run({ ...chosen, seed }));
    if (outcome.fault || outcome.result?.right === false) found = seed;
  }
  button.disabled = false;
  if (found === null) {
    by("searched").textContent = "100 schedules: no fault.";
    return;
  }
  by("seed").value = found;
  by("searched").textContent = `Seed ${found} is the first with a fault.`;
  update();
}

function start() {
  all = lessons();
  for (const [name, paper] of [["The course", false], ["Papers on strings", true]]) {
    const group = element("optgroup", "");
    group.label = name;
    all.filter(each => each.paper === paper).forEach(each => group.append(new Option(each.title, each.id)));
    by("lesson").append(group);
  }
  by("key").replaceChildren(...KINDS.map(({ name, colour }) => {
    const dot = element("i", "");
    dot.style.background = colour;
    return element("li", "", dot, name);
  }));
  by("alone").hidden = !embedded;
  recall();
  by("controls").addEventListener("submit", event => event.preventDefault());
  by("controls").addEventListener("input", event => {
    if (event.target === by("lesson")) {
      by("seed").value = "";
      open();
    }
    update();
  });
  by("search").onclick = search;
  by("step").oninput = event => show(Number(event.target.value));
  by("first").onclick = () => show(0);
  by("previous").onclick = () => show(Math.max(0, current - 1));
  by("next").onclick = () => show(Math.min(steps().length - 1, current + 1));
  by("last").onclick = () => show(steps().length - 1);
  by("to-fault").onclick = () => show(answer.marks.fault.step);
  by("to-earlier").onclick = () => show(answer.marks.earlier.step);
  by("whole").onclick = () => {
    whole = !whole;
    by("whole").setAttribute("aria-pressed", whole);
    drawSource(by("source"), answer, whole, nextOf);
    show(current);
  };
  addEventListener("hashchange", () => { recall(); update(); });
  update();
}

globalThis.playground = load().then(() => {
  start();
  return { lessons, run, ready: performance.now() };
});
globalThis.playground.catch(error => {
  by("verdict").className = "wrong";
  by("verdict").textContent = `The simulator did not load: ${error.message}`;
});
