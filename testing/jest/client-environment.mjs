import { TestEnvironment } from "jest-environment-jsdom";

/** Globals of browsers and Node that jsdom lacks. */
const missing = [
  ...["fetch", "Headers", "Request", "Response", "ReadableStream"],
  ...["TextDecoder", "TextEncoder", "structuredClone"],
];

/** jsdom with more globals of browsers. */
export default class ClientEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of missing) this.global[name] ??= globalThis[name];
    for (const name of ["getEntriesByName", "mark"])
      this.global.performance[name] ??= performance[name].bind(performance);
  }
}
