import fc from "fast-check";
import { appendVisited, decideGuard, noFlow, type FlowMarkers, type GuardDecision } from "./flow";
import { aliases, findPage, legacyPaths, pages } from "./routes";

const booleans = [false, true];
const sequences = [[], ["/verification"], ["/verification", "/get-likes"], ["/get-likes"]];

/** Every combination of markers that a cookie can hold. */
const allMarkers: FlowMarkers[] = booleans.flatMap((started) =>
  booleans.flatMap((hasLink) =>
    [null, "Cxyz123abc_"].flatMap((postId) =>
      sequences.flatMap((visited) =>
        booleans.map((hasAcceptedOrder) => ({ started, hasLink, postId, visited, hasAcceptedOrder })),
      ),
    ),
  ),
);

/** The specification's rules, written down apart from the code: path -> what must hold, and what happens if not. */
const rules: Record<string, { needs: (m: FlowMarkers) => boolean; otherwise: GuardDecision }> = {
  "/verification": { needs: (m) => m.started && m.hasLink, otherwise: "start-over" },
  "/get-likes": {
    needs: (m) => m.started && m.postId !== null && m.visited.includes("/verification"),
    otherwise: "start-over",
  },
  "/success": {
    needs: (m) => m.started && m.postId !== null && m.visited.includes("/get-likes") && m.hasAcceptedOrder,
    otherwise: "start-over",
  },
  "/private-account-error": { needs: () => true, otherwise: "start-over" },
  "/preview/Cxyz123abc_": {
    needs: (m) => m.started && m.postId === "Cxyz123abc_",
    otherwise: "redirect-home",
  },
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
  "/preview",
];

describe("decideGuard", () => {
  const paths = [...Object.keys(rules), ...openPaths];
  const table = paths.flatMap((path) => [path, path === "/" ? path : `${path}/`]).map((path) => [path]);

  it.each(table)("decides %s for every combination of markers", (path) => {
    const rule = rules[path.replace(/(.)\/$/, "$1")];
    for (const markers of allMarkers) {
      const expected = !rule || rule.needs(markers) ? "allow" : rule.otherwise;
      expect({ markers, decision: decideGuard(path, markers, "url-entry") }).toEqual({
        markers,
        decision: expected,
      });
    }
  });

  it("opens no guarded page without a flow", () => {
    for (const [path, rule] of Object.entries(rules)) {
      if (path === "/private-account-error") continue;
      expect(decideGuard(path, noFlow, "url-entry")).toBe(rule.otherwise);
    }
  });

  it.each([null, "", "home", "URL-ENTRY"])("sends a preview from %p home", (from) => {
    const markers = { ...noFlow, started: true, hasLink: true, postId: "Cxyz123abc_" };
    expect(decideGuard("/preview/Cxyz123abc_", markers, from)).toBe("redirect-home");
  });
});

describe("appendVisited", () => {
  it("appends a path that differs from the last entry", () => {
    expect(appendVisited(["/verification"], "/get-likes/")).toEqual(["/verification", "/get-likes"]);
    expect(appendVisited(["/verification"], "/verification/")).toEqual(["/verification"]);
  });

  it("counts any preview as /preview", () => {
    expect(appendVisited([], "/preview/Cxyz123abc_")).toEqual(["/preview"]);
  });

  it("keeps the last ten entries", () => {
    let visited: readonly string[] = [];
    for (let n = 0; n < 15; n += 1) visited = appendVisited(visited, n % 2 ? "/verification" : "/get-likes");
    expect(visited).toHaveLength(10);
    expect(visited.at(-1)).toBe("/get-likes");
  });
});

it("decides every address, and opens a guarded page for no one without a flow", () => {
  const path = fc.oneof(
    fc.webPath(),
    fc.string(),
    fc.constantFrom(...Object.values(pages).map((page) => page.path)),
    fc.string().map((id) => `/preview/${id}`),
  );
  const markers = fc.record<FlowMarkers>({
    started: fc.boolean(),
    hasLink: fc.boolean(),
    postId: fc.option(fc.string()),
    visited: fc.array(fc.oneof(fc.constantFrom("/verification", "/get-likes"), fc.string())),
    hasAcceptedOrder: fc.boolean(),
  });
  fc.assert(
    fc.property(path, markers, fc.option(fc.string()), (pathname, given, from) => {
      const decision = decideGuard(pathname, given, from);
      expect(["allow", "start-over", "redirect-home", "not-found"]).toContain(decision);
      const guard = findPage(pathname)?.guard ?? "open";
      if (!given.started && guard !== "open" && guard !== "self") expect(decision).not.toBe("allow");
    }),
    { seed: 50, numRuns: 5_000 },
  );
});
