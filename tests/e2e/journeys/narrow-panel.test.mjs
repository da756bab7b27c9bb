// The preview in a small panel: one sticky line, everything else scrolls, the prompt is always shown.
import assert from "node:assert/strict";
import { journey } from "../lib/journey.mjs";
import { PROJECT } from "../lib/project.mjs";

/** Widths and heights of the window; the panel has about half of the width. */
const WINDOWS = {
  usual: { width: 1100, height: 800, lines: 10 },
  low: { width: 640, height: 400, lines: 3 },
  narrow: { width: 548, height: 330, lines: 2 }, // about 250 by 200
};
/** The page of a window of 1280 by 1024 at 400 % has 320 by 256 pixels. */
const ZOOMED = { width: 320, height: 256 };
const settings = { "workbench.activityBar.location": "default", "workbench.statusBar.visible": true };

journey("narrow-panel", "a small panel shows the prompt", { ...PROJECT, settings }, async (here) => {
  const { vscode, page, shot } = here;
  await vscode.enter();
  await vscode.trust();
  await vscode.command("View: Close Primary Side Bar");
  await vscode.open(".deepagents/agent.md");
  await vscode.showPreview();
  for (const [name, { lines, ...size }] of Object.entries(WINDOWS)) {
    await page.setViewportSize(size);
    await page.waitForTimeout(1_000); // until the editor has its layout
    const shown = await layout(vscode);
    await shot(`1-${name}`);
    assert.ok(shown.sticky <= 32, `${name}: the sticky line has ${shown.sticky} px`);
    assert.deepEqual(shown.wide, [], `${name}: nothing is wider than the panel`);
    assert.deepEqual(shown.repeated, [], `${name}: the title of the tab is not shown again`);
    assert.ok(shown.titles.length > 1 && shown.titles.every(({ apart }) => apart < 4), `${name}: the button is on the line of its title: ${JSON.stringify(shown.titles)}`);
    assert.ok(shown.lines >= lines, `${name}: ${shown.lines} lines of the prompt in ${shown.width} by ${shown.height}`);
  }

  // The sticky line stays, and the last line can be reached.
  await vscode.panel.locator(".line").last().scrollIntoViewIfNeeded();
  const end = await layout(vscode);
  assert.ok(end.top >= -1 && end.top < 1, `the line is at ${end.top}`);
  await shot("2-end");

  // 400 % zoom: the panel alone, as wide as the window.
  await page.setViewportSize({ width: ZOOMED.width * 2 + 48, height: ZOOMED.height + 120 });
  await page.waitForTimeout(1_000);
  await shot("3-zoomed");
  assert.deepEqual((await layout(vscode)).wide, []);
});

/** The measured page: the sticky line, and the lines that are visible below it. */
function layout(vscode) {
  return vscode.panel.locator("html").evaluate((html) => {
    const sticky = html.querySelector("#header").getBoundingClientRect();
    const visible = (item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return top >= sticky.bottom && bottom <= window.innerHeight;
    };
    const middle = (item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return (top + bottom) / 2;
    };
    return {
      width: html.clientWidth,
      height: window.innerHeight,
      top: sticky.top,
      sticky: sticky.height,
      lines: [...html.querySelectorAll(".line")].filter(visible).length,
      repeated: [...html.querySelectorAll("h1, h2, b, span, summary")]
        .filter((item) => /^prompt preview$/i.test(item.textContent.trim()) && item.getBoundingClientRect().width > 1)
        .map((item) => item.outerHTML),
      titles: [...html.querySelectorAll(".origin")]
        .filter((item) => item.querySelector(".fold:not([hidden])"))
        .map((item) => ({ text: item.textContent, apart: Math.abs(middle(item.querySelector("b")) - middle(item.querySelector(".fold"))) })),
      wide: [...html.querySelectorAll("body *")]
        .filter((item) => item.getBoundingClientRect().right > html.clientWidth + 1 && !item.closest(".spoken"))
        .map((item) => item.outerHTML.slice(0, 120)),
    };
  });
}
