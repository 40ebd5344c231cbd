import type { ErrorCode, PageError } from '../../query/index.js'

const SERVICE_FAILURES: readonly ErrorCode[] = ['EFATALCLIENT', 'ETIMEOUTCLIENT', 'ERATE', 'EAUTH', 'EBUSY']

/** Tells whoever made the page, once, when it is the service and not a page that fails. */
export function serviceWarning(): (error: PageError) => void {
  let hasWarned = false
  return ({ code, message }) => {
    if (hasWarned || !SERVICE_FAILURES.includes(code)) return
    hasWarned = true
    console.warn(`page-preview: ${message} (${code}); links still work.`)
  }
}
