/** The package in a real browser: the same transcripts as in Node, byte for byte. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, startChromium } from './helpers/chromium.js';
import { servePage } from './helpers/page-server.js';

const CASES = fileURLToPath(new URL('../../../conformance/cases/', import.meta.url));
const RUNNER = fileURLToPath(new URL('conformance.mjs', import.meta.url));

const executable = findChromium();
// Where everything has to be tested, a browser that is missing is a failure.
const skipped = executable === undefined && process.env.CI === undefined;
if (skipped) console.warn('the browser test is skipped: no Chromium in $CHROMIUM or /usr/bin');

describe.skipIf(skipped)('in Chromium', () => {
  let server: Server | undefined;
  let browser: Browser | undefined;
  let page: Page;

  beforeAll(async () => {
    if (executable === undefined) {
      throw new Error('no Chromium: set CHROMIUM to its path, or install it in /usr/bin');
    }
    const served = await servePage();
    server = served.server;
    browser = await startChromium(executable);
    page = await browser.newPage();
    await page.goto(served.url);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  // The page's code is text: what vitest makes of an `import` is not for browsers.

  it('a session opens, reads and stubs', async () => {
    const texts = await page.evaluate<string[]>(`(async () => {
      const { MemoryStorage, MemoryTree, Session } = await import('waybread');
      const filesystem = new MemoryTree({ '/app/a.ts': 'x\\n' });
      const hosts = { storage: new MemoryStorage(), filesystem };
      const session = await Session.open('s', { root: '/app' }, hosts);
      return ['1', '2'].map((id) => {
        const call = { id, name: 'read', arguments: '{}' };
        return session.insertResult(call, { read: { path: 'a.ts' } }).text;
      });
    })()`);
    expect(texts).toEqual([
      '[#0001 a.ts lines 1-1 of 1 sha 73cb3858]\n1: x',
      '[#0002 a.ts lines 1-1 of 1 sha 73cb3858] Unchanged since #0001, which already shows lines 1-1.',
    ]);
  });

  it('a conversation becomes requests, whose bodies have their hashes', async () => {
    const [body, sha256, digest] = await page.evaluate<string[]>(`(async () => {
      const { MemoryStorage, MemoryTree, Session } = await import('waybread');
      const hosts = { storage: new MemoryStorage(), filesystem: new MemoryTree() };
      const settings = { root: '/app', dialect: 'openai-chat', recall: false };
      const session = await Session.open('s', settings, hosts);
      session.addMessage({ user: { text: 'ä 😀' } });
      session.buildRequest({ model: 'm' });
      session.addMessage({ reply: { json: { content: '€' } } });
      session.addMessage({ user: { text: 'x' } });
      const { body, sha256 } = session.buildRequest({ model: 'm' });
      const bytes = await new Response(body).arrayBuffer();
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return [body, sha256, hex];
    })()`);
    expect(body).toContain('"content":"ä 😀"');
    expect(digest).toBe(sha256);
  });

  it('a recording is replayed', async () => {
    const files = await page.evaluate<number>(`(async () => {
      const { replay } = await import('waybread/replay');
      return (await replay([{ name: 'x', content: 'no recording' }])).report.failed_files.length;
    })()`);
    expect(files).toBe(1);
  });

  it.each(readdirSync(CASES).sort())('%s gives the transcript that Node gives', async (file) => {
    const transcript = await page.evaluate<string>(`(async () => {
      const { transcript } = await import('/runner.js');
      const response = await fetch('/cases/${file}');
      return transcript(await response.text());
    })()`);
    const node = execFileSync(process.execPath, [RUNNER, `${CASES}${file}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    expect(node).not.toBe('');
    expect(transcript === node).toBe(true);
  });
});
