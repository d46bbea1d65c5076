import { securityTxt } from "./security-txt";

const options = {
  contact: "security@example.com",
  siteUrl: "https://likes.example.com",
  now: new Date("2026-11-20T12:00:00Z"),
};

describe("securityTxt", () => {
  it("writes an e-mail address as mailto and adds the canonical URL", () => {
    expect(securityTxt(options)).toBe(
      "Contact: mailto:security@example.com\n" +
        "Expires: 2027-05-19T12:00:00.000Z\n" +
        "Preferred-Languages: en\n" +
        "Canonical: https://likes.example.com/.well-known/security.txt\n",
    );
  });

  it("omits the canonical URL on a site without TLS", () => {
    expect(securityTxt({ ...options, siteUrl: "http://localhost:3000" })).not.toContain("Canonical");
  });
});
