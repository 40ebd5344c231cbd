import type { ApiKeyInfo } from '../keys/index.js'
import { printable } from './printable.js'
import { formatTable } from './format-table.js'

/** A key as `keys list` shows it. */
export type KeyRow = ReturnType<typeof keyRow>

/** @param usage  Uncached requests by day. Default: it is not shown. */
export const keyRow = ({ id, name, createdAt, revokedAt, expiresAt, ...limits }: ApiKeyInfo, usage?: Usage) => ({
  id,
  name,
  created: createdAt.toISOString(),
  revoked: revokedAt?.toISOString() ?? null,
  ...(expiresAt && { expires: expiresAt.toISOString() }),
  ...limits,
  ...(usage && { usage }),
})

type Usage = Record<string, number>

/** @param today  `YYYY-MM-DD`, UTC. */
export function keysTable(rows: readonly KeyRow[], today: string): string {
  const hasLimits = rows.some((row) => limitsOf(row))
  const hasUsage = rows.some(({ usage }) => usage)
  const header = ['id', 'name', 'created', 'revoked']
  const cells = rows.map((row) => [
    row.id,
    printable(row.name),
    row.created,
    row.revoked ?? '-',
    ...(hasLimits ? [limitsOf(row) || '-'] : []),
    ...(hasUsage ? [String(row.usage?.[today] ?? 0), String(sumOf(row.usage))] : []),
  ])
  const head = [...header, ...(hasLimits ? ['limits'] : []), ...(hasUsage ? ['today', '31 days'] : [])]
  return `${formatTable([head, ...cells]).join('\n')}\n`
}

const limitsOf = ({ dailyLimit, concurrency, expires, allowHosts }: KeyRow): string =>
  [
    dailyLimit !== undefined && `${dailyLimit} a day`,
    concurrency !== undefined && `${concurrency} at a time`,
    expires && `until ${expires}`,
    allowHosts && `hosts ${allowHosts.join(',')}`,
  ]
    .filter(Boolean)
    .join('; ')

const sumOf = (usage: Usage = {}) => Object.values(usage).reduce((sum, count) => sum + count, 0)
