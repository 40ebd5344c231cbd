// Covers `judgeDocument`: what a response alone, without a browser, shows of the state of a page, and that its title is not used then.
import { describe, expect, it } from 'vitest'
import type { PageState } from '../../../src/query/index.js'
import { judgeDocument } from '../../../src/server/page-state/index.js'
import { pageSite } from '../page/page-site.js'
import { botCheckPages } from './bot-check-pages.js'
import { errorPages, wallPages } from './error-pages.js'
import { ARTICLE, html, type MadePage } from './made-page.js'
import { plainPages } from './plain-pages.js'

const STORY = 'https://harbour.test/story'

interface Response {
  html: string
  status?: number
  headers?: Record<string, string>
  /** Default: the requested one. */
  url?: string
  requestedUrl?: string
}

const judge = ({ html, status = 200, headers = {}, requestedUrl = STORY, url = requestedUrl }: Response) =>
  judgeDocument({ requestedUrl, url, statusCode: status, headers, contentType: 'text/html', html })

const SCRIPT = '<script src="/app.js"></script>'
const META = '<meta name="description" content="Boats and rope."><meta property="og:title" content="Harbour">'
const MENU = '<nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/login">Log in</a></nav>'
const FORM = '<form><input type="email" name="user"><input type="password" name="secret"><button>Log in</button></form>'
const HTTP_REFERENCE = `<h1>404 Not Found</h1><p>The server cannot find the requested resource.</p><h2>Status</h2><pre>404 Not Found</pre><h2>See also</h2><p>410 Gone</p>`

const states: [PageState, string, Response][] = [
  [
    'error-page',
    'the page of a web server',
    {
      status: 404,
      html: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>',
    },
  ],
  [
    'error-page',
    'the page of another web server, whose head is not closed',
    {
      status: 403,
      html: '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>403 Forbidden</title><body><h1>Forbidden</h1><p>You don\'t have permission to access this resource.</p><hr><address>Apache/2.4 Server at harbour.test Port 443</address>',
    },
  ],
  [
    'error-page',
    'the page of a theme, with a menu and a sidebar',
    {
      status: 404,
      html: html(
        'Page not found – Harbour',
        `${MENU}<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location.</p>${ARTICLE}${SCRIPT}`,
        META,
      ),
    },
  ],
  [
    'error-page',
    'a framework that renders its error on the server',
    {
      status: 404,
      html: html(
        '404: This page could not be found.',
        `<div id="__next"><h1>404</h1><h2>This page could not be found.</h2></div><script id="__NEXT_DATA__" type="application/json">{"page":"/_error"}</script>${SCRIPT}`,
      ),
    },
  ],
  [
    'error-page',
    'a shop whose missing page has status 200',
    {
      html: html(
        '404 Not Found – Rope shop',
        `${MENU}<h1>404 Page Not Found</h1><p>The page you requested does not exist. Click here to continue shopping.</p>${SCRIPT}`,
        META,
      ),
    },
  ],
  [
    'error-page',
    'a network that has no such page',
    {
      html: html(
        'Page Not Found | Network',
        `<h1>Sorry, this page isn't available.</h1><p>The link you followed may be broken, or the page may have been removed.</p>`,
      ),
    },
  ],
  [
    'error-page',
    'too many requests',
    {
      status: 429,
      html: html(
        'Too Many Requests',
        '<h1>Too Many Requests</h1><p>I only allow 50 requests per hour to this Web site per logged in user. Try again soon.</p>',
      ),
    },
  ],
  [
    'error-page',
    'a refusal for legal reasons',
    {
      status: 451,
      html: html('451: Unavailable due to legal reasons', `<h1>Unavailable due to legal reasons</h1>${ARTICLE}`),
    },
  ],
  [
    'error-page',
    'a method that is not allowed',
    {
      status: 405,
      html: html('405 Method Not Allowed', '<h1>Method Not Allowed</h1><p>The method is not allowed.</p>'),
    },
  ],
  ['error-page', 'a message alone', { status: 500, html: 'Internal Server Error' }],
  [
    'error-page',
    'a message of a proxy',
    { status: 504, html: html('504 Gateway Time-out', '<center><h1>504 Gateway Time-out</h1></center>') },
  ],
  [
    'error-page',
    'maintenance',
    {
      status: 503,
      html: html('Briefly unavailable', 'Briefly unavailable for scheduled maintenance. Check back in a minute.'),
    },
  ],
  [
    'error-page',
    'a redirect to the page of an error',
    { url: 'https://harbour.test/404', html: html('Harbour', '<p>Hm. Gone.</p>') },
  ],
  [
    'error-page',
    'a document that cannot be opened',
    {
      status: 404,
      html: html(
        'Page Not Found',
        '<p>Sorry, unable to open the file at present.</p><p>Please check the address and try again.</p><script>x()</script>',
      ),
    },
  ],
  [
    'bot-check',
    'a check in its own words',
    {
      html: html(
        'One moment, please...',
        '<h1>Please wait while your request is being verified...</h1><script>setTimeout(() => {}, 1e6)</script>',
      ),
    },
  ],
  [
    'bot-check',
    'a check of a shop',
    {
      html: html(
        'Shop',
        `<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot.</p><form action="/errors/validateCaptcha"><input name="field"></form>`,
      ),
    },
  ],
  [
    'bot-check',
    'a check with a widget',
    { status: 403, html: html('harbour.test', `<p>Security check</p><div class="h-captcha"></div>${SCRIPT}`) },
  ],
  [
    'bot-check',
    'a refusal of a firewall with status 200',
    {
      html: '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>',
    },
  ],
  [
    'bot-check',
    'a check of a forum that its scripts solve',
    {
      html: html(
        'Forum - Please wait for verification',
        '<p>Please wait for verification</p><form hidden><input name="solution"><input name="js_challenge" value="1"></form><script>x()</script>',
      ),
    },
  ],
  [
    'bot-check',
    'a check that is nothing but a script, with status 401',
    {
      status: 401,
      html: '<!DOCTYPE html><html><head><meta charset="utf-8"><noscript><meta http-equiv="refresh" content="0; url=/qrerror"></noscript></head><body><script src="/__qrator/qauth_utm_v2d.js"></script></body></html>',
    },
  ],
  [
    'bot-check',
    'a check whose elements are all hidden',
    {
      html: '<html><head><meta charset="utf-8"></head><body><p id="rs" style="display:none"></p><p id="wci" class="_wafchallengeid" style="display:none"></p><div style="display:none">Please wait...</div><script src="/waforigin/slardar.js"></script></body></html>',
    },
  ],
  [
    'bot-check',
    'a check whose text fades in',
    {
      status: 403,
      html: `<html><head><title>harbour.test</title></head><body><p id="cmsg">…</p><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src="/c.js"></script></body></html>`,
    },
  ],
  [
    'bot-check',
    'a check of a host that refreshes to it',
    {
      status: 202,
      html: '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Fstory&y=ipc:1"></meta></head></html>',
    },
  ],
  [
    'login',
    'a redirect to a form that scripts add',
    {
      url: 'https://harbour.test/accounts/login/?next=%2Fstory',
      html: html('Login • Harbour', `<div id="splash-screen"></div><div id="mount_0_0"></div>${SCRIPT}`, META),
    },
  ],
  [
    'login',
    'a redirect to a form of a team that needs no password',
    {
      url: 'https://harbour.test/?redir=%2Fstory',
      html: html(
        'Login | Chat',
        `<h1>Sign in to Harbour</h1><form><input type="email" name="email"><button>Sign in with email</button></form>${SCRIPT}`,
        META,
      ),
    },
  ],
  [
    'login',
    'a redirect to the accounts of a large company',
    {
      url: 'https://accounts.harbour.test/v3/signin/identifier?continue=x',
      html: html(
        'Sign in - Harbour Accounts',
        `<h1>Sign in</h1><form><input type="email"><button>Next</button></form>${SCRIPT}`,
      ),
    },
  ],
  [
    'login',
    'a redirect to the form of a wiki',
    {
      url: 'https://harbour.test/login.action?os_destination=%2Fstory',
      html: html('Log In - Wiki', `<h2>Log in</h2>${FORM}`),
    },
  ],
  [
    'login',
    'a redirect to the form of a blog',
    { url: 'https://harbour.test/wp-login.php?redirect_to=x', html: html('Log In ‹ Harbour', FORM) },
  ],
  [
    'login',
    'a redirect to the form of a code host',
    { url: 'https://harbour.test/users/sign_in', html: html('Sign in · Code', `<h1>Code</h1>${FORM}`) },
  ],
  ['login', 'a form in place of the page', { status: 403, html: html('Harbour', `<h1>Members only</h1>${FORM}`) }],
  [
    'consent',
    'a redirect to a wall',
    {
      url: 'https://consent.harbour.test/v2/collectConsent?sessionId=1',
      html: html('Harbour', '<h1>Harbour</h1><button>Accept all</button>'),
    },
  ],
  [
    'consent',
    'a wall at the address of the page',
    {
      html: html(
        'Before you continue to Video',
        '<h1>Before you continue</h1><p>We use cookies and data.</p><button>Reject all</button><button>Accept all</button>',
      ),
    },
  ],
]

const contents: [string, Response][] = [
  [
    'a redirect to the page of a newsletter, with a form to sign up',
    {
      url: 'https://harbour.test/start?redirect=%2Fstory',
      html: html(
        'Harbour',
        `<h1>Sign up for the letter</h1><form><input type="email"><button>Sign up</button></form>${SCRIPT}`,
        META,
      ),
    },
  ],
  [
    'a redirect to an article on logging in',
    {
      url: 'https://harbour.test/help/sign-in',
      html: html('How to sign in', `<h1>How to sign in</h1>${ARTICLE}${SCRIPT}`, META),
    },
  ],
  ['a blog on limits', { html: html('Too many requests', `<h1>Too many requests</h1>${ARTICLE}`) }],
  [
    'an explanation of a refusal',
    {
      html: html(
        'What does "Request Rejected" mean?',
        `<h1>What does "Request Rejected" mean?</h1><p>Please consult with your administrator, it says.</p>${ARTICLE}`,
        META,
      ),
    },
  ],
  ['a short reference of a status', { html: html('404 Not Found - HTTP', HTTP_REFERENCE) }],
  [
    'a reference of a status',
    { html: html('404 Not Found - HTTP | Reference', `${HTTP_REFERENCE}${ARTICLE}${ARTICLE}${ARTICLE}`) },
  ],
  [
    'a topic of a forum about an error',
    {
      html: html(
        'Something went wrong - Support - Forum',
        `<h1>Something went wrong</h1><p>It says "please try again". What now?</p><script type="application/ld+json">{"@type":"DiscussionForumPosting","datePublished":"2026-01-01"}</script>${SCRIPT}`,
      ),
    },
  ],
  [
    'an article on errors',
    {
      html: html(
        'Page not found',
        `<h1>Page not found</h1><p>The page you are looking for, it says.</p>`,
        '<meta property="article:published_time" content="2026-01-01">',
      ),
    },
  ],
  [
    'an article on a redesign of an error page',
    { html: html('How we redesigned our 404 page | Blog', `<h1>How we redesigned our 404 page</h1>${ARTICLE}`) },
  ],
  ['an article at an error status', { status: 404, html: html('The harbour', `<h1>The harbour</h1>${ARTICLE}`) }],
  [
    'an application that is sent with status 404',
    {
      status: 404,
      html: html(
        'Harbour',
        `<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>${SCRIPT}`,
      ),
    },
  ],
  [
    'an application that says to wait',
    { status: 404, html: html('Harbour', `<div id="root">Loading…</div>${SCRIPT}`) },
  ],
  [
    'an application with its own message for failures',
    {
      html: html(
        'Harbour',
        `<div id="root"></div><div class="hidden"><h1>Something went wrong</h1><p>Please try again.</p></div>${SCRIPT}`,
      ),
    },
  ],
  [
    'an application whose message for failures a style sheet hides',
    {
      html: html(
        'Harbour',
        `<div id="root"></div><div id="failed"><p>Something went wrong.</p><button>Try again</button></div>${SCRIPT}`,
      ),
    },
  ],
  [
    'an application with a note for old browsers',
    { html: html('Harbour', `<div class="old">Your browser is not supported</div><div id="app"></div>${SCRIPT}`) },
  ],
  [
    'a page with an error status and a title of its own',
    { status: 410, html: html('Harbour', `<p>This boat has sailed.</p>${SCRIPT}`) },
  ],
  ['a page on logging in', { html: html('How to log in', `<h1>Log in</h1><p>Open the form.</p>${FORM}`) }],
  ['a form that was requested', { requestedUrl: 'https://harbour.test/login', html: html('Log in', FORM) }],
  [
    'a redirect to a story with a form in its header',
    { url: 'https://harbour.test/2026/story', html: html('Story', `${MENU}${FORM}<h1>Story</h1>${ARTICLE}`) },
  ],
  [
    'a redirect to another host',
    { url: 'https://www.harbour.test/story', html: html('Story', `<h1>Story</h1>${FORM}${ARTICLE}`) },
  ],
  [
    'a page with a banner in its HTML',
    {
      html: html(
        'Harbour',
        `<div class="banner"><h2>We value your privacy</h2><p>We use cookies.</p><button>Accept all</button></div><h1>The harbour</h1><p>It was quiet.</p>`,
      ),
    },
  ],
  [
    'a statement on cookies',
    {
      html: html('Cookies', `<h1>Cookies</h1><p>We use cookies. Privacy matters.</p><button>Accept</button>${ARTICLE}`),
    },
  ],
  [
    'a recipe',
    { html: html('Oatmeal cookies', `<h1>Oatmeal cookies</h1><p>Mix it all. Allow to cool.</p><button>OK</button>`) },
  ],
  [
    'an article on bot checks',
    {
      html: html(
        'Verify you are human: how captchas work',
        `<h1>How captchas work</h1><p>Verify you are human.</p>${ARTICLE}`,
        META,
      ),
    },
  ],
  [
    'a contact form with a widget',
    {
      html: html(
        'Contact',
        `<h1>Contact</h1><form><input name="name"><input type="email"><textarea></textarea><div class="g-recaptcha"></div></form>`,
      ),
    },
  ],
  ['a song', { html: html('Just a moment', `<h1>Just a moment</h1><p>${'La la la. '.repeat(400)}</p>`) }],
  [
    'a status page',
    {
      html: html(
        'Harbour Status',
        `<h1>All systems operational</h1><p>Nov 24 – Scheduled maintenance: two hours.</p>${SCRIPT}`,
      ),
    },
  ],
  [
    'a page with much style before its text',
    {
      html: html(
        'Maintenance',
        `<h1>Maintenance</h1>${ARTICLE.repeat(3)}`,
        `<style>${'.a{color:red}'.repeat(30_000)}</style>`,
      ),
    },
  ],
  [
    'a page on maintenance, whose first million characters are style',
    {
      html: html(
        'Maintenance',
        `<h1>Maintenance</h1><p>Back soon.</p>`,
        `<style>${'.a{color:red}'.repeat(90_000)}</style>`,
      ),
    },
  ],
]

describe('a document alone', () => {
  it.each(states)('is judged as %s: %s', (state, _, response) => {
    expect(judge(response)).toBe(state)
  })

  it.each(contents)('is judged as content: %s', (_, response) => {
    expect(judge(response)).toBeUndefined()
  })

  it('that is no HTML is an error by its status alone, except for media', () => {
    const file = { requestedUrl: STORY, url: STORY, headers: {}, html: undefined }
    const judgeFile = (statusCode: number, contentType: string) => judgeDocument({ ...file, statusCode, contentType })
    expect(judgeFile(404, 'application/json')).toBe('error-page')
    expect(judgeFile(404, 'text/plain')).toBe('error-page')
    expect(judgeFile(404, 'image/png')).toBeUndefined()
    expect(judgeFile(200, 'text/plain')).toBeUndefined()
  })
})

/** Pages that show what they are only to a browser. */
const NEEDS_BROWSER = new Set(['consent-by-unknown-button', 'consent-in-a-frame', 'consent-japanese'])

describe('a page as it is read', () => {
  it.each([
    ['bot checks', botCheckPages],
    ['errors', errorPages],
    ['walls', wallPages],
    ['content', plainPages],
  ])('is judged by its document: %s', async (_, pages) => {
    const site = await pageSite(
      Object.assign({}, ...pages.map(({ name, route, routes }) => ({ [`/${name}`]: route, ...routes }))) as Record<
        string,
        MadePage['route']
      >,
    )
    for (const { name, path = `/${name}`, state } of pages) {
      const expected = NEEDS_BROWSER.has(name) ? undefined : state
      const result = await site.read({}, path)
      expect([name, result.state]).toEqual([name, expected])
    }
  })

  it('has no title of an error, but its address, its status and its icon', async () => {
    const site = await pageSite({
      '/story': (_, response) => void response.writeHead(302, { location: '/404' }).end(),
      '/404': (_, response) =>
        void response
          .writeHead(404, { 'content-type': 'text/html' })
          .end(html('404 Not Found', '<h1>404 Not Found</h1>', META)),
    })
    expect(await site.read({}, '/story')).toMatchObject({
      state: 'error-page',
      statusCode: 404,
      data: {
        title: null,
        description: null,
        image: null,
        url: `${site.url}/story`,
        logo: { url: `${site.url}/favicon.ico` },
      },
    })
  })
})

describe('a paywall in place of an article', () => {
  const OFFERS =
    '<p>Try unlimited access. Only $1 for 4 weeks, then $75 per month.</p><a href="/subscribe">Start trial</a><a href="/login">Already a subscriber? Sign in</a>'
  const wall = (title: string, body = '') => html(title, `<h1>${title.split(' | ')[0]}</h1>${OFFERS}${body}`, META)

  it.each([
    'Subscribe to read',
    'Subscribe to read | The Harbour Times',
    'Subscribe to continue reading - The Harbour Times',
    'Register to read – Harbour',
    'This article is for subscribers only.',
    'Article réservé aux abonnés',
    'Dieser Artikel ist nur für Abonnenten',
    'Contenuto riservato agli abbonati',
  ])('is not the page: %s', (title) => expect(judge({ html: wall(title) })).toBe('login'))

  it.each<[what: string, response: Response]>([
    ['a paywall with the title of its article', { html: wall('Rates will not fall | The Harbour Times') }],
    [
      'a teaser before a paywall',
      { html: html('Rates will not fall', `<p>Money.</p><h2>Subscribe to read</h2>${OFFERS}`) },
    ],
    ['an article about paywalls', { html: wall('Subscribers only: how papers live') }],
    [
      'a story with such a name',
      { html: html('Subscribe to read', `<h1>Subscribe to read</h1>${ARTICLE.repeat(20)}`) },
    ],
    ['a list of offers', { html: wall('Subscribe to read'), requestedUrl: 'https://harbour.test/subscribe' }],
    ['a page to register', { html: wall('Register to read'), requestedUrl: 'https://harbour.test/account/register' }],
    ['a library', { html: wall('Register to read aloud') }],
  ])('is not %s', (_, response) => expect(judge(response)).toBeUndefined())
})

it('an error in a shadow root of the HTML is judged as in the document', () => {
  const message = '<h1>Page not found</h1><p>The page that you were looking for does not exist.</p>'
  const body = `<my-app><template shadowrootmode="open">${message}</template></my-app>`
  expect(judge({ html: html('Harbour', body), status: 404 })).toBe('error-page')
})
