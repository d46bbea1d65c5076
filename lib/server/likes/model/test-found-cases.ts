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
