import type { DeliveryOutcome } from "@/lib/server/delivery/delivery";
import type { Row } from "./row";

/** Responses of delivery services, one character for each byte. Expected: the outcome of the order. */
export const receivers: Row<string, DeliveryOutcome["outcome"]>[] = [
  {
    input: "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    expected: "accepted",
    source: "seanmonstar/httparse#29",
  },
  {
    input:
      "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
    expected: "accepted",
    source: "snoyberg/http-client#521",
  },
  {
    input: "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
    expected: "accepted",
    source: "nodejs/node#24580",
  },
  { input: "HTTP/1.1 204\r\n\r\n<<<No Content>>>", expected: "accepted", source: "jetty/jetty.project#2311" },
  {
    input: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n",
    expected: "accepted",
    source: "getlago/lago-api#245",
  },
  {
    input: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    expected: "unknown",
    source: "TheFive/osmbc#996",
  },
  {
    input: "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nThe delivery failed.",
    expected: "unknown",
    source: "MicrosoftDocs/msteams-docs#9064",
  },
  {
    input:
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" +
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00",
    expected: "unknown",
    source: "rbren/rss-parser#280",
  },
];
