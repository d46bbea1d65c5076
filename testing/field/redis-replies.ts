import type { Row } from "./row";

interface Reply {
  /** The server sends the reply to each command, or to each new connection, which it then closes. */
  to: "command" | "connection";
  bytes: string;
}

/** Replies of Redis, and of other servers at its address. Expected: the reason in the log. */
export const redisReplies: Row<Reply, string>[] = [
  {
    input: {
      to: "command",
      bytes:
        "-ERR Error running script (call to f_0): @user_script:1: @user_script: 1: " +
        "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
    },
    expected: "OOM",
    source: "OptimalBits/bull#433",
  },
  {
    input: { to: "command", bytes: "-BUSY Redis is busy running a script.\r\n" },
    expected: "BUSY",
    source: "taskforcesh/bullmq#265",
  },
  {
    input: { to: "command", bytes: "-NOPERM User has no permissions to run the 'eval' command\r\n" },
    expected: "NOPERM",
    source: "taskforcesh/bullmq#3351",
  },
  {
    input: { to: "connection", bytes: "-ERR max number of clients reached\r\n" },
    expected: "MAXCLIENTS",
    source: "redis/ioredis#1348",
  },
  {
    input: { to: "connection", bytes: "-DENIED Redis is running in protected mode.\r\n" },
    expected: "DENIED",
    source: "redis/RedisDesktopManager#3808",
  },
  {
    input: { to: "command", bytes: "HTTP/1.1 400 Bad Request\r\n\r\n" },
    expected: "Error",
    source: "redis/ioredis#1862",
  },
  {
    input: { to: "command", bytes: "\x15\x03\x01\x00\x02\x02\x16" },
    expected: "Error",
    source: "redis/ioredis#1262",
  },
];
