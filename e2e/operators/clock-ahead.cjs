/*
 * Loaded into a server by NODE_OPTIONS=--require: its clock then goes CLOCK_AHEAD_MS milliseconds ahead of the machine's.
 * Timers and monotonic clocks are as they were, as with a clock that was set wrong.
 */
const trueNow = Date.now;
const now = () => trueNow() + Number(process.env.CLOCK_AHEAD_MS);

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
