import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Chromium is: `$CHROMIUM`, else where Debian has it; undefined where there is none. */
export function findChromium(): string | undefined {
  const file = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return existsSync(file) ? file : undefined;
}

/** A browser that talks to nothing but this machine, in a profile of its own. */
export async function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
