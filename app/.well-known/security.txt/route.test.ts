import { GET } from "./route";

const environment = { ...process.env };
afterEach(() => {
  jest.useRealTimers();
  process.env = environment;
});

it.each([
  ["https://likes.example", "Canonical: https://likes.example/.well-known/security.txt\n"],
  ["http://localhost:3000", ""],
])(
  "on %s, names the support address for 180 days, and the canonical URL only with https",
  async (url, end) => {
    jest.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12) });
    process.env = { ...environment, SITE_URL: url, SUPPORT_EMAIL: "security@example.com" };
    expect(await GET().text()).toBe(
      "Contact: mailto:security@example.com\n" +
        "Expires: 2027-05-19T12:00:00.000Z\n" +
        `Preferred-Languages: en\n${end}`,
    );
  },
);
