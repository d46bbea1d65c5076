import { onRequestError } from "./instrumentation";

const secret = "person@example.com";

afterEach(() => jest.restoreAllMocks());

it("logs the route pattern and the error name of a failed page, and no text from the request", async () => {
  const lines: string[] = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  process.env.NEXT_RUNTIME = "nodejs";
  const request = { method: "GET", path: `/success?${secret}`, headers: { cookie: secret } };
  await onRequestError(new TypeError(`cannot read ${secret}`), request, {
    routerKind: "App Router",
    routePath: "/success",
    routeType: "render",
    renderSource: "react-server-components",
    revalidateReason: undefined,
  });
  expect(lines.join()).not.toContain(secret);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      time: expect.any(String),
      level: "error",
      event: "page failed",
      method: "GET",
      route: "/success",
      cause: "TypeError",
      stack: expect.stringMatching(/^at .*instrumentation\.test\.ts/),
    },
  ]);
});
