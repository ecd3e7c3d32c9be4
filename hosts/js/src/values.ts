/** What goes into a session and what comes out: the records of `wit/context.wit`. */
export type * from './values/assembly.js';
export type * from './values/budget.js';
export type * from './values/compaction.js';
export type * from './values/delegation.js';
export type * from './values/diagnosis.js';
export type * from './values/fallback.js';
export type * from './values/messages.js';
export type * from './values/report.js';
export type * from './values/requests.js';
export type * from './values/results.js';
export type * from './values/settings.js';
