import { clientAddress } from "@/lib/server/identity/identify-visitor";
import { normalizeAddress } from "@/lib/server/identity/networks";
import { proxyHeaders } from "./proxy-headers";

test.each(proxyHeaders)(
  "$source: $input.lines, $input.hops from the right, is $expected",
  ({ input, expected }) => {
    const headers = new Headers(input.lines.map((line): [string, string] => ["x-forwarded-for", line]));
    const address = clientAddress(headers, { header: undefined, proxyHops: input.hops });
    expect(normalizeAddress(address)).toBe(expected);
  },
);
