import { formatTable, printable } from '../../server/commands/index.js'
import { LINK_STATUSES, type LinkReport } from '../check/index.js'

const MAX_URL_CHARS = 120

/** One link on a line. */
export const linkLine = (report: LinkReport): string =>
  report.status === 'ok' ? `ok ${report.url}` : `${report.status} ${report.url}: ${detailsOf(report)}`

/** The links that need attention, most urgent first; empty where there are none. */
export function linksTable(reports: readonly LinkReport[]): string {
  const rows = LINK_STATUSES.filter((status) => status !== 'ok').flatMap((status) =>
    reports
      .filter((report) => report.status === status)
      .map((report) => [status, printable(report.url, MAX_URL_CHARS), printable(detailsOf(report)), pagesOf(report)]),
  )
  if (rows.length === 0) return ''
  return `${formatTable([['status', 'link', 'what was found', 'pages'], ...rows]).join('\n')}\n`
}

/** How many links there are of each status. */
export function linksSummary(reports: readonly LinkReport[]): string {
  const counts = LINK_STATUSES.map((status) => ({
    status,
    count: reports.filter((report) => report.status === status).length,
  })).filter(({ count }) => count > 0)
  const links = reports.length === 1 ? '1 link' : `${reports.length} links`
  return `${links}${counts.length > 0 ? ': ' : ' with previews'}${counts.map(({ status, count }) => `${count} ${status}`).join(', ')}.\n`
}

function detailsOf({ status, reason, since, checks, newUrl, title, imageDifference }: LinkReport): string {
  return [
    reason,
    since &&
      `${status === 'gone' ? 'Gone' : 'Failing'} since ${since.slice(0, 10)}, ${checks} ${checks === 1 ? 'check' : 'checks'}.`,
    newUrl && `It has moved to ${newUrl}.`,
    title && `Its title is now "${title.now}", and was "${title.before}".`,
    imageDifference !== undefined && `Its image differs by ${Math.round(imageDifference * 100)} %.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function pagesOf({ pages: [first = '', ...others] }: LinkReport): string {
  return printable(first) + (others.length > 0 ? ` and ${others.length} more` : '')
}
