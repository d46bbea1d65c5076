import { securityTxt } from "./security-txt";

const facts = {
  contact: "security@example.com",
  siteUrl: "https://likes.example.com",
  now: new Date("2026-11-20T12:00:00Z"),
};

describe("securityTxt", () => {
  it("writes an e-mail address as mailto, and names its canonical address", () => {
    expect(securityTxt(facts)).toBe(
      "Contact: mailto:security@example.com\n" +
        "Expires: 2027-05-19T12:00:00.000Z\n" +
        "Preferred-Languages: en\n" +
        "Canonical: https://likes.example.com/.well-known/security.txt\n",
    );
  });

  it("takes an https address as it is", () => {
    expect(securityTxt({ ...facts, contact: "https://example.com/security" })).toMatch(
      /^Contact: https:\/\/example\.com\/security\n/,
    );
  });

  it("names no address without TLS", () => {
    expect(securityTxt({ ...facts, siteUrl: "http://localhost:3000" })).not.toContain("Canonical");
  });
});
