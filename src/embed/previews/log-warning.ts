import type { WarningCause } from './warnings.js'

/** Loads the texts with the first warning, because most pages have none. */
export function logWarning(cause: WarningCause): void {
  import('./warnings.js').then(
    ({ warn }) => warn(cause),
    () => undefined,
  )
}
