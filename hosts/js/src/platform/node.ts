/** What Node brings: files, and SHA-256 in native code. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Compiles a core module that lies beside the code. */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(url));
}

/** SHA-256 as 64 lowercase hex digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
