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
/** What fills the processes of the browser must not fill the service. */
const MAX_SERVICE_BYTES = 650_000_000
/** The limits of a page and of the other one beside it, and what the browser uses without pages. Blobs without a limit are 2.1 GB. */
const MAX_ALLOWED_BYTES = 1_800_000_000
/** A machine that many share included; without the defences they fail, or take the whole time of a capture. */
const MAX_INNOCENT_MS = 20_000
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

/** What starts more targets than a capture may. */
const TARGETS = {
  '/worker-loop': page(`${WORKER} setTimeout(() => { for (;;) new Worker(script).terminate() }, 300)`),
  '/workers': page(`${WORKER} setInterval(() => { for (let n = 0; n < 50; n++) new Worker(script).terminate() }, 0)`),
  '/service-workers': repeat(
    `for (let i = 0; i < 5; i++) navigator.serviceWorker.register('/script.js?' + n, { scope: '/scope' + n++ }).catch(() => {})`,
  ),
}

/** What floods the browser with messages or navigations. */
const FLOODS = {
  // Full Chromium takes long to start as many as a capture may.
  '/shared-workers': repeat(
    `for (let i = 0; i < 20; i++) new SharedWorker(URL.createObjectURL(new Blob(['1//' + n++])))`,
  ),
  '/console': page(`setTimeout(() => { for (;;) console.log({ text: 'x'.repeat(1_000) }) }, 300)`),
  '/beacons': page(`setTimeout(() => { for (;;) navigator.sendBeacon('/beacon', 'x') }, 300)`),
  '/reloads': page(`setInterval(() => location.reload(), 0)`),
  '/navigations': page(`let n = 0; setInterval(() => { location.href = '/navigations?' + n++ }, 0)`),
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
}

const SHADER = `const gl = canvas.getContext('webgl')
  const program = gl.createProgram()
  const attach = (type, source) => {
    const shader = gl.createShader(type)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  attach(gl.VERTEX_SHADER, 'attribute vec2 a; void main() { gl_Position = vec4(a, 0, 1); }')
  attach(gl.FRAGMENT_SHADER, 'precision highp float; void main() { float x = gl_FragCoord.x;'
    + 'for (int i = 0; i < 20000; i++) x = sin(x) * cos(x) + float(i); gl_FragColor = vec4(x, 0, 0, 1); }')
  gl.linkProgram(program)
  gl.useProgram(program)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW)
  gl.enableVertexAttribArray(0)
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
  for (let n = 0; n < 50; n++) gl.drawArrays(gl.TRIANGLES, 0, 3)
  gl.flush()`
const CANVAS = `const canvas = document.body.appendChild(document.createElement('canvas')); canvas.width = canvas.height = 1024`

/** Minutes of work for a GPU process that renders in software; the work of WebGL goes on after the page has been closed. */
const GRAPHICS = {
  '/shader': page(`${CANVAS}
    ${SHADER}`),
  // Each with its own context, so that the end of the GPU process does not end all.
  '/shaders-in-a-worker': page(`const script = ${JSON.stringify(`
      const draw = () => { const canvas = new OffscreenCanvas(1024, 1024); ${SHADER} }
      draw()
      setInterval(draw, 500)`)}
    new Worker(URL.createObjectURL(new Blob([script])))`),
  '/filters': page(`const filter = 'blur(90px) saturate(2) '.repeat(60)
    const layer = '<div style="position: fixed; inset: 0; will-change: transform; backdrop-filter: ' + filter + '">x</div>'
    document.body.innerHTML = layer.repeat(60)
    let n = 0
    const draw = () => {
      n++
      for (const element of document.body.children) element.style.transform = 'translateX(' + (n % 2) + 'px)'
      requestAnimationFrame(draw)
    }
    draw()`),
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
      ...TARGETS,
      ...FLOODS,
      ...GRAPHICS,
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

/** Of an attack that goes on until its time is up. */
const SHORT = { waitForTimeout: '4s', timeout: '8s' }
/** Of an attack that is ended long before, but not at once on a busy machine. */
const LONG = { waitForTimeout: '25s', timeout: '28s' }

/** Attacks with one capture, while another client keeps capturing a page; none of its captures may be worse for it. */
async function attackWith(path: string, time: Record<string, string> = SHORT) {
  const processes = watchBrowserProcesses(service.pid)
  const innocents: Awaited<ReturnType<typeof captureInnocent>>[] = []
  const logStart = service.log().length
  let attack = { status: 0, code: '', logUntilResponse: '' }
  const report = await service.attack(`a page of ${path.slice(1).replaceAll('-', ' ')}`, async (signal) => {
    const ended = new AbortController()
    const query = { url: service.site.url + path, screenshot: 'true', meta: 'false', ...time }
    const runAttack = async () => {
      const response = await service.get(query, { signal })
      const { code = '' } = (await response.json()) as { code?: string }
      attack = { status: response.status, code, logUntilResponse: service.log().slice(logStart) }
    }
    const captureInnocents = async () => {
      while (!ended.signal.aborted) innocents.push(await captureInnocent(`${path}${innocents.length}`))
    }
    await Promise.all([runAttack().finally(() => ended.abort()), captureInnocents()])
  })
  const { maxBytes } = processes.stop()
  const slowestMs = Math.max(...innocents.map(({ ms }) => ms))
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  console.log(
    `${path}: ${attack.status} ${attack.code}; browser ${megabytes(maxBytes)}, service ${megabytes(report.maxRssBytes)}; ${innocents.length} innocent captures, slowest ${Math.round(slowestMs)} ms`,
  )
  expect(service.site.requests.filter((request) => request.endsWith(path))).not.toEqual([])
  expect(innocents.map(({ status, body }) => ({ status, ...screenshotOf(body) }))).toEqual(
    innocents.map(() => INNOCENT_RESULT),
  )
  expect(slowestMs).toBeLessThan(MAX_INNOCENT_MS)
  expect(maxBytes).toBeLessThan(MAX_BROWSER_BYTES)
  expectContained(report, { maxRssBytes: MAX_SERVICE_BYTES })
  return { ...attack, maxBytes, log: service.log().slice(logStart) }
}

const screenshotOf = (body: string) => {
  const { code, data } = JSON.parse(body) as { code?: string; data?: { screenshot?: { width: number } } }
  return { code, hasScreenshot: (data?.screenshot?.width ?? 0) > 0 }
}
const INNOCENT_RESULT = { status: 200, code: undefined, hasScreenshot: true }

/**
 * What the page has loaded by the end of its time, or that its time is up, also because others waited, that it uses too much, or goes
 * on to other documents without end.
 */
const HONEST_RESULTS = ['200 ', '422 ETOOLARGE', '502 EMAXREDIRECTS', '504 ETIMEOUT', '504 EBRWSRTIMEOUT']

/** How a page ends that uses more than it may; on a slow machine its time is up first. */
const ENDS = ['422 ETOOLARGE', '504 ETIMEOUT']

it('ends a page that fills the memory of several processes with /frames', async () => {
  const { status, code, log } = await attackWith('/frames', LONG)
  expect(ENDS).toContain(`${status} ${code}`)
  expect(log).not.toContain('browser-exited')
})

// How much a page fills in its time depends on the browser and the machine: stored files have a quota, and not every Chromium has WebGL.
it.each(Object.keys(MEMORY))(
  'ends a page that fills more memory with %s than it may, and not the browser',
  async (path) => {
    const { status, code, maxBytes, log } = await attackWith(path, path === '/blobs' ? LONG : SHORT)
    expect(HONEST_RESULTS).toContain(`${status} ${code}`)
    if (code !== 'ETOOLARGE') expect(maxBytes).toBeLessThan(MAX_ALLOWED_BYTES)
    expect(log).not.toContain('browser-exited')
  },
)

// On a busy machine a browser may need longer than it is given for what the page has left in its queue, and is replaced then.
it.each(Object.keys(TARGETS))('ends a page that floods the browser with %s before the browser', async (path) => {
  const { status, code, logUntilResponse } = await attackWith(path, LONG)
  expect(ENDS).toContain(`${status} ${code}`)
  expect(logUntilResponse).not.toContain('browser-unresponsive')
})

it.each(Object.keys(FLOODS))('keeps the browser responsive while a page floods it with %s', async (path) => {
  const { status, code, log } = await attackWith(path)
  expect(HONEST_RESULTS).toContain(`${status} ${code}`)
  expect(log).not.toContain('browser-unresponsive')
})

it.each(Object.keys(GRAPHICS))('serves others while a page keeps the GPU process busy with %s', async (path) => {
  const { status, code } = await attackWith(path, LONG)
  expect(HONEST_RESULTS).toContain(`${status} ${code}`)
  // The work of a page may go on in the GPU process after the page has been closed.
  const { status: statusAfter, body } = await captureInnocent(`${path}-after`)
  expect({ status: statusAfter, ...screenshotOf(body) }).toEqual(INNOCENT_RESULT)
})
