import { ARTICLE, html, send, untilCookie, type MadePage, type SendOptions } from './made-page.js'

const check = (name: string, body: string, options: SendOptions = {}): MadePage => ({
  name,
  state: 'bot-check',
  route: send(body, { status: 403, ...options }),
})

const widget = (name: string) =>
  `<div class="${name}" data-sitekey="0" style="width:300px;height:74px;border:1px solid #ccc"></div>`
const SCRIPT = '<script>window.started = Date.now()</script>'

/** Checks of the usual products, in words of our own. */
export const botCheckPages: MadePage[] = [
  check(
    'cloudflare-challenge',
    html(
      'Just a moment...',
      `<h1>shop.test</h1><p>Verifying you are human. This may take a few seconds.</p>
       <p>shop.test needs to review the security of your connection before proceeding.</p><script>window._cf_chl_opt={cType:"managed"}</script>`,
    ),
    { headers: { 'cf-mitigated': 'challenge' } },
  ),
  check(
    'cloudflare-turnstile',
    html('One more step', `<h2>Complete the task below to go on</h2>${widget('cf-turnstile')}${SCRIPT}`),
  ),
  check(
    'cloudflare-block',
    html(
      'Attention Required! | Cloudflare',
      `<div id="cf-error-details"><h1>Sorry, you have been blocked</h1><p>You are unable to access shop.test</p>
       <p>This website uses a service that guards it against attacks. What you just did triggered it.</p></div>`,
    ),
  ),
  check(
    'cloudflare-german',
    html('Nur einen Moment…', `<h1>laden.test</h1><p>Bestätigen Sie, dass Sie ein Mensch sind.</p>${SCRIPT}`),
  ),
  check(
    'datadome',
    html(
      'shop.test',
      `<p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={rt:'c',host:'geo.captcha-delivery.com'}</script>
       <script src="https://ct.captcha-delivery.com/c.js"></script>`,
    ),
  ),
  check(
    'human-perimeterx',
    html(
      'Access to this page has been denied',
      `<h1>Press & Hold to confirm you are a human (and not a bot).</h1><div id="px-captcha"></div>${SCRIPT}`,
    ),
  ),
  check(
    'akamai-block',
    html(
      'Access Denied',
      `<h1>Access Denied</h1>You don't have permission to access "http&#58;//shop.test/" on this server.<p>Reference #18.4c1<p>https&#58;//errors.edgesuite.net/18.4c1`,
    ),
  ),
  check(
    'akamai-challenge',
    html('', `<div id="sec-if-cpt-container"></div><script src="/_sec/verify?provider=interstitial"></script>`),
    { status: 200 },
  ),
  check(
    'imperva',
    `<html><head><meta name="robots" content="noindex"></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&incident_id=77-1" width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 77-1</iframe></body></html>`,
    { status: 200 },
  ),
  check('aws-waf', html('', `<script>window.gokuProps={"key":"a"};</script><div id="challenge-container"></div>`), {
    status: 202,
    headers: { 'x-amzn-waf-action': 'challenge' },
  }),
  check(
    'aws-captcha',
    html('Human Verification', `<div id="captcha-container"><p>Choose all the chairs</p></div>${SCRIPT}`),
    { status: 405 },
  ),
  check(
    'kasada',
    `<html><body><script>window.KPSDK={}</script><script src="/149e9513/ips.js?KP_UIDz=0a"></script></body></html>`,
    {
      status: 429,
    },
  ),
  check(
    'sucuri',
    html(
      'You are being redirected...',
      `<script>var s={},u,c;/* sucuri_cloudproxy_js='' */</script><noscript>Scripts are needed.</noscript>`,
    ),
    { status: 200 },
  ),
  check(
    'ddos-guard',
    html(
      'DDOS-GUARD',
      `<p>Checking your browser before accessing shop.test</p><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>`,
    ),
  ),
  check(
    'fastly',
    html(
      'Client Challenge',
      `<p>A required part of this site could not load.</p><script src="/_fs-ch-1T1/script.js"></script>`,
    ),
    { status: 200 },
  ),
  check('vercel', html('Vercel Security Checkpoint', `<p>We're verifying your browser</p>${SCRIPT}`), {
    status: 429,
    headers: { 'x-vercel-mitigated': 'challenge' },
  }),
  check(
    'anubis',
    html(
      "Making sure you're not a bot!",
      `<h1>Making sure you're not a bot!</h1><p>Loading...</p><script id="anubis_challenge" type="application/json">{}</script>${SCRIPT}`,
    ),
    { status: 200 },
  ),
  check(
    'recaptcha-wall',
    html(
      'https://www.search.test/',
      `<form>${widget('g-recaptcha')}</form><p>Our systems have detected unusual traffic from your computer network. This page checks that requests are sent by you and not by a robot.</p>${SCRIPT}`,
    ),
    { status: 429 },
  ),
  check(
    'hcaptcha-wall',
    html(
      'Shop',
      `<h1>Security check</h1><p>Prove that you are human to go on to the shop.</p>${widget('h-captcha')}${SCRIPT}`,
    ),
    { status: 200 },
  ),
  check(
    'f5-shape',
    `<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 1234<script>window["bobcmn"]="1011"</script></body></html>`,
    { status: 200 },
  ),
  check(
    'queue-it',
    html(
      'Queue',
      `<h1>You are now in line</h1><p>When it's your turn, you will have 10 minutes to enter.</p>${SCRIPT}`,
    ),
    { status: 200 },
  ),
  check(
    'text-captcha',
    html(
      'Robot Check',
      `<h4>Type the characters you see in this image</h4><form><input name="captcha-text"><button>Go on</button></form>`,
    ),
    { status: 200 },
  ),
  check('french', html('Vérification', `<p>Confirmez que vous êtes humain pour continuer.</p>${SCRIPT}`), {
    status: 200,
  }),
  check('spanish', html('Un momento', `<h1>Verifica que eres humano</h1><p>Tardará unos segundos.</p>${SCRIPT}`), {
    status: 503,
  }),
  check(
    'russian',
    html(
      'Проверка',
      `<h1>Подтвердите, что вы не робот</h1><p>Нажмите на кнопку.</p><button>Я не робот</button>${SCRIPT}`,
    ),
    {
      status: 200,
    },
  ),
  check(
    'japanese',
    html('確認', `<p>人間であることを確認してください。続行するにはチェックが必要です。</p>${SCRIPT}`),
    { status: 200 },
  ),
  check('chinese', html('安全验证', `<p>请完成验证后继续访问。拖动滑块完成拼图。</p>${SCRIPT}`), { status: 200 }),
]

const REAL_PAGE = send(html('The harbour', `<h1>The harbour</h1>${ARTICLE}`))
const waiting = (script: string) =>
  send(
    html(
      'Just a moment...',
      `<p id="check">Verifying you are human. This may take a few seconds.</p>
       <script>window._cf_chl_opt={};setTimeout(() => {${script}}, 2000)</script>`,
    ),
    { status: 403, headers: { 'cf-mitigated': 'challenge' } },
  )

/** Checks that a browser passes without help, after two seconds. */
export const passingPages: MadePage[] = [
  {
    name: 'passes-with-a-cookie',
    state: undefined,
    route: untilCookie('passed', waiting(`document.cookie = 'passed=1; path=/'; location.reload()`), REAL_PAGE),
  },
  {
    name: 'passes-with-a-redirect',
    state: undefined,
    route: waiting(`location.href = '/passes-with-a-redirect/story'`),
    routes: { '/passes-with-a-redirect/story': REAL_PAGE },
  },
  {
    name: 'passes-in-place',
    state: undefined,
    route: send(
      html(
        'Checking your browser',
        `<p>Checking your browser before accessing the harbour.</p>
         <script>setTimeout(() => { document.title = 'The harbour'; document.body.innerHTML = ${JSON.stringify(ARTICLE)} }, 2000)</script>`,
      ),
      { status: 503 },
    ),
  },
]
