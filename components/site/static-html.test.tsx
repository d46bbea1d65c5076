import { act, render } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { StaticHtml } from "@/components/site/static-html";

const serverHtml = '<div id="part"><h2>Written by the server</h2></div>';

afterEach(() => document.body.replaceChildren());

it("keeps the HTML of the server, including changes by the site script", async () => {
  const consoleError = jest.spyOn(console, "error").mockImplementation();
  document.body.innerHTML = serverHtml;
  const heading = document.querySelector("h2");
  heading?.setAttribute("data-opened", "");
  await act(async () => void hydrateRoot(document.body, <StaticHtml id="part" />));
  expect(document.querySelector("h2")).toBe(heading);
  expect(heading?.outerHTML).toBe('<h2 data-opened="">Written by the server</h2>');
  expect(consoleError).not.toHaveBeenCalled();
});

it("shows the HTML of the server again when React renders without hydration", () => {
  document.body.innerHTML = serverHtml;
  const { container } = render(<StaticHtml id="part" />);
  expect(container.querySelector("h2")).toHaveTextContent("Written by the server");
});
