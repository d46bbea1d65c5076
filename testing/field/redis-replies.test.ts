import { AppError } from "@/lib/http/errors";
import { RedisClient, withRedis } from "@/lib/server/redis/client";
import { createTcpRequester } from "@/lib/server/redis/tcp";
import { redisReplies } from "./redis-replies";
import { startRawServer } from "./raw-server";

test.each(redisReplies)("$source: the log says $expected after $input.bytes", async ({ input, expected }) => {
  const server = await startRawServer((socket) => {
    if (input.to === "connection") socket.end(input.bytes, "latin1");
    else socket.on("data", () => socket.write(input.bytes, "latin1"));
  });
  const requester = createTcpRequester(`redis://127.0.0.1:${server.port}`);
  const startedAt = performance.now();
  const error = await withRedis("work", () => new RedisClient(requester).get("key")).catch(
    (reason: unknown) => reason,
  );
  const milliseconds = performance.now() - startedAt;
  requester.close();
  server.stop();
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: "service_unavailable",
    cause: { message: `Redis: work failed (${expected})` },
  });
  expect(milliseconds).toBeLessThan(2_000);
});
