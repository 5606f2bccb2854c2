// The source of the kernel, with the costs of each line.

const RUST = /(\/\/.*$)|("(?:[^"\\]|\\.)*")|\b(\d[\d_.]*(?:u32|i32|u64|f32)?)\b|\b(as|bool|break|const|drop|else|false|fn|for|if|impl|in|let|loop|match|mod|mut|pub|return|self|struct|true|unsafe|use|while|u32|i32|u64|f32|usize)\b/g;

/// Returns an element with a class, and a text or children.
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/// Appends a line of Rust to a cell, coloured.
function colour(cell, line) {
  let from = 0;
  for (const found of line.matchAll(RUST)) {
    cell.append(line.slice(from, found.index));
    cell.append(element("span", found[1] ? "c" : found[4] ? "k" : "n", found[0]));
    from = found.index + found[0].length;
  }
  cell.append(line.slice(from));
}

/// Adds up the costs of each line of a file.
function costsByLine(costs, file) {
  const lines = new Map();
  for (const row of costs.filter(row => row.file === file)) {
    const sum = lines.get(row.line) ?? { runs: 0, lanes: 0, wavefronts: 0, conflicts: 0, sectors: 0 };
    sum.runs += row.cost.accesses ?? row.cost.times;
    for (const name of ["lanes", "wavefronts", "conflicts", "sectors"]) sum[name] += row.cost[name] ?? 0;
    lines.set(row.line, sum);
  }
  return lines;
}

/// The first line that is shown: the first one with a cost that is not in a helper is too late, so
/// it is the kernel's attribute or the first function, without its comment.
function firstLine(text) {
  const at = text.findIndex(line => /^(#\[inline|#\[kernel|fn |unsafe fn |pub unsafe fn )/.test(line));
  return at < 0 ? 0 : at;
}

/// Draws the source. `choose` is called with a line that is clicked.
function drawSource(box, answer, whole, choose) {
  const [file, all] = Object.entries(answer.sources)[0] ?? ["", ""];
  const text = all.replace(/\n$/, "").split("\n"), costs = costsByLine(answer.costs, file);
  const fault = answer.fault, marked = new Map();
  if (fault?.earlier?.file === file) marked.set(fault.earlier.line, ["earlier", "first access"]);
  if (fault?.file === file) {
    const both = marked.has(fault.line);
    marked.set(fault.line, ["fault", both ? "both accesses" : "fault"]);
  }
  const table = element("table"), head = element("tr"), body = element("tbody");
  const sums = [...costs.values()], any = name => sums.some(sum => sum[name] > 0);
  // Columns without numbers are left out. A phone shows one column instead of all.
  const columns = [
    { name: "runs", title: "how often a warp ran the line", value: sum => sum.runs, wide: true },
    { name: "lanes", title: "lanes that take part, on average", value: sum => (sum.lanes / sum.runs).toFixed(1).replace(/\.0$/, ""), wide: true },
    ...any("wavefronts") ? [{ name: "waves", title: "wavefronts of shared memory", value: sum => sum.wavefronts, wide: true }] : [],
    ...any("conflicts") ? [{ name: "confl.", title: "bank conflicts", value: sum => sum.conflicts, wide: true, bad: true }] : [],
    ...any("sectors") ? [{ name: "sect.", title: "sectors of global memory", value: sum => sum.sectors, wide: true }] : [],
    { name: "cost", title: "wavefronts and sectors; red with bank conflicts", value: sum => sum.wavefronts + sum.sectors, bad: sum => sum.conflicts > 0 },
  ];
  const heads = [{ name: "line", title: "" }, ...columns, { name: "source", title: "" }];
  for (const { name, title, wide } of heads) {
    const cell = element("th", name === "cost" ? "narrow" : wide ? "wide" : "", name);
    Object.assign(cell, { scope: "col", title });
    head.append(cell);
  }
  table.append(element("thead", "", head), body);
  text.forEach((line, i) => {
    const number = i + 1, cost = costs.get(number), [mark, tag] = marked.get(number) ?? [];
    if (i < (whole ? 0 : firstLine(text))) return;
    const row = element("tr", mark ?? ""), label = element("th", "");
    row.dataset.line = number;
    label.scope = "row";
    if (cost) {
      row.classList.add("counted");
      const go = element("button", "", String(number));
      go.type = "button";
      go.setAttribute("aria-label", `line ${number}: go to its next step`);
      label.append(go);
      row.onclick = () => choose(number);
    } else {
      label.append(String(number));
    }
    row.append(label, ...columns.map(({ name, value, wide, bad }) => {
      const number = cost ? value(cost) : 0, red = typeof bad === "function" ? cost && bad(cost) : bad;
      return element("td", `${name === "cost" ? "narrow" : wide ? "wide" : ""}${red ? " bad" : ""}`, number ? String(number) : "");
    }));
    const code = element("td", "");
    // Long lines wrap, indented by two more than their start.
    const indent = line.search(/\S|$/);
    code.style.paddingLeft = `calc(${indent + 2}ch + 7px)`;
    code.style.textIndent = "-2ch";
    colour(code, line.slice(indent));
    if (tag) code.append(element("span", `tag ${mark}`, tag));
    row.append(code);
    body.append(row);
  });
  box.replaceChildren(table);
}

/// Marks the line of the current step, and scrolls it into view inside its box.
function showLine(box, line) {
  box.querySelector("tr.at")?.classList.remove("at");
  const row = box.querySelector(`tr[data-line="${line}"]`);
  if (!row) return;
  row.classList.add("at");
  const [top, height] = [row.offsetTop, row.offsetHeight];
  if (top < box.scrollTop + 40 || top + height > box.scrollTop + box.clientHeight - 20) {
    box.scrollTop = Math.max(0, top - box.clientHeight / 2);
  }
}
