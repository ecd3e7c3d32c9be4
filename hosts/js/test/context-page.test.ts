/** The page of a context report in a real browser, light and dark. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { contextPage } from '../src/context.js';
import type { ContextReport } from '../src/index.js';
import { findChromium, startChromium } from './helpers/chromium.js';
import { temporaryFolder } from './helpers/folder.js';
import { reported, SESSION, TOOL } from './helpers/reported.js';

const executable = findChromium();
// Where everything has to be tested, a browser that is missing is a failure.
const skipped = executable === undefined && process.env.CI === undefined;
if (skipped) console.warn('the page test is skipped: no Chromium in $CHROMIUM or /usr/bin');

/** A number as the page writes it. */
function grouped(number: number): string {
  return number.toLocaleString('en');
}

/** A colour as the browser computes it: `rgb(1, 2, 3)`. */
function luminance(colour: string): number {
  const channels = (colour.match(/\d+/g) ?? []).slice(0, 3).map((digits) => {
    const part = Number(digits) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.skipIf(skipped)('the page in Chromium', () => {
  let browser: Browser;
  let report: ContextReport;

  beforeAll(async () => {
    if (executable === undefined) {
      throw new Error('no Chromium: set CHROMIUM to its path, or install it in /usr/bin');
    }
    browser = await startChromium(executable);
    report = await reported();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
  });

  /** The page from a file; what it asks for and complains of is kept. */
  async function show(colorScheme: 'light' | 'dark', width = 1000) {
    const file = path.join(temporaryFolder(), 'window.html');
    writeFileSync(file, await contextPage(SESSION, report));
    const url = pathToFileURL(file).href;
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    onTestFinished(() => page.close());
    const [asked, complaints]: string[][] = [[], []];
    page.on('request', (request) => asked?.push(request.url()));
    page.on('console', (message) => complaints?.push(message.text()));
    page.on('pageerror', (error) => complaints?.push(error.message));
    page.on('dialog', (dialog) => complaints?.push(dialog.message()));
    await page.goto(url);
    expect({ asked, complaints }).toEqual({ asked: [url], complaints: [] });
    return page;
  }

  /** The texts of a table's rows, cell by cell. */
  async function rows(page: Page, heading: string): Promise<string[][]> {
    const table = page.getByRole('region', { name: heading }).getByRole('table');
    return table.locator('tbody tr').evaluateAll((found) => {
      return found.map((row) => [...row.children].map((cell) => cell.textContent));
    });
  }

  it('shows every number in its tables', async () => {
    const page = await show('light');
    expect(await page.title()).toContain(SESSION);
    const parts = await rows(page, 'By part');
    expect(parts.map(([, count, bytes, , tokens]) => [count, bytes, tokens])).toEqual(
      report.parts.map(({ count, bytes, tokens }) => [count, bytes, tokens].map(grouped)),
    );
    for (const { name } of report.parts) {
      expect(parts.some(([label = '']) => label.endsWith(name))).toBe(true);
    }
    expect(parts.map(([label]) => label)).toContain(`Results: ${TOOL}`);
    expect(await page.locator('tfoot').first().textContent()).toContain(grouped(report.bytes));
    expect(await rows(page, 'The largest results')).toEqual(
      report.biggest.map(({ id, tool, bytes, tokens }) => [
        id,
        tool,
        grouped(bytes),
        grouped(tokens),
      ]),
    );
    expect(await page.locator('script').count()).toBe(0);
  });

  it('draws the chart to scale', async () => {
    const page = await show('light');
    const kinds = new Map<string, number>();
    for (const { kind, bytes } of report.parts) kinds.set(kind, (kinds.get(kind) ?? 0) + bytes);
    const widths = await page.locator('dd .bar').evaluateAll((bars) => {
      return bars.map((bar) => bar.getBoundingClientRect().width);
    });
    expect(widths).toHaveLength(kinds.size);
    const [most, widest] = [Math.max(...kinds.values()), Math.max(...widths)];
    expect(widest).toBeGreaterThan(100);
    // A bar that would not be seen has two pixels; shares are rounded to a tenth of a percent.
    [...kinds.values()].forEach((bytes, index) => {
      const right = Math.max(2, (bytes / most) * widest);
      expect(Math.abs((widths[index] ?? 0) - right)).toBeLessThan(2);
    });
    const numbers = await page.locator('dd .number').allTextContents();
    const shares = [...kinds.values()].map((bytes) => (bytes / report.bytes) * 100);
    numbers.forEach((number, index) => {
      expect(Math.abs(parseFloat(number) - (shares[index] ?? 0))).toBeLessThan(0.1);
    });
    const { tokens } = report.pressure.estimate;
    const filled = await page.locator('.gauge .filled').evaluate((bar) => {
      const { width } = bar.getBoundingClientRect();
      return width / (bar.parentElement?.getBoundingClientRect().width ?? 0);
    });
    expect(Math.abs(filled - tokens / report.pressure.window)).toBeLessThan(0.01);
  });

  it.each(['light', 'dark'] as const)('can be read in %s', async (scheme) => {
    const page = await show(scheme);
    const colours = await page.evaluate(() => {
      const of = (selector: string, property: 'color' | 'backgroundColor') =>
        [...document.querySelectorAll(selector)].map((found) => getComputedStyle(found)[property]);
      const texts = of('h1, p, dt, .number, th, td', 'color');
      return {
        paper: of('body', 'backgroundColor')[0] ?? '',
        texts,
        bars: of('.bar', 'backgroundColor'),
      };
    });
    expect(luminance(colours.paper) > 0.5).toBe(scheme === 'light');
    for (const text of colours.texts) expect(contrast(text, colours.paper)).toBeGreaterThan(4.5);
    for (const bar of colours.bars) expect(contrast(bar, colours.paper)).toBeGreaterThan(3);
    // Whose bytes they are is told apart.
    expect(new Set(colours.bars).size).toBeGreaterThan(3);
  });

  it('fits a narrow screen', async () => {
    const page = await show('dark', 360);
    const [needed, there] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(needed).toBe(there);
  });
});
