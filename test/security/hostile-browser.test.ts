// Covers pages that fill the processes which all pages of a browser share, or flood them with work, beside the capture of another
// client, against the built service.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localSite, type LocalSite } from '../local-site.js'
import { startAttackedService, type AttackedService } from './attacked-service.js'
import { watchBrowserProcesses } from './child-processes.js'
import { expectContained } from './expect-contained.js'

const MAX_BROWSER_BYTES = 2_500_000_000
/** Of this machine too, so that it is another client. */
const INNOCENT_ADDRESS = '127.0.0.2'

const page = (script: string) => `<title>Attack</title><body>Attack<script>${script}</script>`
const repeat = (action: string) => page(`let n = 0; setInterval(() => { ${action} }, 0)`)
const WORKER = `const script = URL.createObjectURL(new Blob(['1']));`

const MEMORY = {
  '/blobs': page(`const blobs = []
    const fill = () => blobs.push(new Blob([new Uint8Array(50_000_000).fill(blobs.length)])) < 200 && setTimeout(fill, 10)
    fill()`),
  '/stored-files': page(`navigator.storage.getDirectory().then(async (folder) => {
      for (let n = 0; n < 200; n++) {
        const file = await (await folder.getFileHandle('file' + n, { create: true })).createWritable()
        await file.write(new Uint8Array(30_000_000).fill(n))
        await file.close()
      }
    })`),
  '/textures': page(`const gl = document.createElement('canvas').getContext('webgl2')
    const fill = (count) => {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4096, 4096, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4096 * 4096 * 4).fill(count))
      gl.flush()
      if (count < 130) setTimeout(fill, 5, count + 1)
    }
    if (gl) fill(1)`),
  '/history': page(`const state = 'x'.repeat(8_000_000)
    const fill = (count) => {
      history.pushState({ state: state + count }, '', '#' + count)
      if (count < 200) setTimeout(fill, 20, count + 1)
    }
    fill(0)`),
}

const FLOODS = {
  '/worker-loop': page(`${WORKER} setTimeout(() => { for (;;) new Worker(script).terminate() }, 300)`),
  '/workers': page(`${WORKER} setInterval(() => { for (let n = 0; n < 50; n++) new Worker(script).terminate() }, 0)`),
  '/shared-workers': repeat(
    `for (let i = 0; i < 20; i++) new SharedWorker(URL.createObjectURL(new Blob(['1//' + n++])))`,
  ),
  '/service-workers': repeat(
    `for (let i = 0; i < 5; i++) navigator.serviceWorker.register('/script.js?' + n, { scope: '/scope' + n++ }).catch(() => {})`,
  ),
}

let service: AttackedService
let innocentSite: LocalSite
beforeAll(async () => {
  innocentSite = await localSite({ '/': '<title>Innocent</title><h1>Hello</h1><p>Captured while others attack.' })
  service = await startAttackedService(
    {
      ...MEMORY,
      ...FLOODS,
      '/script.js': (_, response) => response.setHeader('content-type', 'text/javascript').end('1'),
    },
    [`--allow-target=${innocentSite.host}`],
  )
})
afterAll(async () => {
  await service.stop()
  await innocentSite.close()
})

/** Of another client than the attacker's. */
async function captureInnocent(path: string) {
  const query = new URLSearchParams({ url: `${innocentSite.url}/?${path}`, screenshot: 'true', meta: 'false' })
  const startedAt = performance.now()
  const request = get(`${service.url}?${query}`, { localAddress: INNOCENT_ADDRESS })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await text(response), ms: performance.now() - startedAt }
}

/** Attacks with one capture, while another client captures a page again and again. */
async function attackWith(path: string) {
  const processes = watchBrowserProcesses(service.pid)
  const innocents: Awaited<ReturnType<typeof captureInnocent>>[] = []
  let attack = { status: 0, code: '' }
  const report = await service.attack(`a page of ${path.slice(1).replaceAll('-', ' ')}`, async (signal) => {
    const ended = new AbortController()
    const query = {
      url: service.site.url + path,
      screenshot: 'true',
      meta: 'false',
      waitForTimeout: '12s',
      timeout: '20s',
    }
    const runAttack = async () => {
      const response = await service.get(query, { signal })
      const { code = '' } = (await response.json()) as { code?: string }
      attack = { status: response.status, code }
    }
    const captureInnocents = async () => {
      while (!ended.signal.aborted) innocents.push(await captureInnocent(`${path}${innocents.length}`))
    }
    await Promise.all([runAttack().finally(() => ended.abort()), captureInnocents()])
  })
  const { maxBytes } = processes.stop()
  const slowestMs = Math.max(...innocents.map(({ ms }) => ms))
  console.log(
    `${path}: ${attack.status} ${attack.code}; browser ${Math.round(maxBytes / 1e6)} MB, service ${Math.round(report.maxRssBytes / 1e6)} MB; ${innocents.length} innocent captures, slowest ${Math.round(slowestMs)} ms`,
  )
  expect(innocents.filter(({ status }) => status !== 200)).toEqual([])
  expect(maxBytes).toBeLessThan(MAX_BROWSER_BYTES)
  expectContained(report)
  return attack
}

// How much a page can fill depends on the browser: not every Chromium has WebGL, and stored files have a quota.
it.each(Object.keys(MEMORY).filter((path) => path !== '/blobs'))(
  'bounds the memory of all processes of the browser while a page fills it with %s',
  async (path) => {
    const { status, code } = await attackWith(path)
    expect([200, 422, 504], code).toContain(status)
  },
)

it('ends a page that fills the processes of the browser that all pages share', async () => {
  expect(await attackWith('/blobs')).toEqual({ status: 422, code: 'ETOOLARGE' })
})

it.each(Object.keys(FLOODS))('ends a page that floods the browser with %s, and not the browser', async (path) => {
  expect(await attackWith(path)).toEqual({ status: 422, code: 'ETOOLARGE' })
  expect(service.log()).not.toContain('browser-unresponsive')
})
