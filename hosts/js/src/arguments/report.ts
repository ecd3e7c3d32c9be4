/** A context report, which a session told, and which may have been kept as JSON meanwhile. */
import type { ContextReport } from '../values.js';
import { list, someObject } from './check.js';

/** A report in its shape. Of what the numbers and words in it are, the component makes sure. */
export function contextReport(given: ContextReport): ContextReport {
  someObject(given, 'report');
  someObject(given.pressure, 'report.pressure');
  someObject(given.pressure.estimate, 'report.pressure.estimate');
  list(given.parts, 'report.parts', someObject);
  list(given.biggest, 'report.biggest', someObject);
  return given;
}
