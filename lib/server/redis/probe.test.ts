import { parseRedisInfo } from "./probe";

const primary = [
  "# Replication\r",
  "role:master\r",
  "connected_slaves:2\r",
  "slave0:ip=10.0.0.2,port=6379,state=online,offset=14,lag=1\r",
  "slave1:ip=10.0.0.3,port=6379,state=online,offset=7,lag=9\r",
];
const appendOnly = ["aof_enabled:1\r", "aof_last_write_status:ok\r", "rdb_last_bgsave_status:ok\r"];
const unknown = {
  role: null,
  replicas: null,
  replicationLagSeconds: null,
  appendOnlyFile: null,
  saved: null,
  evictionPolicy: null,
};

it.each([
  [
    "a primary with the largest lag of its replicas",
    [...primary, ...appendOnly],
    {
      role: "primary",
      replicas: 2,
      replicationLagSeconds: 9,
      appendOnlyFile: true,
      saved: true,
      evictionPolicy: null,
    },
  ],
  ["an eviction policy", ["maxmemory_policy:allkeys-lru\r"], { ...unknown, evictionPolicy: "allkeys-lru" }],
  ["a replica", ["role:slave\r", "connected_slaves:0\r"], { ...unknown, role: "replica", replicas: 0 }],
  [
    "a failed write to the append-only file",
    ["aof_enabled:1\r", "aof_last_write_status:err\r"],
    { ...unknown, appendOnlyFile: true, saved: false },
  ],
  [
    "a failed rewrite of the append-only file",
    [...appendOnly, "aof_last_bgrewrite_status:err\r"],
    { ...unknown, appendOnlyFile: true, saved: false },
  ],
  [
    "a failed snapshot beside the append-only file",
    ["aof_enabled:1\r", "aof_last_write_status:ok\r", "rdb_last_bgsave_status:err\r"],
    { ...unknown, appendOnlyFile: true, saved: false },
  ],
  [
    "a failed snapshot without an append-only file",
    ["aof_enabled:0\r", "rdb_last_bgsave_status:err\r"],
    { ...unknown, appendOnlyFile: false, saved: false },
  ],
  ["a server that reads its file", ["loading:1\r", "aof_enabled:0\r"], unknown],
  ["an empty reply", [], unknown],
])("parses %s", (_, lines, state) => {
  expect(parseRedisInfo(lines.join("\n"))).toEqual(state);
});
