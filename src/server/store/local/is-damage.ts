/** Error codes of lmdb: `PAGE_NOTFOUND`, `CORRUPTED`, `PANIC`, `INVALID`, and `BAD_TXN` after one of them. */
const DAMAGE_CODES: readonly unknown[] = [-30_797, -30_796, -30_795, -30_793, -30_782]

/** Whether an error of lmdb means that the file of the database is damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && DAMAGE_CODES.includes(error.code)
