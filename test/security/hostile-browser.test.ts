// Covers pages that fill the processes which all pages of a browser share, or flood them with work, beside the capture of another
// client, against the built service.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { loadavg } from 'node:os'
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

/** Each in its own process, because each is of another site. */
const FRAME_ADDRESSES = Array.from({ length: 20 }, (_, n) => `127.0.1.${n + 1}`)
const FRAME = page(`const buffers = []
  const fill = () => buffers.push(new Uint8Array(5_000_000).fill(buffers.length)) < 200 && setTimeout(fill, 10)
  fill()`)

/** What floods the browser with targets, messages or navigations. */
const FLOODS = {
  '/worker-loop': page(`${WORKER} setTimeout(() => { for (;;) new Worker(script).terminate() }, 300)`),
  '/workers': page(`${WORKER} setInterval(() => { for (let n = 0; n < 50; n++) new Worker(script).terminate() }, 0)`),
  '/shared-workers': repeat(
    `for (let i = 0; i < 20; i++) new SharedWorker(URL.createObjectURL(new Blob(['1//' + n++])))`,
  ),
  '/service-workers': repeat(
    `for (let i = 0; i < 5; i++) navigator.serviceWorker.register('/script.js?' + n, { scope: '/scope' + n++ }).catch(() => {})`,
  ),
  '/console': page(`setTimeout(() => { for (;;) console.log({ text: 'x'.repeat(1_000) }) }, 300)`),
  '/beacons': page(`setTimeout(() => { for (;;) navigator.sendBeacon('/beacon', 'x') }, 300)`),
  '/reloads': page(`setInterval(() => location.reload(), 0)`),
  '/navigations': page(`let n = 0; setInterval(() => { location.href = '/navigations?' + n++ }, 0)`),
  '/document-open': repeat(`for (let i = 0; i < 500; i++) { document.open(); document.write('x'); document.close() }`),
  '/document-open-loop': page(`setTimeout(() => { for (;;) { document.open(); document.close() } }, 300)`),
  '/window-stop': page(`setTimeout(() => { for (;;) { fetch('/x').catch(() => {}); window.stop() } }, 300)`),
  '/aborted-requests': page(
    `setTimeout(() => { for (;;) { const request = new XMLHttpRequest(); request.open('GET', '/x'); request.send(); request.abort() } }, 300)`,
  ),
  '/web-sockets': page(`setTimeout(() => { for (;;) new WebSocket('ws://' + location.host + '/x').close() }, 300)`),
  '/titles': page(
    `setTimeout(() => { for (let n = 0; ; n++) document.title = 'Title ' + n + 'x'.repeat(1_000) }, 300)`,
  ),
  '/dialogs': page(`setTimeout(() => { for (;;) prompt('x'.repeat(1_000)) }, 300)`),
  '/frame-sources': page(
    `const frame = document.body.appendChild(document.createElement('iframe')); let n = 0
    setTimeout(() => { for (;;) frame.src = '/script.js?' + n++ }, 300)`,
  ),
  '/frame-loop': page(
    `setTimeout(() => { for (;;) document.body.appendChild(document.createElement('iframe')).remove() }, 300)`,
  ),
  '/messages': page(
    `const channel = new BroadcastChannel('x'); setTimeout(() => { for (;;) channel.postMessage('x'.repeat(10_000)) }, 300)`,
  ),
  '/cookies': page(`setTimeout(() => { for (let n = 0; ; n++) document.cookie = 'name=' + n }, 300)`),
  '/hashes': page(`setTimeout(() => { for (let n = 0; ; n++) location.hash = n }, 300)`),
}

let service: AttackedService
let innocentSite: LocalSite
let frameSite: LocalSite
beforeAll(async () => {
  frameSite = await localSite({ '/': FRAME }, 0, '0.0.0.0')
  const framePort = frameSite.host.split(':')[1]
  const frameHosts = FRAME_ADDRESSES.map((address) => `${address}:${framePort}`)
  innocentSite = await localSite({ '/': '<title>Innocent</title><h1>Hello</h1><p>Captured while others attack.' })
  service = await startAttackedService(
    {
      ...MEMORY,
      ...FLOODS,
      '/frames': `<title>Attack</title>${frameHosts.map((host) => `<iframe src="http://${host}"></iframe>`).join('')}`,
      '/script.js': (_, response) => response.setHeader('content-type', 'text/javascript').end('1'),
    },
    [innocentSite.host, ...frameHosts].map((host) => `--allow-target=${host}`),
  )
})
afterAll(async () => {
  await service.stop()
  await Promise.all([innocentSite.close(), frameSite.close()])
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
  const logStart = service.log().length
  let attackMs = 0
  const report = await service.attack(`a page of ${path.slice(1).replaceAll('-', ' ')}`, async (signal) => {
    const ended = new AbortController()
    const query = {
      url: service.site.url + path,
      screenshot: 'true',
      meta: 'false',
      waitForTimeout: '6s',
      timeout: '12s',
    }
    const startedAt = performance.now()
    const runAttack = async () => {
      const response = await service.get(query, { signal })
      const { code = '' } = (await response.json()) as { code?: string }
      attack = { status: response.status, code }
      attackMs = performance.now() - startedAt
    }
    const captureInnocents = async () => {
      while (!ended.signal.aborted) innocents.push(await captureInnocent(`${path}${innocents.length}`))
    }
    await Promise.all([runAttack().finally(() => ended.abort()), captureInnocents()])
  })
  const { maxBytes } = processes.stop()
  const slowestMs = Math.max(...innocents.map(({ ms }) => ms))
  const ok = innocents.filter(({ status }) => status === 200).length
  console.log(
    `RESULT ${path}: ${attack.status} ${attack.code} ${Math.round(attackMs)} ms; browser ${Math.round(maxBytes / 1e6)} MB, service ${Math.round(report.maxRssBytes / 1e6)} MB; innocents ${ok}/${innocents.length}, slowest ${Math.round(slowestMs)} ms, load ${loadavg()[0]}\n` +
      service
        .log()
        .slice(logStart)
        .split('\n')
        .filter((line) => /"event"|page-|browser-|capture-/.test(line) && !/"?request"?/.test(line))
        .slice(0, 12)
        .join('\n'),
  )
  expect(innocents.filter(({ status }) => status !== 200)).toEqual([])
  expect(maxBytes).toBeLessThan(MAX_BROWSER_BYTES)
  expectContained(report)
  return attack
}

// How much a page can fill depends on the browser: not every Chromium has WebGL, and stored files have a quota.
it.each(
  Object.keys(MEMORY)
    .filter((path) => path !== '/blobs')
    .concat('/frames'),
)('bounds the memory of all processes of the browser while a page fills it with %s', async (path) => {
  const { status, code } = await attackWith(path)
  expect([200, 422, 504], code).toContain(status)
})

it('ends a page that fills the processes of the browser that all pages share', async () => {
  expect(await attackWith('/blobs')).toEqual({ status: 422, code: 'ETOOLARGE' })
})

it.each(Object.keys(FLOODS))('ends a page that floods the browser with %s, and not the browser', async (path) => {
  expect(await attackWith(path)).toEqual({ status: 422, code: 'ETOOLARGE' })
  expect(service.log()).not.toContain('browser-unresponsive')
})
