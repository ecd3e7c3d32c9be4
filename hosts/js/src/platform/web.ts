/** What every browser brings. Its own SHA-256 is asynchronous only, so a library makes ours. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Compiles a core module that is served beside the code. */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(
      `${url.href} answered ${String(response.status)}: serve the package's .wasm files`,
    );
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** SHA-256 as 64 lowercase hex digits. */
export function sha256(bytes: Uint8Array): string {
  return bytesToHex(digest(bytes));
}
