// The simulator: a module of WebAssembly, of which each run takes a new instance.

const encoder = new TextEncoder(), decoder = new TextDecoder();
let wasmModule = null;

/// Loads the module. A page of a file may not fetch, so it reads the module's copy in a script.
async function load() {
  if (location.protocol !== "file:") {
    const bytes = await (await fetch("simulator.wasm")).arrayBuffer();
    wasmModule = await WebAssembly.compile(bytes);
    return;
  }
  await new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "simulator.wasm.js";
    script.onload = done;
    script.onerror = () => failed(new Error("simulator.wasm.js is missing"));
    document.head.append(script);
  });
  wasmModule = await WebAssembly.compile(Uint8Array.from(atob(globalThis.simulatorWasm), c => c.charCodeAt(0)));
}

function instance() {
  const fibers = simtFibers();
  const wasm = new WebAssembly.Instance(wasmModule, { env: fibers.imports }).exports;
  fibers.attach(wasm);
  return wasm;
}

/// Reads a text: the address is in the upper half of `told`, and the length in the lower half.
function text(wasm, told) {
  const bits = BigInt.asUintN(64, told);
  const bytes = new Uint8Array(wasm.memory.buffer, Number(bits >> 32n), Number(bits & 0xffffffffn));
  return decoder.decode(bytes);
}

function lessons() {
  const wasm = instance();
  return JSON.parse(text(wasm, wasm.playground_lessons()));
}

/// Runs a choice, and returns the simulator's JSON as text.
function run(choice) {
  const wasm = instance(), bytes = encoder.encode(JSON.stringify(choice));
  const address = wasm.playground_text(bytes.length);
  new Uint8Array(wasm.memory.buffer, address, bytes.length).set(bytes);
  return text(wasm, wasm.playground_run(address, bytes.length));
}
