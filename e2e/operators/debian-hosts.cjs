/* Loaded by NODE_OPTIONS=--require: names under .example lead to 127.0.1.1, as the host's own name does in Debian's /etc/hosts. */
const dns = process.getBuiltinModule("node:dns");

for (const api of [dns, dns.promises]) {
  const { lookup } = api;
  api.lookup = (name, ...rest) => lookup(name.endsWith(".example") ? "127.0.1.1" : name, ...rest);
}
