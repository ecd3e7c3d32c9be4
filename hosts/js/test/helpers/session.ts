import {
  load,
  MemoryStorage,
  MemoryTree,
  WaybreadError,
  type ErrorDetail,
  type Hosts,
  type Session,
  type Settings,
} from '../../src/index.js';

export const ROOT = '/work/app';

/** A session on storage and files in memory, or on what is given. */
export async function open(
  hosts: Partial<Hosts> = {},
  settings: Partial<Settings> = {},
): Promise<Session> {
  const { storage = new MemoryStorage(), filesystem = new MemoryTree() } = hosts;
  const waybread = await load();
  return waybread.open('session', { root: ROOT, ...settings }, { storage, filesystem });
}

let calls = 0;

/** A call that was not answered yet. */
export function call(name = 'bash', given = '{}'): { id: string; name: string; arguments: string } {
  calls += 1;
  return { id: `call-${String(calls)}`, name, arguments: given };
}

/** What the work threw; it must throw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** What a call failed with; it must fail with an error of the contract. */
export function detailOf(work: () => unknown): ErrorDetail {
  const error = thrownBy(work);
  if (!(error instanceof WaybreadError)) throw error;
  return error.detail;
}
