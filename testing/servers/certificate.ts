import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireProgram } from "@/scripts/lib/programs.mjs";

export interface Certificate {
  /** Paths of the certificate of the private authority, and of the certificate and key of a server. */
  authority: string;
  certificate: string;
  key: string;
  /** Contents of the server's files. */
  readServer(): { cert: string; key: string };
  remove(): void;
}

/** Creates a private certificate authority, and its certificate for localhost and 127.0.0.1. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "test-certificate-"));
  const openssl = (...args: string[]) =>
    execFileSync(requireProgram("openssl"), args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const ca = ["-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=authority of a test", "-days", "2"];
  openssl("req", "-x509", ...newKey, ...ca);
  openssl("req", ...newKey, "-keyout", "server.key", "-out", "server.csr", ...names);
  const by = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy"];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", "-days", "2", ...by);
  const file = (name: string) => join(folder, name);
  return {
    authority: file("ca.crt"),
    certificate: file("server.crt"),
    key: file("server.key"),
    readServer: () => ({
      cert: readFileSync(file("server.crt"), "utf8"),
      key: readFileSync(file("server.key"), "utf8"),
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
