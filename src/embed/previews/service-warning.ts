import type { PageError } from '../../query/index.js'

const NO_FAULT_OF_A_PAGE = /^E(INVAL|HEADERS|AUTH|RATE|FATAL|BUSY|TIMEOUTCLIENT)/

/** Tells whoever made the page, once for each code, when it is the service or a query and not a page that fails. */
export function serviceWarning(): (error: PageError) => void {
  const warned = new Set<string>()
  return ({ code, message }) => {
    if (warned.has(code) || !NO_FAULT_OF_A_PAGE.test(code)) return
    warned.add(code)
    console.warn(`page-preview: ${message} (${code}); links still work.`)
  }
}
