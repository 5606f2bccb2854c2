// The lanes of one warp access, and the banks or sectors that serve them.

const SVG = "http://www.w3.org/2000/svg", CELL = 16, LABEL = 38, LINKS = 46;

function shape(name, attributes, content) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (content !== undefined) made.textContent = content;
  return made;
}

/// Sorts the lanes of a shared access into wavefronts: in each, a bank serves one word.
function wavefronts(entry, lanes) {
  const banks = Array.from({ length: 32 }, () => []);
  lanes.forEach((lane, i) => {
    const word = Math.floor(entry.bytes[i] / 4), words = banks[word % 32];
    const known = words.find(each => each.word === word);
    if (known) known.lanes.push(lane);
    else words.push({ word, lanes: [lane] });
  });
  const count = Math.max(0, ...banks.map(words => words.length));
  return Array.from({ length: count }, (_, k) => banks.map(words => words[k] ?? null));
}

/// Sorts the lanes of a global access into lines of 128 bytes, of 4 sectors each.
function memoryLines(entry, lanes) {
  const lines = new Map();
  lanes.forEach((lane, i) => {
    const byte = entry.bytes[i], line = Math.floor(byte / 128);
    const words = lines.get(line) ?? Array(32).fill(null);
    const word = Math.floor((byte - line * 128) / 4);
    (words[word] ??= { word: line * 32 + word, lanes: [] }).lanes.push(lane);
    lines.set(line, words);
  });
  return [...lines].sort(([a], [b]) => a - b).map(([line, words]) => ({ label: `${line * 128}`, words }));
}

function cell(svg, column, y, className, fill, label, title) {
  const x = LABEL + column * CELL;
  const box = shape("rect", { x, y, width: CELL - 1, height: CELL - 1, rx: 2, class: className });
  if (fill) box.style.fill = fill;
  if (title) box.append(shape("title", {}, title));
  svg.append(box);
  if (label !== "") {
    const text = shape("text", { x: x + (CELL - 1) / 2, y: y + 11, "text-anchor": "middle" }, label);
    if (fill) text.style.fill = "#10141c";
    svg.append(text);
  }
  return box;
}

/// Draws an access: its lanes above, and a row for each wavefront or line of memory below.
function drawAccess(step, entry, kind, markedLane, width) {
  const lanes = lanesOf(step[5]), shared = entry.array === null;
  const rows = shared
    ? wavefronts(entry, lanes).map((words, k) => ({ label: String(k + 1), words }))
    : memoryLines(entry, lanes);
  const top = 14, below = top + CELL + LINKS, height = below + rows.length * (CELL + 3) + 16;
  // Too narrow for a number in a cell: every fourth lane has its number above.
  const scale = width / (LABEL + 32 * CELL + 2), small = scale < 0.68;
  const svg = shape("svg", { viewBox: `0 0 ${LABEL + 32 * CELL + 2} ${height}`, role: "img" });
  const unit = shared ? `${rows.length} wavefronts` : `${step[6]} sectors`;
  svg.setAttribute("aria-label", `${lanes.length} lanes, ${unit}`);
  svg.style.fontSize = `${small ? 9 / scale : 11}px`;
  svg.append(shape("text", { x: 0, y: top + 11, class: "soft" }, "lane"));
  const colours = rows.map((_, k) => (shared && k > 0 ? "#e15759" : KINDS[kind].colour));
  rows.forEach(({ words }, k) => words.forEach((word, column) => {
    for (const lane of word?.lanes ?? []) {
      const [x, to] = [lane, column].map(at => LABEL + at * CELL + CELL / 2);
      const marked = lane === markedLane;
      svg.append(shape("line", {
        x1: x, y1: top + CELL, x2: to, y2: below - 1, stroke: colours[k],
        "stroke-width": marked ? 3 : 1, opacity: marked || rows.length < 4 ? 1 : 0.5,
      }));
    }
  }));
  for (let lane = 0; lane < 32; lane++) {
    const active = lanes.includes(lane);
    cell(svg, lane, top, "cell", active ? KINDS[kind].colour : "", small ? "" : String(lane), `lane ${lane}${active ? "" : ": takes no part"}`);
  }
  if (markedLane !== null) {
    svg.append(shape("rect", { x: LABEL + markedLane * CELL - 1, y: top - 1, width: CELL + 1, height: CELL + 1, class: "mark" }));
  }
  for (let lane = 0; small && lane < 32; lane += 4) {
    svg.append(shape("text", { x: LABEL + lane * CELL + CELL / 2, y: 10, "text-anchor": "middle", class: "soft" }, String(lane)));
  }
  rows.forEach(({ label, words }, k) => {
    const y = below + k * (CELL + 3);
    svg.append(shape("text", { x: 0, y: y + 11, class: "soft" }, label));
    words.forEach((word, column) => {
      const many = word && word.lanes.length > 1;
      const name = word && !small ? (many ? "*" : String(word.lanes[0])) : "";
      const place = shared ? `bank ${column}` : `byte ${(word?.word ?? 0) * 4} of ${entry.array}`;
      cell(svg, column, y, "cell", word ? colours[k] : "", name, word ? `${place}: lanes ${word.lanes.join(", ")}` : "");
    });
    for (let sector = 0; !shared && sector < 4; sector++) {
      if (words.slice(sector * 8, sector * 8 + 8).some(word => word)) {
        const x = LABEL + sector * 8 * CELL - 1;
        svg.append(shape("rect", { x, y: y - 1.5, width: 8 * CELL, height: CELL + 2, rx: 2, class: "sector" }));
      }
    }
  });
  const y = height - 2;
  svg.append(shape("text", { x: 0, y, class: "soft" }, shared ? "bank" : "word"));
  for (let column = 0; column < 32; column += 4) {
    svg.append(shape("text", { x: LABEL + column * CELL + CELL / 2, y, "text-anchor": "middle", class: "soft" }, String(column)));
  }
  return svg;
}

/// Explains a drawing in a sentence.
function explain(step, entry) {
  if (!entry) {
    return step[3] === BARRIER
      ? "A barrier is as long as the warp waits: the warps of a block leave it together."
      : "The lanes exchange values, or wait for each other; no memory takes part.";
  }
  if (entry.array === null) {
    return "Shared memory has 32 banks, and a bank serves one word in a wavefront. Each numbered row is a wavefront with the lanes that it serves; * is a word for several lanes. Rows after the first are bank conflicts.";
  }
  return `Each row is 128 bytes of ${entry.array}, from the byte on its left: 4 sectors of 8 words, and the lane at each word. Framed sectors are moved, whether all of their words are used or not.`;
}
