const BODIES = { previous: 'the earlier body: ', next: 'the later body: ' } as const;

/** Something that can't be compared. */
export class AuditError extends Error {
  override readonly name = 'AuditError';
  /** The body at fault; none where it is a list. */
  readonly body: 'previous' | 'next' | undefined;
  /** What was wrong and what would be right. */
  readonly problem: string;

  constructor(body: 'previous' | 'next' | undefined, problem: string, options?: ErrorOptions) {
    super(`${body === undefined ? '' : BODIES[body]}${problem}`, options);
    this.body = body;
    this.problem = problem;
  }
}
