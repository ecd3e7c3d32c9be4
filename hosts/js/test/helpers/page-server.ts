import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const CASES = fileURLToPath(new URL('../../../../conformance/cases', import.meta.url));

const PAGE = `<!doctype html>
<meta charset="utf-8" />
<title>waybread</title>
<script type="importmap">
  {
    "imports": {
      "waybread": "/package/dist/index.js",
      "waybread/replay": "/package/dist/replay.js",
      "#platform": "/package/dist/platform/web.js",
      "@noble/hashes/": "/package/node_modules/@noble/hashes/"
    }
  }
</script>`;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** A page that can load the package as it is built, and the conformance runner and its cases. */
export async function servePage(): Promise<{ url: string; server: Server }> {
  const runner = await bundleRunner();
  const server = createServer((request, response) => {
    void answer(response, new URL(request.url ?? '', 'http://localhost').pathname, runner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/`, server };
}

/** The runner with its JSON parser, which is not written for browsers; the package stays outside. */
async function bundleRunner(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PACKAGE, 'test', 'conformance', 'run.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    mainFields: ['module', 'main'],
    external: ['waybread'],
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}

async function answer(response: ServerResponse, pathname: string, runner: string): Promise<void> {
  try {
    const content = await contentAt(pathname, runner);
    const type = TYPES[path.extname(pathname)] ?? 'text/html';
    response.writeHead(200, { 'content-type': type }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}

async function contentAt(pathname: string, runner: string): Promise<string | Buffer> {
  if (pathname === '/') return PAGE;
  if (pathname === '/runner.js') return runner;
  const [, folder, ...names] = pathname.split('/');
  return readFile(path.join(folder === 'cases' ? CASES : PACKAGE, ...names));
}
