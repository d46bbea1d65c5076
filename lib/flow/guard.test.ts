import { decideGuard, type GuardDecision, type GuardedFlow } from "./guard";
import { aliases, legacyPaths, pages } from "@/lib/http/pages";

const post = { postId: "Cxyz123abc_" };
const sequences = [[], ["/verification"], ["/verification", "/get-likes"], ["/get-likes"]];

/* e2e/security/attacks-flow.test.ts opens other spellings of these paths. */

/** All combinations of accepted post, visited paths and receipt. `null` means: no flow cookie. */
const allFlows: (GuardedFlow | null)[] = [
  null,
  ...[null, post].flatMap((acceptedPost) =>
    sequences.flatMap((visited) => [null, {}].map((receipt) => ({ post: acceptedPost, visited, receipt }))),
  ),
];

/** Steps before the receipt. After an accepted order, they lead forward to the receipt. */
const stepsBefore = ["/verification", "/private-account-error", "/get-likes"];

/** Rules for each path, written without the guard names of lib/http/pages.ts. */
const specifiedRules: Record<string, { needs: (flow: GuardedFlow) => boolean; otherwise: GuardDecision }> = {
  "/verification": { needs: () => true, otherwise: "start-over" },
  "/private-account-error": { needs: () => true, otherwise: "start-over" },
  "/get-likes": {
    needs: (flow) => flow.post !== null && flow.visited.includes("/verification"),
    otherwise: "start-over",
  },
  "/success": {
    needs: (flow) => flow.post !== null && flow.visited.includes("/get-likes") && flow.receipt !== null,
    otherwise: "start-over",
  },
  "/preview/Cxyz123abc_": {
    needs: (flow) => flow.post?.postId === "Cxyz123abc_",
    otherwise: "redirect-home",
  },
  "/preview": { needs: () => true, otherwise: "redirect-home" },
  "/preview/AnotherPost": { needs: () => false, otherwise: "redirect-home" },
  "/start-over": { needs: () => false, otherwise: "not-found" },
};

const openPaths = [
  ...Object.values(pages)
    .filter((page) => page.guard === "open")
    .map((page) => page.path),
  ...Object.keys(aliases),
  ...legacyPaths,
  "/unknown",
];

describe("decideGuard", () => {
  const paths = [...Object.keys(specifiedRules), ...openPaths];
  const table = paths.flatMap((path) => [path, path === "/" ? path : `${path}/`]).map((path) => [path]);

  it.each(table)("makes the specified decision about %s for every flow", (path) => {
    const name = path.replace(/(.)\/$/, "$1");
    const rule = specifiedRules[name];
    for (const flow of allFlows) {
      const done = stepsBefore.includes(name) && flow?.post && flow.receipt;
      const open = !rule || (flow && rule.needs(flow));
      const expected = done ? "receipt" : open ? "allow" : rule.otherwise;
      expect({ flow, decision: decideGuard(path, flow, "url-entry") }).toEqual({ flow, decision: expected });
    }
  });

  it.each([null, "", "home", "URL-ENTRY"])("redirects a preview with from=%p to the home page", (from) => {
    const flow = { post, visited: [], receipt: null };
    expect(decideGuard("/preview/Cxyz123abc_", flow, from)).toBe("redirect-home");
  });
});
