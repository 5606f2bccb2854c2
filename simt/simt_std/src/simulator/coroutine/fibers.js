// The host's part of the simulator's coroutines on wasm32; asyncify.rs describes both parts.
//
//     const fibers = simtFibers();
//     const instance = new WebAssembly.Instance(module, { env: fibers.imports });
//     fibers.attach(instance.exports);
function simtFibers() {
  let wasm = null;
  // Record of the running coroutine's frames, and the movement that is under way.
  let running = 0, rewinding = false, unwinding = false, stackPointer = 0;
  return {
    attach(exports) { wasm = exports; },
    imports: {
      simt_resume(fiber, pointer, frames, again) {
        const stack = wasm.__stack_pointer;
        const [outerPointer, outerRunning] = [stack.value, running];
        stack.value = pointer;
        running = frames;
        if (again) {
          rewinding = true;
          wasm.asyncify_start_rewind(frames);
        }
        wasm.simt_run_fiber(fiber);
        running = outerRunning;
        stack.value = outerPointer;
        if (!unwinding) return 0;
        unwinding = false;
        wasm.asyncify_stop_unwind();
        return stackPointer;
      },
      simt_suspend() {
        if (rewinding) {
          rewinding = false;
          wasm.asyncify_stop_rewind();
          return;
        }
        stackPointer = wasm.__stack_pointer.value;
        unwinding = true;
        wasm.asyncify_start_unwind(running);
      },
    },
  };
}
