import { act, render } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { StaticHtml } from "@/components/site/static-html";

const written = '<div id="part"><h2>Written by the server</h2></div>';

afterEach(() => document.body.replaceChildren());

it("leaves what the server wrote as it is, with what the site's script has done to it", async () => {
  const complaint = jest.spyOn(console, "error").mockImplementation();
  document.body.innerHTML = written;
  const heading = document.querySelector("h2");
  heading?.setAttribute("data-opened", "");
  await act(async () => void hydrateRoot(document.body, <StaticHtml id="part" />));
  expect(document.querySelector("h2")).toBe(heading);
  expect(heading?.outerHTML).toBe('<h2 data-opened="">Written by the server</h2>');
  expect(complaint).not.toHaveBeenCalled();
});

it("shows it again where React draws the page anew", () => {
  document.body.innerHTML = written;
  const { container } = render(<StaticHtml id="part" />);
  expect(container.querySelector("h2")).toHaveTextContent("Written by the server");
});
