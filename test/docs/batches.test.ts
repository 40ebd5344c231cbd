// Covers the page on batches: its limits are those of the source, and its code verifies what the service signs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { sendReport } from '../../src/server/batches/webhook.js'
import { createDispatcher, createGuard } from '../../src/server/network/index.js'
import { localSite } from '../local-site.js'
import { readDocs, root } from './read-docs.js'

const page = readDocs().find(({ path }) => path === 'stories/docs/batches.mdx')!
const sourceOf = (name: string) => readFileSync(join(root, 'src/server', name), 'utf8')
const numberOf = (file: string, name: string) =>
  Number(new RegExp(`const ${name} = ([\\d_]+)`).exec(sourceOf(file))![1]!.replaceAll('_', ''))

it('states the limits that apply', () => {
  const limits = {
    'up to % pages': numberOf('url-list.ts', 'MAX_URLS'),
    'at most % MB': numberOf('batches/job-request.ts', 'MAX_BODY_BYTES') / 1_000_000,
    'may have % jobs': numberOf('batches/batches.ts', 'MAX_JOBS_PER_KEY'),
    'with % pages in all': numberOf('batches/batches.ts', 'MAX_PAGES_PER_KEY'),
    'within % seconds': numberOf('batches/batches.ts', 'SITEMAP_TIMEOUT_MS') / 1_000,
    'at most % characters': numberOf('batches/batches.ts', 'MAX_RESULT_CHARS'),
  }
  for (const [phrase, limit] of Object.entries(limits))
    expect(page.text).toContain(phrase.replace('%', limit.toLocaleString('en-US')))
})

it('lists the fields of a job and of its progress', () => {
  const fieldsOf = (table: (typeof page.tables)[number] | undefined) => table!.rows.map(([name]) => name)
  const [request, progress] = page.tables
  expect(sourceOf('batches/job-request.ts')).toContain(
    `const FIELDS = [${fieldsOf(request)
      .map((name) => `'${name}'`)
      .join(', ')}]`,
  )
  const declaration = /interface JobProgress \{([^}]*)\}/.exec(sourceOf('batches/batches.ts'))![1]!
  expect(fieldsOf(progress)).toEqual([...declaration.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name))
})

it('has code that accepts a report of the service, and no other', async () => {
  const { code } = page.blocks.find(({ language }) => language === 'ts')!
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.ESNext } })
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as {
    isGenuine: (headers: Headers, body: string, secret: string) => boolean
  }
  const site = await localSite({
    '/hook': (request, response) => {
      headers = new Headers(request.headers as Record<string, string>)
      response.end()
    },
  })
  let headers = new Headers()
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard)
  const secret = Buffer.alloc(32, 'secret')
  const body = '{"type":"job.finished"}'
  const outcome = await sendReport(
    { url: `${site.url}/hook`, secret },
    { id: 'a', body, attempts: 1 },
    { guard, dispatcher, clock: Date.now, signal: new AbortController().signal },
  )
  await dispatcher.destroy()
  await site.close()
  expect(outcome).toEqual({ status: 'delivered' })
  const written = `whsec_${secret.toString('base64')}`
  expect(isGenuine(headers, body, written)).toBe(true)
  expect(isGenuine(headers, `${body} `, written)).toBe(false)
  expect(isGenuine(headers, body, `whsec_${Buffer.alloc(32, 'other').toString('base64')}`)).toBe(false)
  headers.set('webhook-timestamp', '1')
  expect(isGenuine(headers, body, written)).toBe(false)
})
