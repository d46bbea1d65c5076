import { TestEnvironment } from "jest-environment-jsdom";

/** What every browser has, jsdom has not, and Node can lend. */
const lent = [
  "fetch",
  "Headers",
  "Request",
  "Response",
  "ReadableStream",
  "TextDecoder",
  "TextEncoder",
  "structuredClone",
];

/** jsdom with those platform globals that components may rely on in a browser. */
export default class ClientEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of lent) this.global[name] ??= globalThis[name];
    for (const name of ["getEntriesByName", "mark"]) {
      this.global.performance[name] ??= performance[name].bind(performance);
    }
  }
}
