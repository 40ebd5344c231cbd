import { randomUUID } from 'node:crypto'

/** Visible ASCII, so that it is safe in a header and a line of the log. */
const VALID_ID = /^[\x21-\x7e]{1,128}$/

/** The request ID that a reverse proxy has set, or a new one where that is missing or invalid. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && VALID_ID.test(header) ? header : randomUUID()
