import { toastOffset, type Box } from "@/components/ui/toast/toast-position";

/* The window has 360 x 640 px. The toast is 100 px high, at the lower edge of the window. */
const toast: Box = { left: 0, right: 348, top: 540, bottom: 640 };
const button = (top: number, bottom = top + 52, left = 28, right = 332): Box => ({
  left,
  right,
  top,
  bottom,
});

test.each<[string, Box[], number]>([
  ["there is no obstacle", [], 0],
  ["a button is above the toast", [button(400)], 0],
  ["the lower edge of a button touches the toast", [button(488)], 0],
  ["a button is behind the toast: moves just above the button", [button(560)], 80],
  ["a second button is at the new position: moves above both", [button(560), button(480)], 160],
  ["the two buttons come in reverse order: moves above both", [button(480), button(560)], 160],
  ["there is room between two buttons: moves between them", [button(560), button(400)], 80],
  ["a button is beside the toast", [button(560, 612, 350, 360)], 0],
  ["a button is below the window", [button(700)], 0],
  ["buttons are everywhere: stays", Array.from({ length: 12 }, (_, n) => button(n * 56)), 0],
])("positions the toast when %s", (_case, obstacles, offset) =>
  expect(toastOffset(toast, obstacles)).toBe(offset),
);

test.each<[string, Box[], Box[], number]>([
  ["a message is behind the toast: moves just above the message", [], [button(500, 600)], 140],
  ["a button is above the message: moves above both", [button(440)], [button(500, 600)], 200],
  ["the message leaves no room: covers the message, not the button", [button(560)], [button(0, 540)], 80],
  ["buttons and messages leave no room: stays", [button(0, 640)], [button(0, 640)], 0],
])("positions the toast when %s", (_case, buttons, messages, offset) =>
  expect(toastOffset(toast, buttons, messages)).toBe(offset),
);

test("covers no button at the new position", () => {
  for (let top = 0; top < 640; top += 7) {
    for (let other = 0; other < 640; other += 11) {
      const obstacles = [button(top), button(other)];
      const offset = toastOffset(toast, obstacles);
      if (offset === 0) continue;
      for (const { top, bottom } of obstacles) {
        expect(bottom <= toast.top - offset || top >= toast.bottom - offset).toBe(true);
      }
    }
  }
});
