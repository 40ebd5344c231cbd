import { formatTable, printable } from '../../server/commands/index.js'
import prettyBytes from 'pretty-bytes'
import type { FailedLink, FreezeResult } from '../freeze/index.js'

const MAX_LISTED = 50

/** A table of what a run has done. */
export function freezeSummary({ pages, changedPages, previews, bytesAdded }: FreezeResult): string {
  const { new: added, cached, refreshed, failed } = previews
  const cells = { new: added, 'from cache': cached, refreshed, failed, pages, 'pages changed': changedPages }
  const rows = [
    [...Object.keys(cells), 'bytes added'],
    [...Object.values(cells).map(String), prettyBytes(bytesAdded, { signed: bytesAdded < 0 })],
  ]
  return `${formatTable(rows).join('\n')}\n`
}

/** Warnings for its user: failed links with their reason, pages that were left unchanged, and advice. */
export function freezeWarnings(result: FreezeResult, { dir }: { dir: string }): string {
  const { failures, skipped, warnings, serviceFailure, previews, pages } = result
  const lines: string[] = []
  if (serviceFailure) {
    lines.push(
      `page-preview-server: The service cannot be used: ${printable(serviceFailure.message)} (${serviceFailure.code})`,
    )
    lines.push('Cards of earlier runs stay; run it again when the service is available.')
  }
  // Failures of the service are reported once, not for each link.
  const ofLinks = failures.filter(({ code }) => code !== serviceFailure?.code)
  lines.push(...limited(ofLinks, describeLink))
  lines.push(
    ...limited(
      skipped,
      ({ page, line, reason }) =>
        `left as it is: ${printable(page)}${line ? ` line ${line}` : ''}: ${printable(reason)}`,
    ),
  )
  lines.push(
    ...limited(warnings, ({ page, line, message }) => `${printable(page)} line ${line}: ${printable(message)}`),
  )
  const total = previews.new + previews.cached + previews.refreshed + previews.failed
  if (total === 0 && pages === 0)
    lines.push(
      `No page below ${dir} has a preview. Add <page-preview url="…"> or <a data-page-preview> to one, or select links with --auto 'p > a:only-child'.`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

function describeLink({ url, code, message, hasPreview, pages }: FailedLink): string {
  const card = hasPreview ? 'its last good card stays' : 'its card has no image'
  const more = pages.length > 1 ? ` and ${pages.length - 1} more` : ''
  return `failed: ${printable(url)}: ${printable(message)} (${code}); ${card} in ${printable(pages[0] ?? '')}${more}`
}

function limited<Item>(items: readonly Item[], describe: (item: Item) => string): string[] {
  const listed = items.slice(0, MAX_LISTED).map(describe)
  return items.length > MAX_LISTED ? [...listed, `and ${items.length - MAX_LISTED} more; --json lists all`] : listed
}
