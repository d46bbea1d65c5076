import { render, screen } from "@testing-library/react";
import { PrivateAccount } from "@/components/flow/screens/private-account";
import { guidesByPlatform } from "@/lib/content/private-account-guides";
import { detectPlatform } from "@/lib/flow/private-account-variants";

const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Instagram 380.0";
const android = "Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/138.0 Mobile";
const desktop = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

it.each([
  [iphone, ["On an iPhone", "On an Android phone", "On the web"]],
  [android, ["On an Android phone", "On an iPhone", "On the web"]],
  [desktop, ["On the web", "On an iPhone", "On an Android phone"]],
  ["", ["On the web", "On an iPhone", "On an Android phone"]],
])(
  "for the user agent %j, opens the matching guide first; each guide opens independently",
  (userAgent, titles) => {
    render(<PrivateAccount guides={guidesByPlatform[detectPlatform(userAgent)]} isPrivate />);
    const guides = screen.getAllByRole<HTMLDetailsElement>("group");
    expect(guides.map((guide) => guide.querySelector("summary")?.textContent)).toEqual(titles);
    expect(guides.map(({ open }) => open)).toEqual([true, false, false]);
    expect(guides.map(({ name }) => name ?? "")).toEqual(["", "", ""]);
  },
);

it("describes all steps from opening Instagram to making the account public", () => {
  for (const { steps } of guidesByPlatform.web) {
    expect(steps.length).toBeGreaterThanOrEqual(7);
    expect(steps[0]).toMatch(/^Open (the Instagram app|instagram.com)/);
    for (const label of ["Account privacy", "Private account", "Switch to public"]) {
      expect(steps.join(" ")).toContain(label);
    }
  }
});

const guide = "How to make your account public";
const another = "Try Another Post";

it.each([
  [true, "We cannot deliver likes to private Instagram posts.", [guide, another]],
  [false, "We found no public post under this link.", [another, guide]],
])("with isPrivate %s, shows %j and puts the more likely solution first", (isPrivate, title, order) => {
  render(<PrivateAccount guides={guidesByPlatform.web} isPrivate={isPrivate} />);
  const text = document.body.textContent ?? "";
  expect(text).toContain(title);
  expect(text).toContain("We cannot deliver likes to private Instagram posts.");
  const [first, second] = order.map((label) => text.indexOf(label));
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first!);
});
