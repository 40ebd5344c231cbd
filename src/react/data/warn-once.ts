const warned = new Set<string>()

/**
 * Warns a developer in the console, once for each cause.
 *
 * @param cause      What happened and what to do, as sentences.
 * @param component  As it is written in code, where it is known: `PagePreview`, `usePagePreview`.
 */
export function warnOnce(cause: string, component?: string): void {
  if (warned.has(cause)) return
  warned.add(cause)
  const subject = component?.startsWith('use') ? `${component}()` : component && `<${component}>`
  console.warn(['page-preview', subject, cause].filter(Boolean).join(': '))
}
