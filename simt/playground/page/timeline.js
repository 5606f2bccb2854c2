// The warps over time, on a canvas as large as what is visible of it.

const KINDS = [
  { name: "global read", colour: "#4e79a7", unit: "sectors" },
  { name: "global write", colour: "#5aa59b", unit: "sectors" },
  { name: "shared read", colour: "#f28e2b", unit: "wavefronts" },
  { name: "shared write", colour: "#e6b450", unit: "wavefronts" },
  { name: "atomic", colour: "#e15759", unit: "" },
  { name: "warp collective", colour: "#b07aa1", unit: "" },
  { name: "barrier", colour: "#9aa3ad", unit: "" },
];
const BARRIER = 6, ROW = 20, GAP = 6, WIDTH = 14, TOP = 8;

/// Counts the lanes of a mask.
function lanesOf(mask) {
  const lanes = [];
  for (let lane = 0; lane < 32; lane++) if (mask >>> lane & 1) lanes.push(lane);
  return lanes;
}

class Timeline {
  constructor(view, extent, canvas, choose) {
    Object.assign(this, { view, extent, canvas, choose, launch: null, current: 0 });
    this.pen = canvas.getContext("2d");
    view.addEventListener("scroll", () => this.draw());
    view.addEventListener("click", event => this.click(event));
    view.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.draw()).observe(view);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  open(launch, marks) {
    this.launch = launch;
    this.marks = marks;
    this.rows = launch.rows.map(() => []);
    launch.steps.forEach((step, i) => this.rows[step[0]].push(i));
    let y = TOP;
    this.tops = launch.rows.map(([block], i) => {
      if (i && launch.rows[i - 1][0] !== block) y += GAP;
      y += ROW;
      return y - ROW;
    });
    this.end = Math.max(0, ...launch.steps.map(step => step[1] + step[2]));
    this.left = this.view.clientWidth < 500 ? 66 : 112;
    this.extent.style.width = `${this.left + this.end * WIDTH + 24}px`;
    this.extent.style.height = `${y + TOP}px`;
    this.height = Math.min(y + TOP, 398);
    this.view.style.height = `${this.height + 2 + (this.left + this.end * WIDTH + 24 > this.view.clientWidth ? 14 : 0)}px`;
  }

  /// Shows a step, scrolled into view.
  show(current) {
    this.current = current;
    const step = this.launch.steps[current];
    if (step) {
      const { view } = this, x = step[1] * WIDTH, room = view.clientWidth - this.left;
      if (x < view.scrollLeft || x + WIDTH > view.scrollLeft + room - WIDTH) view.scrollLeft = x - room / 2;
      const y = this.tops[step[0]];
      if (y < view.scrollTop || y + ROW > view.scrollTop + view.clientHeight) view.scrollTop = y - view.clientHeight / 2;
    }
    this.draw();
  }

  box(step) {
    const [row, begin, length] = step;
    return [this.left + begin * WIDTH - this.view.scrollLeft, this.tops[row] - this.view.scrollTop, length * WIDTH - 2, ROW - 4];
  }

  draw() {
    const { view, canvas, pen, launch } = this;
    if (!launch) return;
    const ratio = devicePixelRatio || 1, [width, height] = [view.clientWidth, view.clientHeight];
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.documentElement), of = name => style.getPropertyValue(name).trim();
    pen.clearRect(0, 0, width, height);
    launch.steps.forEach((step, i) => {
      const [x, y, w, h] = this.box(step);
      if (x + w < this.left || x > width || y + h < 0 || y > height) return;
      const [, , , kind, , mask, cost] = step;
      // The height is the share of the lanes that take part.
      const share = kind === BARRIER ? 0.35 : Math.max(0.15, lanesOf(mask).length / 32);
      pen.fillStyle = KINDS[kind].colour;
      pen.fillRect(x, y + h * (1 - share), w, h * share);
      if (kind === BARRIER) pen.fillRect(x + w - 3, y - 2, 3, h + 4);
      const busy = (kind === 2 || kind === 3) && cost > 1 || kind < 2 && cost > 4;
      if (busy) {
        pen.fillStyle = "#10141c";
        pen.font = "10px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.fillText(String(cost), x + w / 2, y + h - 2);
      }
      if (i === this.current) this.frame(x, y, w, h, of("--ink"), 2);
    });
    this.drawMarks(of("--wrong"), of("--earlier"));
    pen.fillStyle = of("--panel");
    pen.fillRect(0, 0, this.left - 2, height);
    pen.fillStyle = of("--soft");
    pen.textAlign = "left";
    pen.font = "12px system-ui, sans-serif";
    launch.rows.forEach(([block, warp], i) => {
      const y = this.tops[i] - view.scrollTop + 13;
      if (y > 0 && y < height + ROW) pen.fillText(this.left < 100 ? `b${block} w${warp}` : `block ${block} warp ${warp}`, 8, y);
    });
  }

  frame(x, y, w, h, colour, thick) {
    this.pen.strokeStyle = colour;
    this.pen.lineWidth = thick;
    this.pen.strokeRect(x - 1, y - 1, w + 2, h + 2);
  }

  /// Frames the two accesses of a fault, and connects them.
  drawMarks(fault, earlier) {
    const step = mark => this.launch.steps[mark?.step ?? -1], { pen, marks } = this;
    const [at, before] = [step(marks?.fault), step(marks?.earlier)];
    const centre = ([x, y, w, h]) => [x + w / 2, y + h / 2];
    if (at && before) {
      pen.strokeStyle = fault;
      pen.lineWidth = 2;
      pen.setLineDash([5, 3]);
      pen.beginPath();
      pen.moveTo(...centre(this.box(before)));
      pen.lineTo(...centre(this.box(at)));
      pen.stroke();
      pen.setLineDash([]);
    }
    if (before) this.frame(...this.box(before), earlier, 3);
    if (at) this.frame(...this.box(at), fault, 3);
  }

  /// Returns the step of a row that is nearest to a position.
  nearest(row, position) {
    const distance = i => {
      const [, begin, length] = this.launch.steps[i];
      return Math.max(begin - position, position - begin - length + 0.01, 0);
    };
    return this.rows[row]?.reduce((best, i) => best === null || distance(i) < distance(best) ? i : best, null) ?? null;
  }

  click(event) {
    const edge = this.view.getBoundingClientRect();
    const y = event.clientY - edge.top + this.view.scrollTop;
    const row = this.tops.findLastIndex(top => top <= y + 2);
    const found = this.nearest(row, (event.clientX - edge.left + this.view.scrollLeft - this.left) / WIDTH);
    if (found !== null) this.choose(found);
  }

  key(event) {
    const steps = this.launch?.steps, step = steps?.[this.current];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.rows[step[0]], at = row.indexOf(this.current);
    const vertical = by => {
      for (let r = step[0] + by; r >= 0 && r < this.rows.length; r += by) {
        const found = this.nearest(r, step[1]);
        if (found !== null) return found;
      }
      return null;
    };
    const to = {
      ArrowLeft: () => row[at - 1], ArrowRight: () => row[at + 1], Home: () => row[0], End: () => row.at(-1),
      ArrowUp: () => vertical(-1), ArrowDown: () => vertical(1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const found = to();
    if (found !== undefined && found !== null) this.choose(found);
  }
}
