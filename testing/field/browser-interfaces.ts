import type { Row } from "./row";

/** Interfaces by their paths from `window`, and how they fail. The visitor still reaches the receipt. */
export const browserInterfaces: Omit<Row<readonly [paths: string, fault: string], never>, "expected">[] = [
  { input: ["navigator.serviceWorker", "throws when read"], source: "angular/angular#28373" },
  { input: ["MediaQueryList.prototype.addEventListener", "is undefined"], source: "vercel/next.js#29190" },
  // Lockdown Mode of iOS.
  {
    input: ["WebAssembly WebGLRenderingContext WebGL2RenderingContext FileReader", "is undefined"],
    source: "actualbudget/actual#4479",
  },
  {
    input: ["HTMLCanvasElement.prototype.getContext", "throws when used"],
    source: "fingerprintjs/fingerprintjs#298",
  },
  { input: ["Promise.withResolvers", "is undefined"], source: "sveltejs/kit#16617" },
];
