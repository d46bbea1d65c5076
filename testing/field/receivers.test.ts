import { webhookSecret } from "@/testing/servers/live-delivery";
import { createWebhook } from "@/lib/server/delivery/delivery";
import { startRawServer } from "./raw-server";
import { receivers } from "./receivers";

test.each(receivers)("$source: the order is $expected after $input", async ({ input, expected }) => {
  const server = await startRawServer((socket) => {
    let request = "";
    socket.on("data", (chunk) => {
      request += chunk.toString();
      if (request.endsWith("}}")) socket.end(input, "latin1");
    });
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const webhook = createWebhook({ url, secret: webhookSecret, timeoutMs: 5_000 });
  const { outcome } = await webhook.send({
    id: "0000-0000-0000",
    postId: "Cxyz",
    postType: "post",
    likes: 50,
  });
  server.stop();
  expect(outcome).toBe(expected);
});
