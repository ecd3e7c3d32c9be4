/** A report for a terminal: a line a session, and the totals. */
import type { Counts, Report } from '../replay.js';

const HEADER = [
  'Session',
  'Results',
  'Reads',
  'Re-read stubs',
  'Search stubs',
  'Capped',
  'Chars in',
  'Chars out',
  'Saved',
];

/** The table, without a newline at its end. */
export function table(report: Report): string {
  const sessions = report.sessions.map(({ name, counts }) => row(name, counts));
  const count = report.sessions.length;
  const total = row(`${grouped(count)} ${count === 1 ? 'session' : 'sessions'}`, report.total);
  const widths = HEADER.map((_, column) =>
    Math.max(...[HEADER, ...sessions, total].map((cells) => cells[column]?.length ?? 0)),
  );
  const rule = '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  const [header, totals] = [line(HEADER, widths), line(total, widths)];
  return [header, rule, ...sessions.map((cells) => line(cells, widths)), rule, totals].join('\n');
}

function row(name: string, counts: Counts): string[] {
  const { results, reads, unchanged, same_search, capped, chars_in, chars_out } = counts;
  const numbers = [results, reads, unchanged, same_search, capped, chars_in, chars_out];
  return [name, ...numbers.map(grouped), `${counts.saved_percent} %`];
}

/** Names on the left, numbers on the right. */
function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join('  ');
}

/** `1,234,567`. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
