/** A way of making a browser send a request, as HTML or script of a page. */
export interface BrowserVector {
  name: string
  html: string
  /** Whether both kinds of Chromium send the request from the service where they may; `otherSenders` says who sends the others. */
  isAlive: boolean
}

export interface VectorTargets {
  /** `HOST:PORT` that the page tries to reach. */
  host: string
  /** URL of the attacker's site, without trailing slash. */
  site: string
}

type Vectors = Record<string, (url: string, targets: VectorTargets) => string>

const script = (code: string) => `<script>try { ${code} } catch {}</script>`
const frame = (html: string) => `<iframe srcdoc='${html}'></iframe>`
const link = (attributes: string) => (url: string) => `<link ${attributes} href="${url}">`
const style = (css: (url: string) => string) => (url: string) => `<style>${css(`url("${url}")`)}</style>`
const worker = (code: string) => `URL.createObjectURL(new Blob(["${code}"], { type: "text/javascript" }))`

const LIVE_MARKUP: Vectors = {
  'img-src': (url) => `<img src="${url}">`,
  'img-srcset': (url) => `<img srcset="${url} 1x">`,
  'picture-source': (url) => `<picture><source srcset="${url}"><img></picture>`,
  'input-image': (url) => `<input type="image" src="${url}">`,
  'body-background': (url) => `<table background="${url}"><td>x</table>`,
  'video-src': (url) => `<video preload="auto" src="${url}"></video>`,
  'video-poster': (url) => `<video poster="${url}"></video>`,
  'audio-source': (url) => `<audio preload="auto"><source src="${url}"></audio>`,
  'iframe-src': (url) => `<iframe src="${url}"></iframe>`,
  'object-data': (url) => `<object data="${url}"></object>`,
  'embed-src': (url) => `<embed src="${url}">`,
  'svg-image': (url) => `<svg><image href="${url}" width="9" height="9"/></svg>`,
  'svg-xlink': (url) => `<svg><image xlink:href="${url}" width="9" height="9"/></svg>`,
  'script-src': (url) => `<script src="${url}"></script>`,
  'module-src': (url) => `<script type="module" src="${url}"></script>`,
  'link-stylesheet': link('rel="stylesheet"'),
  'link-preload': link('rel="preload" as="image"'),
  'link-modulepreload': link('rel="modulepreload"'),
  'css-background': style((url) => `#a { background: ${url} }`),
  'css-import': style((url) => `@import ${url};`),
  'css-font': style((url) => `@font-face { font-family: f; src: ${url} } #a { font-family: f }`),
  'css-content': style((url) => `#a::before { content: ${url} }`),
  'css-list': style((url) => `li { list-style-image: ${url} }`),
  'css-border': style((url) => `#a { border: 9px solid; border-image: ${url} 9 }`),
  'css-mask': style((url) => `#a { mask-image: ${url} }`),
  'css-image-set': style((url) => `#b { background: image-set(${url} 1x) }`),
  'srcdoc-img': (url) => frame(`<img src="${url}">`),
  'frame-meta-refresh': (url) => frame(`<meta http-equiv="refresh" content="0;url=${url}">`),
  'frame-of-data': (url) => `<iframe src='data:text/html,<img src="${url}">'></iframe>`,
  'frame-redirected': (url, { site }) => `<iframe src="${site}/to?${encodeURIComponent(url)}"></iframe>`,
  'frame-refresh-header': (url, { site }) => `<iframe src="${site}/refresh?${encodeURIComponent(url)}"></iframe>`,
  'image-redirected': (url, { site }) => `<img src="${site}/to?${encodeURIComponent(url)}">`,
  'script-redirected': (url, { site }) => `<script src="${site}/to?${encodeURIComponent(url)}"></script>`,
  'style-redirected': (url, { site }) => `<link rel="stylesheet" href="${site}/to?${encodeURIComponent(url)}">`,
  'link-prefetch': link('rel="prefetch"'),
  'svg-filter-image': (url) =>
    `<svg><filter id="fi"><feImage href="${url}"/></filter><rect filter="url(#fi)" width="9" height="9"/></svg>`,
  'css-cursor': style((url) => `body { cursor: ${url}, auto }`),
  'speculation-prefetch': (url) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}"]}]}</script>`,
}

const LIVE_SCRIPTS: Vectors = {
  'image-object': (url) => script(`new Image().src = '${url}'`),
  fetch: (url) => script(`fetch('${url}')`),
  'fetch-no-cors': (url) => script(`fetch('${url}', { mode: 'no-cors', method: 'POST', body: 'a' })`),
  'fetch-keepalive': (url) => script(`fetch('${url}', { mode: 'no-cors', keepalive: true })`),
  'fetch-redirected': (url, { site }) => script(`fetch('${site}/to?${encodeURIComponent(url)}')`),
  'xml-http-request': (url) => script(`let x = new XMLHttpRequest(); x.open('GET', '${url}'); x.send()`),
  beacon: (url) => script(`navigator.sendBeacon('${url}', 'a')`),
  'event-source': (url) => script(`new EventSource('${url}')`),
  'web-socket': (url) => script(`new WebSocket('${url.replace('http', 'ws')}')`),
  'dynamic-import': (url) => script(`import('${url}')`),
  'font-face': (url) => script(`new FontFace('g', 'url(${url})').load()`),
  'worker-import-scripts': (url) => script(`new Worker(${worker(`importScripts('${url}')`)})`),
  'worker-fetch': (url) => script(`new Worker(${worker(`fetch('${url}')`)})`),
  'worker-socket': (url) => script(`new Worker(${worker(`new WebSocket('${url.replace('http', 'ws')}')`)})`),
  'module-worker-import': (url) => script(`new Worker(${worker(`import '${url}'`)}, { type: 'module' })`),
  'shared-worker-fetch': (url) => script(`new SharedWorker(${worker(`fetch('${url}')`)})`),
  'frame-location': (url) => frame(`<script>location = "${url}"</script>`),
  'form-in-frame': (url) =>
    `<iframe name="f1"></iframe><form target="f1" method="post" action="${url}"></form>${script('document.forms[document.forms.length - 1].submit()')}`,
  'nested-frames': (url) => frame(`<iframe src="${url}"></iframe>`),
  'cache-add': (url) => script(`caches.open('c').then((cache) => cache.add('${url}'))`),
  'service-worker-fetch': (url) =>
    script(`navigator.serviceWorker.register('/service-worker.js?${encodeURIComponent(url)}')`),
  'paint-worklet': (url) => script(`CSS.paintWorklet.addModule('${url}')`),
  'xslt-script': (url) =>
    script(
      `let d = new DOMParser().parseFromString('<img src="${url}">', 'text/html'); document.body.append(d.querySelector('img'))`,
    ),
  'blank-frame-fetch': (url) =>
    script(`let f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch('${url}')`),
  'web-socket-stream': (url) => script(`new WebSocketStream('${url.replace('http', 'ws')}')`),
}

/** Tried, and not counted: some are not sent with the flags of the service, or by one kind of Chromium alone. */
const OTHER_VECTORS: Vectors = {
  'track-src': (url) => `<video crossorigin><track default src="${url}"></video>`,
  'audio-worklet': (url) => script(`new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('${url}')`),
  'link-icon': link('rel="icon"'),
  'anchor-ping': (url) => `<a id="pinged" href="#x" ping="${url}">x</a>${script('pinged.click()')}`,
  'window-open': (url) => script(`open('${url}')`),
  'user-info-frame': (url) => `<iframe src="${url.replace('//', '//public.test@')}"></iframe>`,
}

/** As DevTools calls the headless shell and full Chromium. */
type Product = 'HeadlessChrome' | 'Chrome'

/** Which kinds of Chromium send the vectors that are not alive, without the flags of the service. */
export const otherSenders: Readonly<Record<string, readonly Product[]>> = {
  'track-src': ['HeadlessChrome', 'Chrome'],
  'audio-worklet': ['HeadlessChrome', 'Chrome'],
  'link-icon': ['Chrome'],
  'anchor-ping': ['HeadlessChrome', 'Chrome'],
  'window-open': ['HeadlessChrome'],
  'user-info-frame': ['Chrome'],
}

/** A way of making a browser send packets beside its proxy, or something else than a request with a path. */
export interface PacketVector {
  name: string
  html: string
  transport: 'UDP' | 'TCP'
  /** What its packets contain, if that is known, or the name that it looks up. */
  bytes: string
}

/** https://www.rfc-editor.org/rfc/rfc8489#section-5 */
const STUN_COOKIE = '!\u0012\u00a4B'
/** https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const TLS_HANDSHAKE = '\u0016\u0003\u0001'

/** @param host  `HOST:PORT` that the page tries to reach. */
export function packetVectors(host: string): PacketVector[] {
  const [, hostname = '', port = ''] = /^(.*):(\d+)$/.exec(host) ?? []
  const turn = (transport: string) => `{ urls: 'turn:${host}?transport=${transport}', username: 'a', credential: 'b' }`
  return [
    { name: 'rtc-stun', html: gatherCandidates(`{ urls: 'stun:${host}' }`), transport: 'UDP', bytes: '' },
    { name: 'rtc-turn', html: gatherCandidates(turn('udp')), transport: 'UDP', bytes: '' },
    {
      name: 'rtc-candidate',
      html: connectToPeer(hostname, port, 'bytesOfPage'),
      transport: 'UDP',
      bytes: 'bytesOfPage',
    },
    {
      name: 'rtc-candidate-in-frame',
      html: frame(connectToPeer(hostname, port, 'bytesOfFrame').replaceAll("'", '&#39;')),
      transport: 'UDP',
      bytes: 'bytesOfFrame',
    },
    { name: 'web-transport', html: script(`new WebTransport('https://${host}/')`), transport: 'UDP', bytes: '' },
    { name: 'rtc-turn-tcp', html: gatherCandidates(turn('tcp')), transport: 'TCP', bytes: STUN_COOKIE },
    { name: 'https-image', html: `<img src="https://${host}/">`, transport: 'TCP', bytes: TLS_HANDSHAKE },
  ]
}

/** Each makes the browser look up its name, by its name server or by multicast. */
export const lookUpVectors: Omit<PacketVector, 'transport'>[] = [
  { name: 'rtc-stun-name', html: gatherCandidates(`{ urls: 'stun:stun-server.test' }`), bytes: 'stun-server' },
  { name: 'rtc-stun-local', html: gatherCandidates(`{ urls: 'stun:stun-nearby.local' }`), bytes: 'stun-nearby' },
  { name: 'rtc-candidate-name', html: connectToPeer('peer.test', '3478', 'user'), bytes: 'peer' },
  { name: 'rtc-candidate-local', html: connectToPeer('next-door.local', '3478', 'user'), bytes: 'next-door' },
  { name: 'rtc-candidate-in-capitals', html: connectToPeer('CAPITAL.LOCAL', '3478', 'user'), bytes: 'CAPITAL' },
  { name: 'rtc-candidate-rooted', html: connectToPeer('rooted.local.', '3478', 'user'), bytes: 'rooted' },
  { name: 'rtc-candidate-nested', html: connectToPeer('nested.a.local', '3478', 'user'), bytes: 'nested' },
]

/** Makes WebRTC find out the addresses of this machine, with the help of a server. */
function gatherCandidates(server: string): string {
  return script(
    `let p = new RTCPeerConnection({ iceServers: [${server}] }); p.createDataChannel('d'); p.createOffer().then((o) => p.setLocalDescription(o))`,
  )
}

/** Makes WebRTC connect to a peer, which has chosen the user name that each packet contains. */
function connectToPeer(hostname: string, port: string, user: string): string {
  const address = hostname.replace(/^\[|\]$/g, '')
  return script(`let p = new RTCPeerConnection()
    p.createDataChannel('d')
    p.createOffer().then((o) => p.setLocalDescription(o))
      .then(() => p.setRemoteDescription({ type: 'answer', sdp: p.localDescription.sdp.replace(/^a=candidate.*$/gm, 'a=x')
        .replace(/^a=setup.*$/m, 'a=setup:active').replace(/^a=ice-ufrag.*$/m, 'a=ice-ufrag:${user}') }))
      .then(() => p.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 udp 2122260223 ${address} ${port} typ host' }))`)
}

/** All vectors against one host; the path of each request is the vector's name. */
export function browserVectors(targets: VectorTargets): BrowserVector[] {
  const build = (vectors: Vectors, isAlive: boolean) =>
    Object.entries(vectors).map(([name, htmlOf]) => ({
      name,
      isAlive,
      html: htmlOf(`http://${targets.host}/${name}`, targets),
    }))
  return [...build(LIVE_MARKUP, true), ...build(LIVE_SCRIPTS, true), ...build(OTHER_VECTORS, false)]
}
