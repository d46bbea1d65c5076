import { parseRedisInfo } from "./probe";

const primary =
  "# Replication role:master connected_slaves:2 slave0:ip=10.0.0.2,port=6379,state=online,offset=14,lag=1 " +
  "slave1:ip=10.0.0.3,port=6379,state=online,offset=7,lag=9";
const appendOnly = "aof_enabled:1 aof_last_write_status:ok rdb_last_bgsave_status:ok";
const unknown = {
  ...{ role: null, replicas: null, replicationLagSeconds: null },
  ...{ appendOnlyFile: null, saved: null, evictionPolicy: null },
};

it.each<[what: string, lines: string, state: object]>([
  [
    "a primary with the largest lag of its replicas",
    `${primary} ${appendOnly}`,
    { role: "primary", replicas: 2, replicationLagSeconds: 9, appendOnlyFile: true, saved: true },
  ],
  ["an eviction policy", "maxmemory_policy:allkeys-lru", { evictionPolicy: "allkeys-lru" }],
  ["a replica", "role:slave connected_slaves:0", { role: "replica", replicas: 0 }],
  [
    "a failed write to the append-only file",
    "aof_enabled:1 aof_last_write_status:err",
    { appendOnlyFile: true, saved: false },
  ],
  [
    "a failed rewrite of the append-only file",
    `${appendOnly} aof_last_bgrewrite_status:err`,
    { appendOnlyFile: true, saved: false },
  ],
  [
    "a failed snapshot beside the append-only file",
    "aof_enabled:1 aof_last_write_status:ok rdb_last_bgsave_status:err",
    { appendOnlyFile: true, saved: false },
  ],
  [
    "a failed snapshot without an append-only file",
    "aof_enabled:0 rdb_last_bgsave_status:err",
    { appendOnlyFile: false, saved: false },
  ],
  ["a server that reads its file", "loading:1 aof_enabled:0", {}],
  ["an empty reply", "", {}],
])("parses %s", (_, lines, state) => {
  expect(parseRedisInfo(lines.replaceAll(" ", "\r\n"))).toEqual({ ...unknown, ...state });
});
