// Covers the Grafana dashboard, the Prometheus alert rules, and the tables of metrics and log events: each names what exists.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { errorCodes } from '../../src/query/index.js'
import { createService } from '../../src/server/index.js'
import { serveOptions } from '../../src/server/serve-options.js'
import { readDocs, root } from './read-docs.js'

const FOLDER = join(root, 'stories/docs/hosting')
/** Served if Redis, a bucket or workers are set. */
const OPTIONAL_METRICS = ['page_preview_redis_up', 'page_preview_bucket_up', 'page_preview_worker_requests_total']

interface Metric {
  type: string
  help: string
}
let metrics: ReadonlyMap<string, Metric>
let samples: string

beforeAll(async () => {
  const service = createService()
  await service.ready()
  samples = await (await service.fetch(new Request('http://previews.test/metrics'))).text()
  await service.close()
  const helps = [...samples.matchAll(/^# HELP (\w+) (.+)$/gm)].map(([, name, help]) => [name!, help!] as const)
  const typeOf = (name: string) => new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(samples)![1]!
  metrics = new Map(helps.map(([name, help]) => [name, { type: typeOf(name), help }]))
})
afterAll(() => expect(metrics.size).toBeGreaterThan(20))

/** The metrics of a query, without the suffix of a histogram's parts. */
const metricsIn = (query: string) =>
  [...query.matchAll(/\b(?:page_preview|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
const exists = (name: string) => metrics.has(name) || OPTIONAL_METRICS.includes(name)

function expectValidQuery(query: string) {
  const names = metricsIn(query)
  expect(
    names.filter((name) => !exists(name)),
    query,
  ).toEqual([])
  expect(names.length > 0 || query.startsWith('up{'), query).toBe(true)
  for (const [open, close] of ['()', '{}', '[]'])
    expect(query.split(open!).length, query).toBe(query.split(close!).length)
  const codes = [...query.matchAll(/code=~?"([^"]+)"/g)].flatMap(([, values]) => values!.split('|'))
  expect(codes.filter((code) => !(code in errorCodes))).toEqual([])
}

describe('the dashboard', () => {
  const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { id: number; title: string; gridPos: { x: number; w: number }; targets: { expr: string }[] }[]
    templating: { list: { name: string; query: string }[] }
  }

  it('asks for metrics that exist', () => {
    for (const { targets } of dashboard.panels) for (const { expr } of targets) expectValidQuery(expr)
    for (const { query } of dashboard.templating.list.filter(({ name }) => name === 'job'))
      expect(metricsIn(query).every(exists)).toBe(true)
  })

  it('has panels of different IDs and titles that fit side by side', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })
})

describe('the alert rules', () => {
  const { groups } = parse(readFileSync(join(FOLDER, 'prometheus-alerts.yml'), 'utf8')) as {
    groups: {
      rules: {
        alert: string
        expr: string
        for?: string
        labels: { severity: string }
        annotations: { summary: string; action: string }
      }[]
    }[]
  }
  const rules = groups.flatMap((group) => group.rules)

  it('ask for metrics that exist', () => {
    for (const { expr } of rules) expectValidQuery(expr)
  })

  it('say what happened and what to do, with flags and log events that exist', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    const flags = Object.keys(serveOptions).map((name) =>
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    )
    for (const { alert, labels, annotations, ...rule } of rules) {
      expect(alert).toMatch(/^PagePreview[A-Z]\w+$/)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(rule.for ?? '1m').toMatch(/^\d+[mh]$/)
      expect(annotations.summary).toMatch(/\.$/)
      const named = [...annotations.action.matchAll(/--([a-z-]+[a-z])/g)].map(([, flag]) => flag!)
      expect(named.filter((flag) => !flags.includes(flag))).toEqual([])
      const events = [...annotations.action.matchAll(/\b(?:browser|request|event|page)-[a-z-]+/g)].map(([name]) => name)
      expect(events.filter((event) => !logEvents().includes(event))).toEqual([])
    }
  })
})

const SERVER = join(root, 'src/server')
const sourceTexts = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/^(dist|node_modules)\b/.test(path))
  .map((path) => readFileSync(join(SERVER, path), 'utf8'))

/** Names of all events that the service logs, from its sources. */
function logEvents(): string[] {
  const [, states = ''] = /type DependencyState = (.+)/.exec(sourceTexts.join('\n')) ?? []
  const bucketEvents = [...states.matchAll(/'(\w+)'/g)].map(([, state]) => `bucket-${state}`)
  const named = sourceTexts.flatMap((text) =>
    [...text.matchAll(/(?:\bevent: |\b(?:onEvent|report)(?:\?\.)?\()'([a-z]+(?:-[a-z]+)*)'/g)].map(([, name]) => name!),
  )
  return [...new Set([...named, ...bucketEvents.filter((name) => name !== 'bucket-ok')])].toSorted()
}

describe('the page on monitoring', () => {
  const tables = readDocs().find(({ path }) => path === 'stories/docs/hosting/monitoring.mdx')!.tables
  const tableOf = (firstHead: string) => tables.find(({ head }) => head[0] === firstHead)!.rows

  it('lists every metric with its type and its help', () => {
    const own = [...metrics].filter(([name]) => name.startsWith('page_preview_'))
    const expected = own.map(([name, { type, help }]) => [name, type, help.replace(/\.$/, '')])
    const documented = tableOf('metric').filter(([name]) => !OPTIONAL_METRICS.includes(name!))
    const byName = ([one = '']: readonly string[], [other = '']: readonly string[]) => (one < other ? -1 : 1)
    expect(documented.toSorted(byName)).toEqual(expected.toSorted(byName))
    expect(tableOf('metric').map(([name]) => name)).toEqual(expect.arrayContaining(OPTIONAL_METRICS))
  })

  it('lists every metric that the sources name', () => {
    const named = sourceTexts.flatMap((text) => [...text.matchAll(/'(page_preview_\w+)'/g)].map(([, name]) => name!))
    const documented = tableOf('metric').map(([name]) => name)
    expect(named.filter((name) => !documented.includes(name))).toEqual([])
  })

  it('lists every event of the log', () => {
    expect(
      tableOf('event')
        .map(([name]) => name!)
        .toSorted(),
    ).toEqual(logEvents())
  })
})
