const warned = new Set<string>()

/**
 * Warns a developer in the console, once for each cause.
 *
 * @param component  As it is written in code: `PagePreview`, `usePagePreview`.
 * @param cause      What happened and what to do, as sentences.
 */
export function warnOnce(component: string, cause: string): void {
  if (warned.has(cause)) return
  warned.add(cause)
  const subject = component.startsWith('use') ? `${component}()` : `<${component}>`
  console.warn(`page-preview: ${subject}: ${cause}`)
}
