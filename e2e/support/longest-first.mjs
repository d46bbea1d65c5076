import Sequencer from "@jest/test-sequencer";

/**
 * The files that take longest, by their measured times. A fresh clone knows no times, and Jest then goes by the size of a
 * file: a short file that goes through 130 screens would come last, with nothing left to run beside it.
 */
const longest = [
  "screens.browser",
  "faults",
  "engines.browser",
  "flow.browser",
  "web-servers",
  "no-script.browser",
  "validation.browser",
  "http-guard",
  "release",
  "quickstart-live",
  "ledger-tool",
  "time.browser",
  "serverless",
  "budgets.browser",
  "redis-operations",
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const index = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
      return index < 0 ? longest.length : index;
    };
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
