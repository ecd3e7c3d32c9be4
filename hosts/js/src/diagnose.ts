/** Where two snapshots part. */
import * as toGlue from './arguments.js';
import { loadComponent, type Component } from './component.js';
import { failureOf } from './failures.js';
import { Imports } from './imports.js';
import { MemoryStorage } from './memory-storage.js';
import { MemoryTree } from './memory-tree.js';
import type { Diagnosis, Snapshot } from './values.js';

/**
 * Where two snapshots part (docs/assembly.md, "Snapshots"), of which the earlier one may be missing:
 * {@link Session.snapshot} gives them, and they may have been kept as JSON. Changes neither.
 * `(await load()).diagnose(…)` does the same without waiting.
 *
 * Rejects with a {@link WaybreadError}: `invalid-argument` for what is no snapshot.
 *
 * @example
 * ```ts
 * const before = session.snapshot();
 * // … a turn later
 * const { shared, differsAt } = await diagnose(before, session.snapshot());
 * ```
 */
export async function diagnose(earlier: Snapshot | undefined, later: Snapshot): Promise<Diagnosis> {
  return diagnoseIn(await loadComponent(), earlier, later);
}

/**
 * The same in an instance of its own, of which nothing is kept.
 *
 * @internal
 */
export function diagnoseIn(
  component: Component,
  earlier: Snapshot | undefined,
  later: Snapshot,
): Diagnosis {
  const glueEarlier = earlier === undefined ? undefined : toGlue.snapshot(earlier, 'earlier');
  const glueLater = toGlue.snapshot(later, 'later');
  // An instance has imports, and this reads and writes nothing.
  const imports = new Imports({ storage: new MemoryStorage(), filesystem: new MemoryTree() });
  try {
    return component.instantiate(imports.object).diagnose(glueEarlier, glueLater);
  } catch (error) {
    throw failureOf(error, undefined);
  }
}
