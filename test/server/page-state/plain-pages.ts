import { redirectTo } from '../../local-site.js'
import { ARTICLE, html, send, type MadePage } from './made-page.js'
import sharp from 'sharp'

const plain = (name: string, body: string, head = ''): MadePage => ({
  name,
  state: undefined,
  route: html(name, body, head),
})

const darkPhoto = await sharp({
  create: { width: 640, height: 400, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 6, sigma: 3 } },
})
  .jpeg()
  .toBuffer()
const blackPhoto = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#000' } })
  .png()
  .toBuffer()
const image = (bytes: Buffer, type: string) => send(bytes, { headers: { 'content-type': type } })

/** Pages that look like none, and show their content all the same. */
export const plainPages: MadePage[] = [
  { name: 'empty', state: undefined, route: '<!doctype html><title>Empty</title><body></body>' },
  { name: 'nothing-at-all', state: undefined, route: ' ' },
  plain('one-colour', '', '<style>body{background:#c33}</style>'),
  plain('colour-of-a-script', '<script>document.body.style.background = "#3a3"</script>'),
  plain('one-line', 'Hello.'),
  plain('one-line-and-a-script', '<p>Hello.</p><script>window.a = 1</script>'),
  plain(
    'one-line-above-a-fixed-background',
    '<div style="position:fixed;inset:0;background:#fafafa"></div><p style="position:relative">Hello.</p><script>window.a = 1</script>',
  ),
  plain(
    'small-picture-in-a-fixed-root',
    '<div style="position:fixed;inset:0;background:#fff"><svg width="60" height="60" style="margin:300px"><circle cx="30" cy="30" r="28" fill="#036"/></svg></div><script>window.a = 1</script>',
  ),
  plain('one-letter', 'A<script>window.a = 1</script>'),
  plain('low-contrast', ARTICLE, '<style>body{color:#f4f4f4;background:#fff}</style><script>window.a = 1</script>'),
  plain(
    'nearly-black',
    '<p>Night.</p><script>window.a = 1</script>',
    '<style>body{color:#111;background:#000}</style>',
  ),
  plain(
    'canvas-game',
    '<canvas id="c" width="800" height="600"></canvas><script>const p = c.getContext("2d"); p.fillStyle = "#000"; p.fillRect(0, 0, 800, 600); p.fillStyle = "#0f0"; p.fillRect(100, 100, 20, 20)</script>',
  ),
  plain(
    'canvas-of-one-colour',
    '<canvas id="c" style="position:fixed;inset:0;width:100%;height:100%"></canvas><script>const p = c.getContext("2d"); p.fillStyle = "#fff"; p.fillRect(0, 0, 999, 999)</script>',
  ),
  {
    ...plain(
      'dark-photo',
      '<img src="/dark-photo/a.jpg" style="width:100%"><script>window.a = 1</script>',
      '<style>body{background:#000;margin:0}</style>',
    ),
    routes: { '/dark-photo/a.jpg': image(darkPhoto, 'image/jpeg') },
  },
  { name: 'image-file', state: undefined, route: image(blackPhoto, 'image/png') },
  { name: 'text-file', state: undefined, route: send('Loading', { headers: { 'content-type': 'text/plain' } }) },
  {
    ...plain(
      'pdf-viewer',
      '<div style="background:#333;height:40px;color:#eee">report.pdf</div><embed src="/pdf-viewer/page" type="text/html" style="width:100%;height:700px"><script>window.a = 1</script>',
    ),
    routes: { '/pdf-viewer/page': html('Report', ARTICLE) },
  },
  plain(
    'drawing',
    '<svg viewBox="0 0 100 60" style="width:100%"><circle cx="50" cy="30" r="20" fill="#fc0"/></svg><script>window.a = 1</script>',
  ),
  plain(
    'art-of-boxes',
    '<div class="a"></div><div class="b"></div><script>window.a = 1</script>',
    '<style>.a{width:300px;height:300px;background:linear-gradient(#f00,#00f)}.b{width:500px;height:90px;background:#0a0}</style>',
  ),
  plain(
    'shadow-root',
    '<my-app></my-app><script>customElements.define("my-app", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<p>Hello from a component.</p>" } })</script>',
  ),
  {
    name: 'about-captchas',
    state: undefined,
    route: html(
      'What is a captcha?',
      `<h1>What is a captcha?</h1><p>“Verify you are human”: a captcha asks its visitors to prove it. Cloudflare writes <code>window._cf_chl_opt</code>, others <code>id="px-captcha"</code>.</p>${ARTICLE}`,
    ),
  },
  {
    name: 'short-note-about-captchas',
    state: undefined,
    route: html(
      'Notes',
      '<h1>Marks of bot checks</h1><p>HUMAN writes <code>id="px-captcha"</code>, Cloudflare <code>_cf_chl_opt</code>.</p><script>window.a = 1</script>',
    ),
  },
  {
    name: 'about-404',
    state: undefined,
    route: html(
      'How to design a 404 page',
      `<h1>How to design a 404 page</h1><p>Write “the page you are looking for does not exist” and offer a search.</p>${ARTICLE}`,
    ),
  },
  {
    name: 'reference-of-status-codes',
    state: undefined,
    route: html(
      '404 Not Found - HTTP | Reference',
      `<h1>404 Not Found</h1><p>The HTTP 404 Not Found client error response status code indicates that the server cannot find the requested resource.</p><h2>Status</h2><pre>404 Not Found</pre>${ARTICLE}`,
    ),
  },
  {
    name: 'signup-with-captcha',
    state: undefined,
    route: html(
      'Sign up',
      '<h1>Sign up</h1><form><input type="email"><input type="password"><div class="g-recaptcha">I am not a robot</div><button>Sign up</button></form><script>window.a = 1</script>',
    ),
  },
  {
    name: 'contact-form',
    state: undefined,
    route: html(
      'Contact',
      '<h1>Contact</h1><form><input name="name"><input type="email"><textarea></textarea><div class="h-captcha">I am human</div><button>Send</button></form><script>window.a = 1</script>',
    ),
  },
  {
    name: 'login',
    state: undefined,
    route: html(
      'Log in',
      '<h1>Log in</h1><form><input name="user"><input type="password"><button>Log in</button></form>',
    ),
  },
  {
    name: 'account',
    state: undefined,
    path: '/account/login',
    route: ' ',
    routes: {
      '/account/login': redirectTo('/account/login/form?next=%2F'),
      '/account/login/form': html(
        'Log in',
        '<h1>Log in</h1><form><input name="user"><input type="password"><button>Log in</button></form>',
      ),
    },
  },
  {
    name: 'moved',
    state: undefined,
    route: redirectTo('/moved/story'),
    routes: {
      '/moved/story': html(
        'Story',
        `<form><input type="search"></form><a href="/login">Log in</a><h1>Story</h1>${ARTICLE}`,
      ),
    },
  },
  {
    name: 'small-cookie-banner',
    state: undefined,
    route: html(
      'News',
      `<main>${ARTICLE}</main><div style="position:fixed;left:0;right:0;bottom:0;background:#eee;padding:10px">We use cookies. <button>Fine by me</button></div>`,
    ),
  },
  plain(
    'article-behind-a-consent-wall',
    `<main>${ARTICLE}</main><div style="position:fixed;inset:0;background:rgba(0,0,0,.8)"><h2>Your choice</h2><p>We and our partners use cookies.</p><button>Yes, I consent</button></div>`,
  ),
  plain(
    'article-behind-a-login-sheet',
    `<main>${ARTICLE}</main><div style="position:fixed;inset:80px;background:#fff" role="dialog"><h2>Log in to continue</h2><form><input type="email"><input type="password"><button>Log in</button></form></div>`,
  ),
  {
    name: 'client-rendered-at-404',
    state: undefined,
    route: send(
      html('The harbour', `<div id="root"></div><script>root.innerHTML = ${JSON.stringify(ARTICLE)}</script>`),
      { status: 404 },
    ),
  },
  {
    name: 'content-at-403',
    state: undefined,
    route: send(html('The harbour', `<h1>The harbour</h1>${ARTICLE}`), { status: 403 }),
  },
  {
    name: 'content-at-500',
    state: undefined,
    route: send(html('The harbour', `<h1>The harbour</h1>${ARTICLE}`), { status: 500 }),
  },
  {
    name: 'own-page',
    state: undefined,
    path: '/own-page/404',
    route: ' ',
    routes: { '/own-page/404': html('404', '<h1>404</h1><p>Page not found. Go back home.</p>') },
  },
  plain(
    'full-screen-app',
    `<div style="position:fixed;inset:0"><h1>Notes</h1><p>Buy rope. Ask about the boat.</p><button>OK</button><footer>Privacy</footer></div><script>window.a = 1</script>`,
  ),
  plain('busy-indicator-beside-content', `<div class="loader"></div>${ARTICLE}<script>window.a = 1</script>`),
  plain('waiting-as-a-subject', '<h1>Please wait</h1><p>A poem about queues.</p><script>window.a = 1</script>'),
  plain(
    'clobbered-names',
    `<form>${['nodeType', 'localName', 'childNodes', 'firstChild', 'shadowRoot', 'checkVisibility'].map((name) => `<input name="${name}">`).join('')}</form>
     <img name="title"><img name="body"><img name="querySelector">${ARTICLE}<script>window.a = 1</script>`,
  ),
  plain(
    'many-nodes',
    `<div id="r"></div><script>r.innerHTML = '<i></i>'.repeat(50000) + '<p>The end.</p>'</script>${ARTICLE}`,
  ),
  plain(
    'deep-nodes',
    `<script>let at = document.body; for (let n = 0; n < 400; n++) at = at.appendChild(document.createElement('div')); at.textContent = 'Deep down.'</script>`,
  ),
]
