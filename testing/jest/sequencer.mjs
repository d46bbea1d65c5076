import Sequencer from "@jest/test-sequencer";

/** Runs the tests of the project "server" first: they often wait, so the build beside them can use the processor. */
export default class ServerFirst extends Sequencer {
  sort(tests) {
    const isClient = ({ context }) => context.config.displayName.name === "client";
    return super.sort(tests).sort((a, b) => isClient(a) - isClient(b));
  }
}
