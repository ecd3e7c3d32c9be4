/** What the commands share: wrong usage, standard streams and exit codes. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command was called in a way that it does not know. */
export class UsageError extends Error {}

/** The arguments of the process, files among them. */
export function argumentsGiven<const T extends NonNullable<ParseArgsConfig['options']>>(
  options: T,
): ReturnType<typeof parseArgs<{ allowPositionals: true; options: T }>> {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A command. */
export interface Command {
  readonly name: string;
  /** What `--help` prints; it begins with how the command is called, and a blank line. */
  readonly usage: string;
  /** The exit code where it fails; wrong usage is 2. */
  readonly failed: number;
  /** Does the work, and answers the exit code. */
  readonly main: () => Promise<number>;
}

/** Runs a command to its exit code, and says what went wrong. */
export async function run({ name, usage, failed, main }: Command): Promise<void> {
  // `print` hears of it; and where standard error is closed, nothing can be said.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    process.exitCode = await main();
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${name}: ${problem}\n`);
    if (error instanceof UsageError) process.stderr.write(hint(usage));
    process.exitCode = error instanceof UsageError ? 2 : failed;
  }
}

/** How the command is called, after what was wrong; the whole help would push that out of sight. */
function hint(usage: string): string {
  const [called = ''] = usage.split('\n\n', 1);
  return `\n${called}\n\nFor more information, try '--help'.\n`;
}
