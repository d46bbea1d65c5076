import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireProgram } from "@/scripts/lib/programs.mjs";

/** Creates a private certificate authority, and its certificate for localhost, likes.localhost and 127.0.0.1. */
export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "test-certificate-"));
  const openssl = (...args: string[]) =>
    execFileSync(requireProgram("openssl"), args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = "subjectAltName=DNS:localhost,DNS:likes.localhost,IP:127.0.0.1";
  const ca = ["-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority of a test", "-days", "2"];
  openssl("req", "-x509", ...newKey, ...ca);
  const server = ["-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost", "-addext", names];
  openssl("req", ...newKey, ...server);
  const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", "-days", "2", ...by);
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  return {
    /** Paths of the certificate of the private authority, and of the certificate and key of a server. */
    authority: join(folder, "ca.crt"),
    certificate,
    key,
    /** Returns the contents of the server's files. */
    readServer: () => ({ cert: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
