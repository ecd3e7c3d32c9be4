import { readFile } from 'node:fs/promises';
import { Component } from '../../src/component.js';

const GENERATED = new URL('../../src/generated/', import.meta.url);
const MEMORY_SECTION = 5;

/**
 * The component with a limit on its memory, in pages of 64 KiB beyond what it begins with: it runs
 * out of memory for real, and soon.
 */
export async function limitedComponent(pages: number): Promise<Component> {
  const main = limitMemory(await readFile(new URL('waybread.core.wasm', GENERATED)), pages);
  const files = [main, ...(await Promise.all(['core2', 'core3'].map(read)))];
  const modules = files.map((bytes) => new WebAssembly.Module(bytes));
  const names = ['core', 'core2', 'core3'].map((name) => `waybread.${name}.wasm`);
  return new Component(new Map(names.map((name, index) => [name, only(modules[index])])));
}

async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(`waybread.${name}.wasm`, GENERATED)));
}

/** Gives the memory of a core module, which has none, a maximum. */
function limitMemory(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const { start, end, content } = section(module, MEMORY_SECTION);
  // One memory, no maximum, and its size at the beginning.
  if (content[0] !== 1 || content[1] !== 0) throw new Error('not the memory that was expected');
  const { value: minimum } = leb128(content, 2);
  const limited = [1, 1, ...encode(minimum), ...encode(minimum + pages)];
  const replaced = [MEMORY_SECTION, ...encode(limited.length), ...limited];
  return Uint8Array.from([...module.subarray(0, start), ...replaced, ...module.subarray(end)]);
}

interface Section {
  readonly start: number;
  readonly end: number;
  readonly content: Uint8Array;
}

function section(module: Uint8Array, wanted: number): Section {
  // After the magic number and the version: an id, a length, the content.
  for (let start = 8; start < module.length;) {
    const { value: length, next } = leb128(module, start + 1);
    const end = next + length;
    if (module[start] === wanted) return { start, end, content: module.subarray(next, end) };
    start = end;
  }
  throw new Error(`the module has no section ${String(wanted)}`);
}

function leb128(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let next = at, shift = 0; ; next += 1, shift += 7) {
    const byte = only(bytes[next]);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: next + 1 };
  }
}

function encode(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encode(Math.floor(value / 0x80))];
}

function only<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the module is cut off');
  return value;
}
