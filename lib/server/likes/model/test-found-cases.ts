import type { Action } from "./test-ledger-actions";

const reserve = { name: "reserve", visitor: 0, address: 1, flow: 1, post: 0, body: 0 } as const;
const options = { requestKey: null, cookie: null } as const;

/** Sequences in which the ledger was wrong. The tests replay them first. */
export const foundCases: { title: string; actions: Action[] }[] = [
  {
    title: "the reply to the last allowed request of a minute is lost: the repeated command was rate limited",
    actions: [
      { ...reserve, ...options, visitor: 1, repeated: true },
      { ...reserve, ...options, repeated: false },
      { ...reserve, ...options, visitor: 1, flow: 0, repeated: true },
      { ...reserve, ...options, flow: 0, repeated: true },
    ],
  },
];

/** An order in each state: accepted, refused, leased, pending. */
export const openOrders: Action[] = [
  { name: "order", visitor: 0, address: 0, flow: 5, outcome: "settle" },
  { name: "order", visitor: 1, address: 1, flow: 6, outcome: "release" },
  { ...reserve, requestKey: 0, cookie: null, visitor: 1, repeated: false },
  { ...reserve, ...options, visitor: 2, address: 2, flow: 2, repeated: false },
  { name: "defer", handle: 3, repeated: false },
  { name: "changeLimit", limit: 300, repeated: false },
];

/** Outcomes of the orders above, and requests of the same visitors. */
export const outcomes: Action[] = [
  { ...reserve, requestKey: 0, cookie: null, visitor: 1, repeated: false },
  { name: "settle", handle: 2, reference: true, repeated: false },
  { name: "wait", length: "lease" },
  { name: "claim", beforeMs: undefined, repeated: false },
  { name: "status", visitor: 0, address: 0, cookie: 0 },
  { ...reserve, ...options, visitor: 0, address: 0, flow: 3, repeated: false },
];
