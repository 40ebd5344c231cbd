import { localSite, redirectTo, type LocalSite, type Route } from '../../local-site.js'

/** A red PNG. */
const RED_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYw+3BgQAAAADDoPlT3+AEVQEAAAB8AxBAAAEZszF2AAAAAElFTkSuQmCC',
  'base64',
)
const respondWith =
  (type: string, body: string | Buffer): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)

/** A page without content, whose script writes into the title what the page can observe. */
const shell = (script: string, body = '') =>
  `<!doctype html><title>Shell</title><body>${body}<script>${script}</script></body>`

const MIRROR = shell(`
  const is = (query) => matchMedia('(' + query + ')').matches
  document.title = 'w=' + innerWidth + ' h=' + innerHeight + ' screen=' + screen.width + 'x' + screen.height +
    ' dpr=' + devicePixelRatio + ' touch=' + navigator.maxTouchPoints + ' dark=' + is('prefers-color-scheme: dark') +
    ' language=' + navigator.languages + ' number=' + 1.5.toLocaleString() +
    ' zone=' + Intl.DateTimeFormat().resolvedOptions().timeZone + ' print=' + matchMedia('print').matches + ' reducedMotion=' + is('prefers-reduced-motion: reduce')`)

const PAINTED = `<!doctype html><html lang="en"><title>Painted</title><meta name="description" content="About paint">
  <style>html{background:#fff}body{margin:0}div{width:40px;height:20px}</style>
  <div id="probe" style="background:#00c000;border-radius:10px"></div><div style="height:300px"></div>
  <div id="bottom" style="background:#0000ff;width:200px"></div>`

const NOISE = `<!doctype html><title>Noise</title><style>body{margin:0}</style><canvas id="noise" width="100" height="100"></canvas>
  <script>const paint = noise.getContext('2d')
  for (let index = 0; index < 10000; index++) {
    paint.fillStyle = 'hsl(' + (index * 7919) % 360 + ' 90% ' + (index * 104729) % 100 + '%)'
    paint.fillRect(index % 100, Math.floor(index / 100), 1, 1)
  }</script>`

const MEDIA = `<!doctype html><title>Media</title><meta name="author" content="Ann Author">
  <meta property="og:image" content="/red.png"><meta property="og:audio" content="/dead.mp3">`

const TEXT = `<!doctype html><title>Text</title><h1>Text</h1><p>Shown <b>here</b>.<p hidden>Hidden`

const CHOICES = `<!doctype html><title>Choices</title><meta property="og:title" content="The best title"><h1>Another title</h1>
  <meta property="og:image" content="/red.png"><meta property="og:image" content="/dead.png"><meta property="og:image" content="/blue.png">`

/** A site with the pages on which each parameter shows its effect. */
export const parameterSite = (): Promise<LocalSite> =>
  localSite({
    '/mirror': MIRROR,
    '/painted': PAINTED,
    '/position': shell(`navigator.geolocation.getCurrentPosition(
      ({ coords }) => (document.title = coords.latitude + ' ' + coords.longitude), ({ message }) => (document.title = message))`),
    '/noise': NOISE,
    '/echo': ({ headers }, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>x-probe: ${String(headers['x-probe'])}</title>${JSON.stringify(headers)}`),
    '/media': MEDIA,
    '/choices': CHOICES,
    '/text': TEXT,
    '/red.png': respondWith('image/png', RED_IMAGE),
    '/blue.png': respondWith('image/png', RED_IMAGE),
    '/blue.css': respondWith('text/css', '#probe { background: #0000ff !important; border-radius: 0 !important }'),
    '/tag/js/gpt.js': respondWith('text/javascript', `document.title = 'Advertised'`),
    '/advertised': shell('', '<script src="/tag/js/gpt.js"></script>'),
    '/slow-frame': shell(
      `document.title = 'there'; addEventListener('load', () => (document.title = 'loaded'))`,
      '<iframe src="/slow"></iframe>',
    ),
    '/slow': (_, response) => void setTimeout(() => response.end('late'), 600),
    '/growing': shell(
      `setTimeout(() => { document.title = 'Grown'; document.body.insertAdjacentHTML('beforeend', '<i id="late">x</i>') }, 300)`,
    ),
    '/buttons': shell(
      `document.title = ''`,
      `<button id="a" onclick="document.title += 'first'">a</button><button id="b" onclick="document.title += 'second'">b</button>`,
    ),
    '/hidden': `<!doctype html><title>Hidden</title><p id="none" style="display:none">x</p><p id="unseen" style="visibility:hidden">x</p>
      <div id="empty" style="width:0;height:0"></div>`,
    '/tall': '<!doctype html><title>Tall</title><div style="height:40000px">x</div>',
    '/large': '<title>Large</title><meta property="og:audio" content="/large.mp3">',
    '/large.mp3': (_, response) =>
      void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.alloc(25_000_001, 'x')),
    '/moved': redirectTo('/painted'),
    '/private': redirectTo('http://10.0.0.1/'),
    '/loop': redirectTo('/loop'),
    '/broken': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': 999 }).write('<title>Broken')
      setImmediate(() => response.destroy())
    },
    '/never': () => undefined,
    '/reset': (request) => void request.socket.destroy(),
  })
