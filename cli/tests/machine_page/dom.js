// The part of a browser's document that the page of `carrywave machine --html` uses. Other calls throw.
"use strict";
class Element {
  constructor(name, namespaceURI = "html") {
    Object.assign(this, { name, namespaceURI, attributes: {}, children: [], listeners: {}, text: "", offsetTop: 0, scrollTop: 0 });
    const classes = () => (this.attributes.class || "").split(" ").filter((one) => one !== "");
    this.classList = {
      contains: (one) => classes().includes(one),
      add: (one) => { this.attributes.class = [...classes(), one].join(" "); },
      remove: (one) => { this.attributes.class = classes().filter((other) => other !== one).join(" "); },
    };
    Object.preventExtensions(this);
  }
  get textContent() { return this.text + this.children.map((child) => child.textContent).join(""); }
  set textContent(text) { this.children = []; this.text = String(text); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  append(child) {
    for (const parent of [child.parent].filter(Boolean)) parent.children = parent.children.filter((other) => other !== child);
    this.children.push(child);
    parents.set(child, this);
  }
  replaceChildren() { this.children = []; this.text = ""; }
  addEventListener(event, listener) { this.listeners[event] = listener; }
  get parent() { return parents.get(this); }
  // Not in browsers: returns the descendants with a tag name that are not inside another such element.
  all(name, found = []) {
    for (const child of this.children) {
      if (child.name === name) found.push(child); else child.all(name, found);
    }
    return found;
  }
}
const parents = new Map();
const elements = {};
const document = {
  getElementById: (id) => elements[id],
  createElement: (name) => new Element(name),
  createElementNS: (space, name) => new Element(name, space),
};

// The actions of a test (a click, a key), and the content of the picture.
function click(element) { element.listeners.click(); }
function press(element, key) { element.listeners.keydown({ key }); }
function costRows() { return elements.source.all("tr").filter((row) => row.classList.contains("cost")); }
function drawn() {
  const boxes = elements.banks.all("rect").filter((box) => box.all("title").length > 0);
  const number = (box, name) => Number(box.attributes[name]);
  return boxes.map((box) => ({ x: number(box, "x"), y: number(box, "y"), fill: box.attributes.fill, title: box.all("title")[0].textContent }));
}
function seen() {
  const text = (id) => elements[id].textContent;
  const rows = costRows();
  return JSON.stringify({
    title: text("title"), summary: text("summary"), what: text("what"), numbers: text("numbers"), which: text("which"),
    legend: text("legend"), boxes: drawn(), picture: elements.banks.textContent,
    picked: rows.filter((row) => row.classList.contains("picked")).length,
    rows: rows.map((row) => row.all("td").map((cell) => cell.textContent)),
  });
}
