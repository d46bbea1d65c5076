import { expect, test, useServers } from "../support/test";
import { visitorAtStep3 } from "../support/visitor";

/* The site with an output that accepts no line. */

const servers = useServers({}, async () => ({}));

for (const [name, redirect] of Object.entries({
  "a full disk": ">/dev/full 2>&1",
  "a closed pipe": "2>&1 | true",
}))
  test(`accepts orders, and keeps its process, when the log goes to ${name}`, async () => {
    const app = await servers.start({ live: true, redirect });
    for (let n = 0; n < 3; n += 1) {
      const visitor = await visitorAtStep3(app.url);
      expect((await visitor.like()).status).toBe(200);
    }
  });
