import type { Row } from "./row";

interface Forwarded {
  /** Lines of the header X-Forwarded-For. */
  lines: string[];
  /** Value of TRUSTED_PROXY_HOPS. */
  hops: number;
}

/** Headers of proxies. Expected: the visitor's address (of IPv6 the /64), or null if the site responds with 503. */
export const proxyHeaders: Row<Forwarded, string | null>[] = [
  { input: { lines: ["unix:"], hops: 1 }, expected: null, source: "TecharoHQ/anubis#1756" },
  { input: { lines: [","], hops: 1 }, expected: null, source: "Netflix/zuul#364" },
  { input: { lines: ["[203.0.113.4,203.0.113.5]"], hops: 1 }, expected: null, source: "sebest/xff#8" },
  {
    input: { lines: ["203.0.113.7,198.51.100.2"], hops: 2 },
    expected: "203.0.113.7",
    source: "spring-cloud/spring-cloud-gateway#2479",
  },
  {
    input: { lines: ["unknown, 203.0.113.7, 198.51.100.2"], hops: 2 },
    expected: "203.0.113.7",
    source: "enwikipedia-acc/waca#182",
  },
  {
    input: { lines: ["198.51.100.66", "203.0.113.7:43462"], hops: 1 },
    expected: "203.0.113.7",
    source: "Baroshem/nuxt-security#83",
  },
  {
    input: { lines: ["cache.example.com, 0:0:0:0:0:FFFF:203.0.113.7"], hops: 1 },
    expected: "203.0.113.7",
    source: "modosc/cloudflare-rails#49",
  },
  {
    input: { lines: ["[2001:db8:1:2:3:4:5:6]:8443"], hops: 1 },
    expected: "2001:db8:1:2::",
    source: "vert-x3/vertx-web#2464",
  },
];
