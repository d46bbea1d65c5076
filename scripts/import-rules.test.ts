import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Snippet {
  file: string;
  code: string;
}

const imports = "no-restricted-imports";
const syntax = "no-restricted-syntax";

/** File, what it names, and whether it may. */
const boundaries: [file: string, module: string, allowed: boolean][] = [
  ["lib/http/pages.ts", "zod", true],
  ["lib/http/pages.ts", "zod/mini", true],
  ["lib/http/pages.ts", "./limits", true],
  ["lib/http/pages.ts", "@/lib/config/limits", true],
  ["lib/http/pages.ts", "@/lib/content/site", true],
  ["lib/schemas/contact.ts", "@/lib/config/limits", true],
  ["lib/schemas/contact.ts", "./fields", true],
  ["lib/content/faq.ts", "@/lib/schemas/contact", true],
  ["lib/http/pages.ts", "react", false],
  ["lib/http/pages.ts", "next/server", false],
  ["lib/http/pages.ts", "node:crypto", false],
  ["lib/http/pages.ts", "fs", false],
  ["lib/http/pages.ts", "server-only", false],
  ["lib/http/pages.ts", "@/lib/client/api", false],
  ["lib/http/pages.ts", "@/lib/server/config/env", false],
  ["lib/http/pages.ts", "../components/ui/button", false],
  ["lib/schemas/contact.ts", "@/lib/server/config/env", false],
  ["lib/schemas/contact.ts", "../server/env", false],
  ["lib/content/faq.ts", "@/components/ui/button", false],
  ["lib/content/faq.ts", "@/app/layout", false],

  ["lib/client/api.ts", "react", true],
  ["lib/client/api.ts", "swr", true],
  ["lib/client/api.ts", "@fingerprintjs/fingerprintjs", true],
  ["lib/client/api.ts", "./events", true],
  ["lib/client/api.ts", "@/lib/http/errors", true],
  ["lib/client/api.ts", "@/lib/server/config/env", false],
  ["lib/client/api.ts", "../server/env", false],
  ["lib/client/api.ts", "@/components/ui/button", false],
  ["lib/client/api.ts", "@/app/layout", false],
  ["lib/client/api.ts", "@/e2e/support/ports", false],
  ["lib/client/api.ts", "node:crypto", false],
  ["lib/client/api.ts", "crypto", false],
  ["lib/client/api.ts", "ioredis", false],

  ["lib/server/likes/ledger.ts", "@/lib/http/errors", true],
  ["lib/server/likes/ledger.ts", "@/lib/server/redis/client", true],
  ["lib/server/likes/ledger.ts", "../redis/client", false],
  ["lib/server/identity/flow-cookie.ts", "next/server", true],
  ["lib/server/identity/flow-cookie.ts", "next/headers", false],
  ["lib/server/redis/index.ts", "./client", true],
  ["lib/server/likes/ledger.ts", "node:crypto", true],
  ["lib/server/likes/ledger.ts", "@upstash/redis", true],
  ["lib/server/likes/ledger.ts", "altcha-lib", true],
  ["lib/server/likes/ledger.ts", "react", false],
  ["lib/server/likes/ledger.ts", "react-dom/server", false],
  ["lib/server/likes/ledger.ts", "next/headers", false],
  ["lib/server/likes/ledger.ts", "@/components/ui/button", false],
  ["lib/server/likes/ledger.ts", "@/lib/client/api", false],
  ["lib/server/ops/log.ts", "../client/api", false],
  ["lib/server/likes/ledger.ts", "../../client/api", false],
  ["lib/server/likes/ledger.ts", "@/app/layout", false],
  ["lib/server/likes/ledger.ts", "@/e2e/support/redis-server", false],
  ["lib/server/http/api-route.ts", "next/server", true],
  ["lib/server/http/shared-text-route.ts", "next/server", true],
  ["lib/server/http/handle-request.ts", "next/server", false],
  ["lib/server/identity/identify-visitor.ts", "next/headers", false],
  ["lib/server/identity/flow-cookie.ts", "@/components/ui/button", false],
  ["lib/server/config/env.ts", "next/headers", false],

  ["components/flow/step.tsx", "react", true],
  ["components/flow/step.tsx", "next/link", false],
  ["components/islands/home.ts", "next/dynamic", false],
  ["components/ui/button.tsx", "next/link", false],
  ["components/site/header.tsx", "next/navigation", true],
  ["components/flow/step.tsx", "@/lib/http/pages", true],
  ["components/flow/step.tsx", "@/lib/client/api", true],
  ["components/flow/step.tsx", "@/lib/content/faq", true],
  ["components/flow/step.tsx", "@/components/ui/button", true],
  ["components/flow/step.tsx", "./hint", true],
  ["components/flow/step.tsx", "@/lib/server/config/env", false],
  ["components/flow/step.tsx", "../ui/button", false],
  ["components/flow/step.tsx", "@/app/layout", false],
  ["components/flow/step.tsx", "node:fs", false],
  ["components/flow/step.tsx", "ioredis", false],
  ["components/flow/step.tsx", "server-only", false],
  ["components/ui/button.tsx", "@radix-ui/react-toast", true],
  ["components/ui/button.tsx", "./icon", true],
  ["components/ui/button.tsx", "@/components/ui/icon", true],
  ["components/ui/button.tsx", "@/lib/content/faq", false],
  ["components/ui/button.tsx", "@/components/flow/step", false],
  ["components/ui/button.tsx", "@/lib/server/config/env", false],

  ["middleware.ts", "next/server", true],
  ["middleware.ts", "@/lib/http/pages", true],
  ["middleware.ts", "@/lib/flow/guard", true],
  ["middleware.ts", "@/lib/server/identity/flow-cookie", true],
  ["middleware.ts", "@/lib/flow/private-account-variants", true],
  ["middleware.ts", "@/lib/server/config/env", false],
  ["middleware.ts", "@/lib/server/redis/client", false],
  ["middleware.ts", "@/lib/content/faq", false],
  ["middleware.ts", "next/headers", false],
  ["middleware.ts", "zod", false],

  ["app/api/health/route.ts", "@/lib/server/config/env", true],
  ["app/page.tsx", "@/components/ui/button", true],
  ["app/page.tsx", "@/app/layout", false],
  ["app/page.tsx", "@/e2e/support/ports", false],
  ["instrumentation.ts", "@/lib/server/config/env", true],
  ["instrumentation.ts", "./app/layout", false],
  ["e2e/support/app-server.ts", "node:net", true],
  ["e2e/support/app-server.ts", "../../app/layout", false],
  ["bench/load.ts", "@/app/layout", false],
  ["app/page.tsx", "@/examples/delivery-service/receiver.mjs", false],
  ["examples/delivery-service/server.mjs", "./receiver.mjs", true],
  ["examples/delivery-service/server.mjs", "libsql", true],
  ["examples/delivery-service/server.mjs", "@/lib/config/limits", false],
  ["examples/delivery-service/server.mjs", "../../lib/limits", false],
];

const environment: [file: string, code: string, allowed: boolean][] = [
  ["lib/server/config/env.ts", "process.env.X", true],
  ["next.config.ts", "process.env.X", true],
  ["instrumentation.ts", "process.env.X", true],
  ["jest.config.ts", "process.env.X", true],
  ["scripts/verify.mjs", "process.env.X", true],
  ["e2e/support/browser.ts", "process.env.X", true],
  ["bench/load.ts", "process.env.X", true],
  ["examples/delivery-service/server.mjs", "process.env.X", true],
  ["lib/server/likes/ledger.test.ts", "process.env.X", true],
  ["lib/server/ops/log.ts", "process.env.X", false],
  ["lib/server/identity/flow-cookie.ts", "process.env.X", false],
  ["lib/server/ops/log.ts", 'process["env"].X', false],
  ["lib/http/pages.ts", "process.env.X", false],
  ["lib/client/api.ts", "process.env.X", false],
  ["components/flow/step.tsx", "process.env.X", false],
  ["components/ui/button.tsx", "process.env.X", false],
  ["app/page.tsx", "process.env.X", false],
  ["middleware.ts", "process.env.X", false],
];

/** One process for all tests: ESLint takes seconds to load. */
let linter: ChildProcessWithoutNullStreams;
let answers: AsyncIterator<string>;

beforeAll(() => {
  linter = spawn(process.execPath, [join(__dirname, "lib/lint-snippets.mjs")], {
    cwd: join(__dirname, ".."),
  });
  linter.stderr.pipe(process.stderr);
  answers = createInterface({ input: linter.stdout })[Symbol.asyncIterator]();
});
afterAll(() => linter.kill());

/** The rules that each snippet breaks. */
async function lint(snippets: Snippet[]): Promise<string[][]> {
  linter.stdin.write(`${JSON.stringify(snippets)}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error("ESLint ended");
  return JSON.parse(value) as string[][];
}

/** Keeps the rule about server-only out of the other tests. */
function serverOnly(file: string): string {
  return file.startsWith("lib/server/") ? 'import "server-only";\n' : "";
}

/** The cases whose verdict is not the expected one, as lines to read. */
async function wrong(rule: string, cases: { snippet: Snippet; allowed: boolean }[]): Promise<string[]> {
  const verdicts = await lint(cases.map(({ snippet }) => snippet));
  return cases
    .filter(({ allowed }, index) => verdicts[index]?.includes(rule) === allowed)
    .map(({ snippet, allowed }) => `${snippet.file} should ${allowed ? "" : "not "}pass: ${snippet.code}`);
}

describe("import rules", () => {
  const ways = {
    "a value import": [imports, (name: string) => `import { x } from "${name}";\nvoid x;`],
    "a type import": [imports, (name: string) => `import type { X } from "${name}";\nexport type Y = X;`],
    "a re-export": [imports, (name: string) => `export * from "${name}";`],
    "a dynamic import": [syntax, (name: string) => `void import("${name}");`],
    "a type expression": [syntax, (name: string) => `export type X = import("${name}").X;`],
  } as const;

  it.each(Object.entries(ways))("stand for %s", async (_, [rule, write]) => {
    const cases = boundaries.map(([file, name, allowed]) => ({
      snippet: { file, code: serverOnly(file) + write(name) },
      allowed,
    }));
    expect(await wrong(rule, cases)).toEqual([]);
  });

  it("do not bind tests, which set up both sides", async () => {
    const code = 'import { x } from "@/lib/server/config/env";\nvoid x;';
    expect(await lint([{ file: "components/flow/step.test.tsx", code }])).toEqual([[]]);
  });

  it("keep the environment in one file", async () => {
    const cases = environment.map(([file, code, allowed]) => ({
      snippet: { file, code: `${serverOnly(file)}export const x = ${code};` },
      allowed,
    }));
    expect(await wrong(syntax, cases)).toEqual([]);
  });

  it("see the environment behind its other names", async () => {
    const file = "lib/server/ops/log.ts";
    const codes = ["const { env } = process;\nvoid env;", 'import { env } from "node:process";\nvoid env;'];
    for (const rules of await lint(codes.map((code) => ({ file, code: serverOnly(file) + code })))) {
      expect(rules).toEqual([syntax]);
    }
  });

  it("ask every server module for server-only", async () => {
    const code = "export const x = 1;";
    const files = [
      "lib/server/ops/log.ts",
      "lib/server/redis/tcp.ts",
      "lib/server/ops/log.test.ts",
      "lib/http/pages.ts",
    ];
    expect(await lint(files.map((file) => ({ file, code })))).toEqual([
      ["local/server-only"],
      ["local/server-only"],
      [],
      [],
    ]);
  });
});

describe("the usual rules", () => {
  it("reject any and value imports of types", async () => {
    const any = { file: "lib/config/limits.ts", code: "export const x: any = 1;" };
    const value = {
      file: "lib/config/limits.ts",
      code: 'import { X } from "@/lib/http/errors";\nexport const x: X | null = null;',
    };
    expect(await lint([any, value])).toEqual([
      ["@typescript-eslint/no-explicit-any"],
      ["@typescript-eslint/consistent-type-imports"],
    ]);
  });

  it("allow plain links, since every navigation loads a page", async () => {
    const code = 'export function Home() {\n  return <a href="/faq/">Questions</a>;\n}';
    expect(await lint([{ file: "components/site/home.tsx", code }])).toEqual([[]]);
  });
});
