/** The component loaded ahead, for programs that open sessions where they can't wait. */
import { loadComponent } from './component.js';
import { diagnoseIn } from './diagnose.js';
import type { Hosts } from './ports.js';
import { Session } from './session.js';
import type { Diagnosis, Settings, Snapshot } from './values.js';

/** The loaded component. */
export interface Waybread {
  /** As {@link Session.open}, at once. */
  open(key: string, settings: Settings, hosts: Hosts): Session;
  /** As {@link diagnose}, at once. */
  diagnose(earlier: Snapshot | undefined, later: Snapshot): Diagnosis;
}

/**
 * Compiles the component, once in a process. {@link Session.open} does it by itself.
 *
 * @example
 * ```ts
 * const waybread = await load();
 * const session = waybread.open('session-1', { root: '/app' }, hosts);
 * ```
 */
export async function load(): Promise<Waybread> {
  const component = await loadComponent();
  return {
    open: (key, settings, hosts) => Session.begin(component, key, settings, hosts),
    diagnose: (earlier, later) => diagnoseIn(component, earlier, later),
  };
}
