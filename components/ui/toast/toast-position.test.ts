import { toastOffset, type Box } from "@/components/ui/toast/toast-position";

/* A window of 360 x 640, and a toast of 100 px at its lower edge. */
const toast: Box = { left: 0, right: 348, top: 540, bottom: 640 };
const button = (top: number, bottom = top + 52, left = 28, right = 332): Box => ({
  left,
  right,
  top,
  bottom,
});

test.each<[string, Box[], number]>([
  ["nothing is in its way", [], 0],
  ["a button is above it", [button(400)], 0],
  ["a button touches it", [button(488)], 0],
  ["a button is under it: just above that", [button(560)], 80],
  ["there is a second one where it would go", [button(560), button(480)], 160],
  ["they come in another order", [button(480), button(560)], 160],
  ["there is room between two", [button(560), button(400)], 80],
  ["a button is beside it", [button(560, 612, 350, 360)], 0],
  ["a button is below the window", [button(700)], 0],
  ["buttons stand everywhere: where it is", Array.from({ length: 12 }, (_, n) => button(n * 56)), 0],
])("when %s", (_case, obstacles, rise) => expect(toastOffset(toast, obstacles)).toBe(rise));

test.each<[string, Box[], Box[], number]>([
  ["a message is under it: just above that", [], [button(500, 600)], 140],
  ["a button is where it would go", [button(440)], [button(500, 600)], 200],
  ["the message leaves no room: on the message, off the button", [button(560)], [button(0, 540)], 80],
  ["both leave no room: where it is", [button(0, 640)], [button(0, 640)], 0],
])("when %s", (_case, buttons, messages, rise) => expect(toastOffset(toast, buttons, messages)).toBe(rise));

test("where it has risen to, no button is covered", () => {
  for (let top = 0; top < 640; top += 7) {
    for (let other = 0; other < 640; other += 11) {
      const obstacles = [button(top), button(other)];
      const rise = toastOffset(toast, obstacles);
      if (rise === 0) continue;
      for (const { top, bottom } of obstacles) {
        expect(bottom <= toast.top - rise || top >= toast.bottom - rise).toBe(true);
      }
    }
  }
});
