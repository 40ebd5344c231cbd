// Covers the network guard: private addresses in every spelling, and names that resolve to them now and then.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSite, type LocalSite, type Route } from '../local-site.js'
import { formsOfV4, OTHER_FORMS, URL_FORMS } from './address-forms.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { startNameServer, type NameServer } from './name-server.js'
import { isIsolated, PUBLIC_ADDRESS, startVictims, type Victims } from './victims.js'

const ADDRESSES = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '0.0.0.0', '192.168.0.1', '100.64.0.1']
const FORMS = [...ADDRESSES.flatMap(formsOfV4), ...OTHER_FORMS]

/** What a name resolves to beside the public address of the attacker. */
const HIDDEN = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '0.0.0.0', '::1', '::', 'fd00::1', '::ffff:127.0.0.1']
const REBINDINGS: Record<string, (hidden: string, lookup: number) => string[]> = {
  once: (hidden) => [hidden],
  second: (hidden, lookup) => [lookup === 0 ? PUBLIC_ADDRESS : hidden],
  mixed: (hidden) => [PUBLIC_ADDRESS, hidden],
  alternating: (hidden, lookup) => [lookup % 2 === 0 ? PUBLIC_ADDRESS : hidden],
}
const NAMES = Object.keys(REBINDINGS).flatMap((kind) => HIDDEN.map((hidden, index) => ({ kind, hidden, index })))

const isolated = await isIsolated()
let service: AttackedService
let victims: Victims
let names: NameServer
let attacker: LocalSite
/** Names whose page a browser has, so that they resolve to a private address from then on. */
const rebound = new Set<string | undefined>()

beforeAll(async () => {
  victims = await startVictims()
  names = await startNameServer(addressesOf)
  service = await startAttackedService({}, [], names.environment)
  // At the port of the victims, because a name that resolves to another address keeps its port.
  if (isolated) attacker = await localSite({ '/': sendRebindingPage }, victims.port, PUBLIC_ADDRESS)
})
afterAll(async () => {
  await service.stop()
  await Promise.all([victims.close(), names.close(), attacker?.close()])
})

function addressesOf(name: string, lookup: number): readonly string[] {
  if (name === 'public.test') return [PUBLIC_ADDRESS]
  const [, opened] = /^opened-(\d+)\.rebinding\.test$/.exec(name) ?? []
  if (opened) return [isolated && !rebound.has(name) ? PUBLIC_ADDRESS : HIDDEN[Number(opened)]!]
  const [, kind = '', index = ''] = /^([a-z]+)-(\d+)\.rebinding\.test$/.exec(name) ?? []
  const hidden = HIDDEN[Number(index)]
  if (!hidden || !REBINDINGS[kind]) return []
  // Without its own public address, an attacker's name can only be private at once.
  return isolated ? REBINDINGS[kind](hidden, lookup) : [hidden]
}

/** Requests its own origin over and over, each time on a new connection. */
const rebindingPage = `<title>An attacker</title><script>
  for (let n = 0; n < 4; n++) fetch('/fetched?' + n, { cache: 'no-store' })
  for (let n = 0; n < 4; n++) document.write('<img src="/image?' + n + '"><iframe src="/frame?' + n + '"></iframe>')
  new WebSocket(location.href.replace('http', 'ws'))
</script>`

const sendRebindingPage: Route = ({ headers }, response) => {
  if (headers['sec-fetch-mode'] === 'navigate' || headers['upgrade-insecure-requests'])
    rebound.add(headers.host?.replace(/:\d+$/, ''))
  response.writeHead(200, { 'content-type': 'text/html' }).end(rebindingPage)
}

async function expectRefused(parameters: Record<string, string>, path = ''): Promise<void> {
  const response = await fetch(`${service.url}${path}?${new URLSearchParams(parameters)}`)
  const body: unknown = await response.json()
  expect(body).toMatchObject({ status: 'fail', code: expect.stringMatching(/^(EFORBIDDENURL|EINVALURL|EINVALQUERY)$/) })
  expect(victims.arrivals).toEqual([])
}

describe('guard: addresses', () => {
  it.runIf(isolated)('fetches a public address, so that the others are refused for what they are', async () => {
    const body: unknown = await (await service.get({ url: `http://public.test:${victims.port}/` })).json()
    expect(body).toMatchObject({ status: 'success', data: { title: 'An attacker' } })
  })

  it.each(FORMS)('refuses an address %s: %s', async (_, host) => {
    const url = `http://${host}:${victims.port}/`
    await expectRefused({ url })
    await expectRefused({ url }, 'oembed')
  })

  it.each(URL_FORMS)('refuses a URL with %s', async (_, urlOf) => {
    for (const address of ['127.0.0.1', '[::1]']) await expectRefused({ url: urlOf(`${address}:${victims.port}`) })
  })

  it.each([0, 1, 22, 25, 53, 111, 445, 1023, 2375, 3306, 5432, 6379, 9200, 9222, 10_250, 11_211, 27_017])(
    'refuses port %i of a public address',
    (port) => expectRefused({ url: `http://${PUBLIC_ADDRESS}:${port}/` }),
  )
})

describe('guard: rebinding', () => {
  it.each(NAMES)(
    `does not fetch from $hidden by a name that resolves to it: $kind${isolated ? '' : ' (private at once on loopback)'}`,
    async ({ kind, index }) => {
      const url = `http://${kind}-${index}.rebinding.test:${victims.port}/`
      for (let attempt = 0; attempt < 3; attempt++) await (await service.get({ url, force: 'true' })).text()
      expect(victims.arrivals).toEqual([])
    },
  )

  it.each(HIDDEN.map((hidden, index) => ({ hidden, index })))(
    'does not let a page that rebinds its name reach $hidden from inside the browser',
    async ({ index }) => {
      const hostname = `opened-${index}.rebinding.test`
      const query = { screenshot: 'true', meta: 'false', waitForTimeout: '300' }
      const capture = async (path: string): Promise<unknown> =>
        (await service.get({ url: `http://${hostname}:${victims.port}${path}`, ...query })).json()
      // A page that is not opened has attacked nothing, and a busy machine may answer that there is no time for it.
      let body = await capture('/')
      if (isolated) for (let n = 1; n <= 2 && !rebound.has(hostname); n++) body = await capture(`/?${n}`)
      if (isolated) expect(rebound, JSON.stringify(body)).toContain(hostname)
      // The browser has looked the name up for the page, and again for what the page requested.
      const lookups = names.lookups.filter((name) => name === hostname)
      if (isolated) expect(lookups.length).toBeGreaterThan(3)
      expect(victims.arrivals).toEqual([])
    },
    120_000,
  )
})
