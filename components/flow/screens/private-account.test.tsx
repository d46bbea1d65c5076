import { render, screen } from "@testing-library/react";
import { PrivateAccount } from "@/components/flow/screens/private-account";
import { guidesByPlatform } from "@/lib/content/private-account-guides";
import { detectPlatform } from "@/lib/flow/private-account-variants";

it.each([
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Instagram 380.0",
    "On an iPhone",
  ],
  ["Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/138.0 Mobile", "On an Android phone"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "On the web"],
  ["", "On the web"],
])("for the user agent %j, opens the guide %j first; each guide opens independently", (userAgent, first) => {
  render(<PrivateAccount guides={guidesByPlatform[detectPlatform(userAgent)]} isPrivate />);
  const guides = screen.getAllByRole<HTMLDetailsElement>("group");
  const titles = guides.map((guide) => guide.querySelector("summary")?.textContent);
  expect(titles[0]).toBe(first);
  expect(titles.toSorted()).toEqual(["On an Android phone", "On an iPhone", "On the web"]);
  expect(guides.map(({ open, name }) => [open, name ?? ""])).toEqual(
    [true, false, false].map((open) => [open, ""]),
  );
});

it("describes all steps from opening Instagram to making the account public", () => {
  for (const { steps } of guidesByPlatform.web) {
    expect(steps.length).toBeGreaterThanOrEqual(7);
    expect(steps[0]).toMatch(/^Open (the Instagram app|instagram.com)/);
    for (const label of ["Account privacy", "Private account", "Switch to public"]) {
      expect(steps.join(" ")).toContain(label);
    }
  }
});

it.each([true, false])("puts the more likely solution first (isPrivate: %s)", (isPrivate) => {
  render(<PrivateAccount guides={guidesByPlatform.web} isPrivate={isPrivate} />);
  const text = document.body.textContent ?? "";
  const [guide, another] = ["How to make your account public", "Try Another Post"].map((label) =>
    text.indexOf(label),
  );
  expect(Math.min(guide!, another!)).toBeGreaterThan(0);
  expect(guide! < another!).toBe(isPrivate);
});
