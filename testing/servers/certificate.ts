import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireProgram } from "@/scripts/lib/programs.mjs";

/** Creates a certificate for localhost, likes.localhost and 127.0.0.1, which is its own authority. */
export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "test-certificate-"));
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];
  const names = "subjectAltName=DNS:localhost,DNS:likes.localhost,IP:127.0.0.1";
  const of = ["-subj", "/CN=localhost", "-addext", names, "-days", "2", "-out", certificate];
  execFileSync(requireProgram("openssl"), ["req", "-x509", ...newKey, ...of], { stdio: "ignore" });
  return {
    /** Paths of the certificate and its key. */
    certificate,
    key,
    /** Returns the contents of the server's files. */
    readServer: () => ({ cert: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
