// Covers what is hidden in front of a page, in a real browser; `page-state/overlay.ts` has the rules.
import type { Browser, CDPSession, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hideOverlays } from '../../../src/server/browser/hide-overlays.js'
import { createExplainer, type Explainer } from '../../../src/server/explainer.js'
import { localSite, type LocalSite } from '../../local-site.js'
import { launchChromium } from '../../shared/launch-chromium.js'

let chromium: Browser
let page: Page
let session: CDPSession
let frameId: string
let site: LocalSite

beforeAll(async () => {
  site = await localSite({ '/story': '<p>Storm warning' })
  chromium = await launchChromium()
  page = await chromium.newPage()
  await page.setViewport({ width: 1000, height: 700 })
  session = await page.createCDPSession()
  frameId = (await session.send('Page.getFrameTree')).frameTree.frame.id
  await page.goto(`${site.url}/story`)
})
afterAll(async () => {
  await chromium.close()
  await site.close()
})

const TEXT = 'The tide gauge on the old quay was read again at dawn. '
const ARTICLE = `<main><h1>Storm warning for tonight</h1>${`<p>${TEXT.repeat(3)}</p>`.repeat(6)}</main>`
const VEIL = '<div style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>'
const SHEET = 'position:fixed;top:15%;left:20%;right:20%;bottom:15%;background:#fff'

interface Options {
  url?: string
  title?: string
  /** Default: an article. */
  behind?: string
  element?: string
}

/** Shows markup in front of a page, and hides what is to be hidden. @returns Whether `#x` is hidden, and whether the page scrolls. */
async function show(
  front: string,
  { url = 'https://harbour.test/story', title, behind = ARTICLE, element }: Options = {},
) {
  await page.evaluate(() => delete (globalThis as { hiddenTarget?: Element }).hiddenTarget)
  await page.setContent(
    `<!doctype html><title>${title ?? 'Storm warning'}</title><body style="margin:0;overflow:hidden">${behind}${front}`,
  )
  await hide({ url, ...(element !== undefined && { element }) })
  return page.evaluate(() => {
    const target = (globalThis as { hiddenTarget?: Element }).hiddenTarget ?? document.querySelector('#x')
    return {
      isHidden: target !== null && !target.checkVisibility(),
      isLocked: getComputedStyle(document.body).overflowY === 'hidden',
    }
  })
}

const hide = (query: { url: string; element?: string }, explainer?: Explainer, areKnownHidden = false) =>
  hideOverlays(
    {
      page: { session, frameId },
      frame: { document: () => ({ url: query.url, loaderId: 'first' }) },
      adBlocker: { selectorsFor: () => ['.known-banner', '??'] },
      query,
      signal: new AbortController().signal,
      explainer,
    },
    areKnownHidden,
  )

const isHidden = async (front: string, options?: Options) => (await show(front, options)).isHidden

const bar = (content: string, position = 'fixed') =>
  `<div id="x" style="position:${position};bottom:0;left:0;right:0;height:100px">${content}</div>`

describe('a consent banner is hidden', () => {
  it.each([
    ['We use cookies.', 'OK'],
    ['We use cookies.', 'Ok, got it'],
    ['We use cookies.', 'Okay'],
    ['We use cookies.', 'Accept all'],
    ['We use cookies.', 'Allow all cookies'],
    ['We use cookies.', 'Continue'],
    ['We use cookies.', 'Continue without accepting'],
    ['We use cookies.', 'Decline'],
    ['We use cookies.', 'I agree'],
    ['Wir verwenden Cookies.', 'Alle akzeptieren'],
    ['Wir verwenden Cookies.', 'Alle Cookies zulassen'],
    ['Wir verwenden Cookies.', 'Alle auswählen'],
    ['Nous utilisons des traceurs.', 'Tout accepter'],
    ['Nous utilisons des cookies.', 'Tout refuser'],
    ['Wij gebruiken cookies.', 'Alle cookies accepteren'],
    ['Wij gebruiken cookies.', 'Alle toestaan'],
    ['Vi bruger cookies.', 'Acceptér alle'],
    ['Vi använder cookies.', 'Acceptera alla'],
    ['Usamos cookies.', 'Aceptar todo'],
    ['クッキーを使用します。', '同意する'],
    ['Ta strona używa ciasteczek.', 'Zgadzam się'],
    ['Käytämme evästeitä.', 'Hyväksy kaikki'],
    ['Vi bruker informasjonskapsler.', 'Godta alle'],
    ['Az oldal sütiket használ.', 'Elfogadom'],
    ['Tento web používá cookies.', 'Přijmout vše'],
    ['Acest site folosește cookie-uri.', 'Sunt de acord'],
    ['Ova stranica koristi kolačiće.', 'Prihvaćam'],
    ['Сайтът използва бисквитки.', 'Приемам'],
    ['Ми використовуємо файли cookie.', 'Прийняти всі'],
    ['Χρησιμοποιούμε cookies.', 'Αποδοχή όλων'],
    ['Sitemizde çerezler kullanılır.', 'Kabul Et'],
    ['Chúng tôi sử dụng cookie.', 'Đồng ý'],
    ['Kami menggunakan cookie.', 'Setuju'],
    ['เว็บไซต์นี้ใช้คุกกี้', 'ยอมรับทั้งหมด'],
    ['نستخدم ملفات تعريف الارتباط.', 'قبول الكل'],
    ['אתר זה משתמש בעוגיות.', 'אישור'],
    ['모든 쿠키를 사용합니다.', '모두 수락'],
  ])('%s [%s]', async (text, button) => {
    expect(await isHidden(bar(`<p>${text}</p><button>${button}</button>`))).toBe(true)
    expect(await isHidden(bar(`<p>${text}</p><a href="#">${button}</a>`))).toBe(true)
  })
})

describe('a notice about cookies is hidden', () => {
  it.each([
    ['with a button to close it', '<p>This site uses cookies.</p><button>Close</button>'],
    ['with a closing icon', '<p>We use cookies to count visits.</p><span class="bar-close">✕</span>'],
    ['without a button', '<p>This website uses cookies. By browsing it, you agree.</p>'],
    ['in German', '<p>Diese Seite verwendet Cookies.</p><a href="/datenschutz">Mehr</a><button>Schließen</button>'],
    ['with a link, by its name', '<p id="cookie-text">We use cookies.</p><a href="/privacy">Learn more</a>'],
    ['by its label', '<p title="Cookie notice">Nous utilisons des cookies.</p><a href="/p">Plus</a>'],
  ])('%s', async (_, content) => {
    expect(await isHidden(bar(content))).toBe(true)
  })
})

describe('another bar of the page stays', () => {
  it.each([
    ['a basket of a bakery', '<b>12 cookies, 24 €. We use cookies as crumbs.</b> <button>Close</button>'],
    ['news of a bakery', '<b>Cookies are half the price today.</b> <button>Close</button>'],
    ['links to legal pages', '<a href="/imprint">Imprint</a> <a href="/p">Privacy</a> <a href="/c">Use of cookies</a>'],
    ['a menu of a bakery', '<a href="/c">Cookies</a> <a href="/r">Alle Rezepte</a>'],
    ['a menu of a state', '<a href="/c">Cookie shops</a> <a href="/o">Oklahoma</a>'],
    ['a menu of articles', '<a href="/c">Cookie recipes</a> <a href="/n">Continue reading</a>'],
    ['a French menu', '<a href="/c">Cookies</a> <a href="/t">Tout le chocolat</a>'],
    ['a shop', '<a href="/c">Cookies</a> <a href="/p">Accepted cards</a> <a href="/a">Allowances</a>'],
    ['a legal page', '<a href="/c">Consent law</a> <a href="/a">Agreements</a> <a href="/d">Declined cases</a>'],
    ['a navigation', '<nav><a href="/c">Cookies</a> <a href="/ok">OK</a></nav>'],
    ['a navigation by its role', '<div role="navigation"><a href="/c">Cookies</a> <a href="/ok">Accept</a></div>'],
    ['a player', '<b>The storm</b> <button>Play</button> <button>Next</button> <button>Close</button>'],
    ['a basket', '<b>24.00</b> <button>Add to cart</button>'],
    ['a note on delivery', '<p>Free delivery from 40.</p>'],
    ['an input of a chat application', '<div class="chat-input"><textarea></textarea><button>Send</button></div>'],
    ['a note on appointments', '<p>No appointment needed on Mondays.</p><a href="tel:1">Call 0123</a>'],
    ['a note on appetizers', '<p>Reservations: <a href="tel:1">0123</a>, no appetizers on Mondays</p>'],
    ['a note on what needs no app', '<p>No app needed.</p><a href="/tickets">Tickets</a>'],
    ['a way to pay', '<p>Use Apple Pay at the quay.</p><a href="/pay">How it works</a>'],
    [
      'a charity',
      '<p>A registered charity. Donated boats are welcome.</p><a href="/a">About</a> <button>Close</button>',
    ],
    ['a basket with a discount', 'Total 48 € · 10% off applied <button>Cancel</button> <button>Pay now</button>'],
    ['a basket with a voucher', '<p>Your first order: 24.00</p><button>Close</button> <button>Checkout</button>'],
    ['a box of a bakery', '<p>12 cookies in your box · 18.00 €</p><button>Continue</button>'],
    ['a basket of a bakery', '<p>12 cookies in your box</p><button>OK</button><button>View basket</button>'],
    [
      'an author',
      '<p>Ann writes. Subscribe to her letters.</p><a href="/s">Subscribe</a> <a href="#c">Skip to comments</a>',
    ],
    ['a price', '<h3>49 €</h3><p>Register until May.</p><button>Register</button><button>Hide dates</button>'],
    [
      'a menu with the app',
      '<a href="/home">Taxi</a> <a href="/drive">Drive</a> <a href="/help">Help</a> <a href="/app">Get the app</a>',
    ],
    [
      'a header with a link to the app',
      '<a href="/">Harbour</a> <a href="/app">Open in app</a> <a href="/in">Sign in</a>',
    ],
  ])('%s', async (_, content) => {
    expect(await isHidden(bar(content))).toBe(false)
    expect(await isHidden(bar(content, 'sticky'))).toBe(false)
  })
})

describe('a header with a link to the app stays, however it links to the home page:', () => {
  it.each(['/en/home', '/index.html', './', '/de', '/de-at/', '{site}/', '{site}'])('%s', async (home) => {
    const links = `<a href="#main">Skip to content</a> <a href="${home.replace('{site}', site.url)}">Harbour</a> <a href="/app">Open app</a>`
    const header = `<div id="x" style="position:fixed;top:0;left:0;right:0;height:60px">${links}</div>`
    expect(await isHidden(header)).toBe(false)
  })
})

const FORM = '<form><input type="email"><input type="password"><button>Log in</button></form>'
const OFFER =
  '<h2>Join our newsletter</h2><p>Get 10% off your first order.</p><form><input type="email"><button>Subscribe</button></form>'
const CLOSE = '<button aria-label="Close">×</button>'
const inClosedRoot = (html: string) =>
  `<cookie-host></cookie-host><script>{
     const root = document.querySelector('cookie-host').attachShadow({ mode: 'closed' })
     root.innerHTML = ${JSON.stringify(html)}
     hiddenTarget = root.querySelector('#x')
   }</script>`
const WALL =
  '<h2>We value your privacy</h2><p>We and our 800 partners store cookies.</p><button>Accept all</button><button>Reject all</button>'

const BOTTOM = 'position:fixed;bottom:0;left:0;right:0;height:100px'

const hidden: [name: string, front: string, options?: Options][] = [
  [
    'a login sheet with a close button',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog" aria-modal="true">${CLOSE}<h2>See more from the harbour office</h2>${FORM}<a href="#">Create new account</a></div>`,
  ],
  [
    'a login wall without one',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog"><h2>Log in to continue</h2>${FORM}</div>`,
  ],
  [
    'a question for the date of birth',
    `${VEIL}<div id="x" style="${SHEET}"><h2>Enter your date of birth</h2><select><option>1990</select><button>Enter</button></div>`,
  ],
  [
    'a German question for the age',
    `${VEIL}<div id="x" style="${SHEET}"><h2>Altersprüfung</h2><p>Bist du schon 18 Jahre alt?</p><button>Ja</button><button>Nein</button></div>`,
  ],
  [
    'a question for the age that covers the page',
    `<div id="x" class="age-verification" style="position:fixed;inset:0;background:#000"><p>Are you over 18?</p><button>Yes</button><button>No</button></div>`,
  ],
  ['a newsletter in a dialog', `${VEIL}<div id="x" class="newsletter-modal" style="${SHEET}">${CLOSE}${OFFER}</div>`],
  [
    'a newsletter in a form whose fields hide its properties',
    `${VEIL}<form id="x" class="newsletter-modal" style="${SHEET}">${CLOSE}${OFFER.replaceAll(/<\/?form>/g, '')}<input name="children"><input name="style"></form>`,
  ],
  [
    'a newsletter within its own veil',
    `<div id="x" class="pum-overlay" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9"><div style="margin:100px auto;width:500px;background:#fff">${OFFER}<a href="#">No thanks</a></div></div>`,
  ],
  [
    'a newsletter in a real dialog',
    `<dialog id="x">${CLOSE}${OFFER}</dialog><script>document.querySelector('#x').showModal()</script>`,
  ],
  [
    'a newsletter above an opaque veil with its own opacity',
    `<div style="position:fixed;inset:0;background:#000;opacity:.5"></div><div id="x" style="${SHEET}" role="dialog">${OFFER}</div>`,
  ],
  [
    'a newsletter that slides in from a corner',
    `<div id="x" style="position:fixed;right:20px;bottom:20px;width:320px;height:220px">${CLOSE}${OFFER}</div>`,
  ],
  [
    'an image with a link that is put in front',
    `${VEIL}<div id="x" class="popup" style="${SHEET}"><a href="/sale"><img alt="" width="400" height="300" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></a><button>오늘 하루 보지 않기</button></div>`,
  ],
  [
    'a choice of a country',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog"><h2>Choose your country or region</h2><p>You are shipping to Norway.</p><button>Stay</button><button>Switch to Norway</button></div>`,
  ],
  [
    'a note about ad blockers',
    `${VEIL}<div id="x" style="${SHEET}" class="modal"><h2>You use an ad blocker</h2><p>Please allow ads.</p><button>I have turned it off</button></div>`,
  ],
  [
    'a request for notifications',
    `<div id="x" style="position:fixed;top:0;left:300px;width:400px;height:150px"><p>Harbour would like to send you notifications</p><button>Later</button><button>Allow</button></div>`,
  ],
  [
    'a banner of an app at the top',
    `<div id="x" style="position:fixed;top:0;left:0;right:0;height:80px"><a href="#" class="close">×</a><b>Harbour</b> Free - On the App Store <a href="https://apps.test/1">View</a></div>`,
  ],
  [
    'a bar of an app at the bottom',
    `<div id="x" style="position:fixed;bottom:0;left:0;right:0;height:80px"><a href="harbour://story">Open in app</a></div>`,
  ],
  [
    'a sheet of an app on a phone',
    `${VEIL}<div id="x" style="position:fixed;bottom:0;left:0;right:0;height:300px;background:#fff"><h2>See this post in the app</h2><button>Open app</button><button>Not now</button></div>`,
  ],
  [
    'a sheet that offers an app or the browser',
    `${VEIL}<div id="x" style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#fff"><h3>See this post in…</h3><div>Harbour <button>Open</button></div><div>Safari <button>Continue</button></div></div>`,
  ],
  [
    'a sheet that lets one stay in the browser',
    `<div id="x" role="dialog" style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#fff"><h3>Harbour is better with friends</h3><button>Get it</button><button>Continue in browser</button></div>`,
  ],
  [
    'a button of a chat',
    `<div id="x" class="intercom-lightweight-app"><div class="intercom-launcher" style="position:fixed;right:20px;bottom:20px;width:48px;height:48px;background:#06f" aria-label="Open Intercom Messenger"></div></div>`
      .replace('id="x" ', '')
      .replace('class="intercom-launcher"', 'id="x" class="intercom-launcher"'),
  ],
  [
    'a frame of a chat',
    `<iframe id="x" title="Button to launch messaging window" name="launcher" srcdoc="" style="position:fixed;right:0;bottom:0;width:112px;height:64px;border:0"></iframe>`,
  ],
  [
    'a link to a messenger',
    `<a id="x" href="https://wa.me/49123" style="position:fixed;left:16px;bottom:16px;width:60px;height:60px;background:#0c0"></a>`,
  ],
  [
    'a frame that asks for consent',
    `${VEIL}<iframe id="x" title="SP Consent Message" srcdoc="<p>Hm" style="position:fixed;left:10%;top:10%;width:80%;height:80%"></iframe>`,
  ],
  [
    'a frame without a name, whose text asks for consent',
    `<div id="x" style="position:fixed;inset:0"><iframe srcdoc="<p>We use cookies.<button>Accept</button>" style="width:100%;height:100%"></iframe></div>`,
  ],
  [
    'a nameless frame in front of a veil',
    `${VEIL}<iframe id="x" src="data:text/html,Hello" style="position:fixed;left:20%;top:20%;width:60%;height:60%"></iframe>`,
  ],
  [
    'a frame to log in with one tap',
    `<div id="x" style="position:fixed;top:20px;right:20px;width:391px;height:250px"><iframe src="https://accounts.google.com/gsi/iframe/select" style="width:100%;height:100%"></iframe></div>`,
  ],
  [
    'a consent wall in an open shadow root',
    `<div id="x"></div><script>document.querySelector('#x').attachShadow({mode:'open'}).innerHTML=${JSON.stringify(`<div style="position:fixed;inset:0;background:#fff">${WALL}</div>`)};hiddenTarget=document.querySelector('#x').shadowRoot.firstChild</script>`,
  ],
  [
    'a consent wall in a closed shadow root',
    inClosedRoot(`<div id="x" style="position:fixed;inset:0;background:#fff">${WALL}</div>`),
  ],
  [
    'a newsletter in a closed shadow root',
    inClosedRoot(
      `<div style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div><div id="x" style="${SHEET}" role="dialog">${OFFER}</div>`,
    ),
  ],
  [
    'a dialog in a full-screen application',
    `<div id="x" role="dialog" style="position:absolute;inset:100px;z-index:9;background:#fff">${CLOSE}<h2>New in harbour</h2><p>You can now sort boats.</p></div></div>`,
    { behind: `<div style="position:fixed;inset:0;overflow:auto">${ARTICLE}` },
  ],
  [
    'a newsletter that is placed in an element without a height',
    '',
    {
      behind: `<div style="position:relative;z-index:9"><div id="x" class="popup" style="position:absolute;top:150px;left:200px;width:600px;height:400px;z-index:1">${CLOSE}${OFFER}</div></div>${ARTICLE}`,
    },
  ],
  [
    'a dialog that is open from the start',
    `<dialog id="x" open style="top:200px;width:600px;height:300px">${CLOSE}${OFFER}</dialog>`,
  ],
  [
    'a consent bar that has prices of a subscription',
    `<div id="x" style="${BOTTOM}">We and our partners use cookies. Or subscribe for 2,99 € a month. <button>Accept</button><button>Pay now</button></div>`,
  ],
  [
    'a consent bar with links to the site',
    `<div id="x" style="position:fixed;top:0;left:0;right:0;height:80px"><a href="/index.html">Harbours</a> use cookies: <a href="/privacy">Privacy</a> <a href="/imprint">Imprint</a> <button>Accept</button></div>`,
  ],
  [
    'a banner of an app with links to the site',
    `<div id="x" style="position:fixed;top:0;left:0;right:0;height:80px"><button>Close</button><a href="/terms">Terms</a> Get the app <a href="/app">Open</a></div>`,
  ],
  [
    'a banner of an app with a link that stays on the page',
    `<div id="x" style="${BOTTOM}">Better in the app <a href="/app">Open</a> <a href="">Not now</a></div>`,
  ],
  [
    'an offer with a price',
    `<div id="x" style="${BOTTOM}">Get 10 € off your first order. <a href="/sale">Shop now</a> <button>×</button></div>`,
  ],
  [
    'an offer in German',
    `<div id="x" style="${BOTTOM}">Willkommensrabatt für neue Kunden. <a href="/sale">Mehr</a> <button>Schließen</button></div>`,
  ],
  [
    'a request to turn a blocker off',
    `${VEIL}<div id="x" style="${SHEET}" class="modal"><p>Your adblocker hides our ads.</p><button>Done</button></div>`,
  ],
  [
    'a banner of an app in Portuguese',
    `<div id="x" style="${BOTTOM}">Leia melhor no app. <a href="/app">Abrir</a></div>`,
  ],
  [
    'a newsletter that one skips',
    `<div id="x" style="${BOTTOM}">Subscribe to our letters. <a href="/s">Subscribe</a> <button>Skip</button></div>`,
  ],
  [
    'a bottom sheet that asks to subscribe',
    `<div id="x" style="position:fixed;bottom:0;left:0;right:0;height:260px;background:#fff"><h3>Keep reading with a free account</h3><button>Subscribe</button><a href="#">Not now</a></div>`,
  ],
]

/** A part of the page with something on it. */
const hero = (content: string, height = '500px') =>
  `<section style="position:relative;height:${height};background:#bdf">${content}</section>${ARTICLE}`
const DIM = (id: string) =>
  `<div id="${id}" style="position:absolute;inset:0;z-index:1;background:rgba(0,0,60,.6)"></div>`
const HERO_TEXT = '<h1>Learn to sail</h1><p>Sign up for a course.</p><a href="/c">See courses</a>'

const staying: [name: string, front: string, options?: Options][] = [
  [
    'a page that is a dialog',
    `<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h2>Share this boat</h2><p>Copy the link.</p></div>`,
    { behind: '' },
  ],
  [
    'a page that is a login form in a dialog',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h2>Log in</h2>${FORM}</div>`,
    { behind: '<h1>Harbour</h1>' },
  ],
  [
    'a login dialog whose URL was requested',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h2>Log in</h2>${FORM}</div>`,
    { url: 'https://harbour.test/login' },
  ],
  [
    'a demonstration of a dialog',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog" class="modal">${CLOSE}<h2>A modal</h2><p>Hello.</p></div>`,
    { title: 'Modal · Components' },
  ],
  [
    'a lightbox that the hash requests',
    `<div id="x" class="lightbox" style="position:fixed;inset:0;background:rgba(0,0,0,.8)">${CLOSE}<svg width="600" height="400"></svg><img alt="" width="700" height="500" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></div>`,
    { url: 'https://harbour.test/boats#photo-3' },
  ],
  [
    'a lightbox that the path requests',
    `<div id="x" class="lightbox" style="position:fixed;inset:0;background:rgba(0,0,0,.8)">${CLOSE}<img alt="" width="700" height="500" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></div>`,
    { url: 'https://harbour.test/post/1/photo/2' },
  ],
  [
    'a dialog that a parameter requests',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h2>All boats</h2></div>`,
    { url: 'https://harbour.test/rooms/1?modal=boats' },
  ],
  [
    'a dialog with the content of the page above a list',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h2>A blue boat at dawn</h2><p>For sale.</p></div>`,
    { title: 'A blue boat at dawn | Harbour' },
  ],
  [
    'an element that is captured',
    `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}${OFFER}</div>`,
    { element: '#x form' },
  ],
  [
    'a header',
    '<header id="x" style="position:sticky;top:0;height:60px"><a href="/home">Harbour</a> <a href="/n">Newsletter</a> <button>Close</button></header>',
  ],
  [
    'a footer',
    '<footer id="x" style="position:fixed;bottom:0;left:0;right:0;height:60px"><a href="/n">Newsletter</a> <a href="/c">Cookies</a> <a href="/p">Privacy</a></footer>',
  ],
  [
    'a sidebar',
    `<div id="x" style="position:fixed;left:0;top:0;bottom:0;width:240px"><nav><a href="/a">Start</a></nav></div>`,
  ],
  [
    'a full-screen application',
    `<div id="x" style="position:fixed;inset:0;background:#fff"><h1>Notes</h1><p>${TEXT.repeat(8)}</p><button>Close</button></div>`,
    { behind: '' },
  ],
  [
    'an application in front of a short text for search engines',
    `<div id="x" class="overlay" style="position:fixed;inset:0;background:#fff"><h1>Notes</h1><p>${TEXT.repeat(30)}</p><button>Close</button></div>`,
    { behind: `<p>${TEXT.repeat(5)}</p>` },
  ],
  [
    'a fixed picture behind the text',
    `<div id="x" style="position:fixed;inset:0;z-index:-1;background:linear-gradient(#fff,#eee)"></div>`,
  ],
  [
    'a fixed menu with an open list',
    `<div id="x" style="position:fixed;top:0;left:0;right:0;height:400px;background:#fff"><a href="/a">Boats</a><a href="/b">Rope</a><a href="/c">Cookies</a></div>`,
  ],
  [
    'a button to the top',
    `<button id="x" style="position:fixed;right:20px;bottom:20px;width:40px;height:40px">↑</button>`,
  ],
  [
    'a picture in a corner',
    `<div id="x" style="position:fixed;right:0;bottom:0;width:320px;height:180px"><video></video><button>Close</button></div>`,
  ],
  [
    'a recipe for cookies in a card above the page',
    `<div id="x" style="position:absolute;top:50px;left:50px;width:600px;height:500px;z-index:1"><h2>Cookies</h2><p>Mix the flour.</p><button>Accept the challenge</button><a href="/">Home</a></div>`,
  ],
  [
    'a consent wall with nothing behind it',
    `<div id="x" style="position:fixed;inset:0;background:#fff">${WALL}</div>`,
    { behind: '' },
  ],
  [
    'the text on a picture',
    '',
    {
      behind: hero(
        `<div id="x" class="hero-overlay" style="position:absolute;inset:0;z-index:2"><h1>Plant a tree</h1><p>Donate, or become a member.</p><a href="/donate">Donate</a></div>`,
      ),
    },
  ],
  [
    'the text on a picture that is as high as the viewport, on a layer that darkens it',
    '',
    {
      behind: hero(`${DIM('dim')}<div id="x" style="position:absolute;inset:0;z-index:2">${HERO_TEXT}</div>`, '100vh'),
    },
  ],
  [
    'what darkens a picture, behind a consent banner',
    `<div style="position:fixed;bottom:0;left:0;right:0;height:100px">We use cookies. <button>Accept</button></div>`,
    { behind: hero(`${DIM('x')}<div style="position:absolute;inset:0;z-index:2">${HERO_TEXT}</div>`, '100vh') },
  ],
  [
    'the text of a slide, in a slide',
    '',
    {
      behind: hero(
        `<div style="position:absolute;inset:0"><div id="x" class="carousel-overlay" style="position:absolute;inset:0;z-index:9"><h2>Boats</h2><p>Become a member.</p></div></div>`,
      ),
    },
  ],
  [
    'a dialog that is a part of the text',
    '',
    {
      behind: `<dialog id="x" open style="position:static;width:900px;height:600px"><h2>Section one</h2><p>${TEXT}</p><button>Close</button></dialog>${ARTICLE}`,
    },
  ],
  [
    'an application in a closed shadow root',
    inClosedRoot(`<div id="x" style="position:fixed;inset:0"><h1>Notes</h1><p>${TEXT.repeat(9)}</p></div>`),
    { behind: '' },
  ],
  [
    'a frame with the page in it',
    `<iframe id="x" src="data:text/html,Hello" style="position:fixed;inset:0;width:100%;height:100%"></iframe>`,
    { behind: '' },
  ],
]

describe('an overlay in front of a page that can be read behind it is hidden', () => {
  it.each(hidden)('%s', async (_, front, options) => {
    expect(await isHidden(front, options)).toBe(true)
  })
})

it('hides a dialog although a selector of the request matches something in it, if it first matches the page', async () => {
  const front = `${VEIL}<div id="x" style="${SHEET}" role="dialog">${CLOSE}<h1>Offer</h1>${OFFER}</div>`
  expect(await isHidden(front, { element: 'h1' })).toBe(true)
})

describe('a part of the page stays', () => {
  it.each(staying)('%s', async (_, front, options) => {
    expect(await isHidden(front, options)).toBe(false)
  })
})

it.each([
  ['blurred in several boxes', '#page{filter:blur(6px)}'],
  ['faint', '#page{opacity:.2;transition:opacity 9s}'],
])('shows a page clearly that was %s behind a dialog', async (_, styles) => {
  const note =
    '<p id="note" style="opacity:.4">Sold out</p><svg style="opacity:.3;filter:blur(2px)"><g opacity=".2"></g></svg>'
  const behind = `<div><div><div id="page">${ARTICLE}${note}</div></div></div><style>${styles}</style>`
  await show(`${VEIL}<div id="x" style="${SHEET}" role="dialog">${OFFER}</div>`, { behind })
  const shown = await page.evaluate(() =>
    ['#page', '#note'].map((selector) => {
      const { filter, opacity } = getComputedStyle(document.querySelector(selector)!)
      return { filter, opacity }
    }),
  )
  expect(shown).toEqual([
    { filter: 'none', opacity: '1' },
    { filter: 'none', opacity: '0.4' },
  ])
})

it('lets the page scroll again that a dialog has locked, and removes veil and blur', async () => {
  const front = `<div id="veil" style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div><div id="x" style="${SHEET}" role="dialog">${OFFER}</div><style>main{filter:blur(6px)}</style>`
  expect(await show(front)).toEqual({ isHidden: true, isLocked: false })
  const [veil, filter] = await page.evaluate(() => [
    document.querySelector('#veil')!.checkVisibility(),
    getComputedStyle(document.querySelector('main')!).filter,
  ])
  expect({ veil, filter }).toEqual({ veil: false, filter: 'none' })
})

describe('what scrolling is unlocked for:', () => {
  const cookies = bar('<p>We use cookies.</p><button>Accept</button>')
  const LOCKED = '<style>html,body{height:100%;overflow:hidden}</style>'
  const application = `${LOCKED}<div style="height:100%;overflow:auto">${ARTICLE}${ARTICLE}</div>`
  const pages: [name: string, front: string, behind: string, overflow: string][] = [
    ['a page, which keeps out of sight what is parked beside it', cookies, `${LOCKED}${ARTICLE}`, 'clip visible'],
    ['no application that scrolls in an element', cookies, application, 'hidden'],
    ['no application with a known banner', '<div class="known-banner"></div>', application, 'hidden'],
  ]
  it.each(pages)('%s', async (_, front, behind, overflow) => {
    await show(front, { behind })
    const overflows = await page.evaluate(() =>
      [document.documentElement, document.body].map((element) => getComputedStyle(element).overflow),
    )
    expect(overflows).toEqual([overflow, overflow])
  })
})

it('hides known banners by their selectors, also those that appear later', async () => {
  await show('<div class="known-banner" id="x">Hello.</div>')
  const isVisible = await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<p class="known-banner" id="later">Hello.</p>')
    return document.querySelector('#later')!.checkVisibility()
  })
  expect(isVisible).toBe(false)
})

it('hides others later without showing the known banners', async () => {
  await show(`<p class="known-banner" id="x">Hello.</p>`)
  await page.evaluate(
    (html) => document.body.insertAdjacentHTML('beforeend', html),
    bar('We use cookies. <button>OK</button>').replace('"x"', '"bar"'),
  )
  await hide({ url: 'https://harbour.test/story' }, undefined, true)
  const visible = await page.evaluate(() =>
    ['#x', '#bar'].filter((id) => document.querySelector(id)!.checkVisibility()),
  )
  expect(visible).toEqual([])
})

it('explains what was hidden before it looked again', async () => {
  const explainer = createExplainer()
  await page.setContent(`<body>${ARTICLE}${bar('We use cookies. <button>Accept</button>')}`)
  const url = 'https://harbour.test/story'
  await hide({ url }, explainer)
  await hide({ url }, explainer)
  expect(explainer.explain({ choice: '', fields: {} }).layers).toMatchObject([
    { isHidden: true, text: 'We use cookies. Accept', reason: 'asks for consent' },
  ])
})
