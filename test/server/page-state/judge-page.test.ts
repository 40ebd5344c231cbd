import { expect, it } from 'vitest'
import type { PageState } from '../../../src/query/index.js'
import { judgePage } from '../../../src/server/page-state/index.js'
import { observation, type ObservationOptions } from './observation.js'

const EMPTY = { text: '', hasContent: false }
const WHITE = { entropy: 0, dominant: '#ffffff' }
const FORM = { password: 1, text: 1, captcha: 0 }
const PICTURE = { count: 1, share: 0.9, frontShare: 0.9 }
const LOGIN = { title: 'Log in', text: 'Log in. Forgot your password?', fields: FORM }
const WALL = 'We and our partners use cookies. Read our privacy policy. Yes, I consent'

const cases: [PageState | undefined, string, ObservationOptions][] = [
  [undefined, 'an article', {}],
  ['bot-check', 'a header of a challenge', { headers: { 'cf-mitigated': 'challenge' }, document: { text: 'Hm.' } }],
  ['bot-check', 'a title of a check', { statusCode: 403, document: { title: 'Just a moment...', text: 'shop.test' } }],
  ['bot-check', 'its markup', { document: { text: '', html: '<div id="px-captcha"></div>' } }],
  [
    'bot-check',
    'its instructions',
    { statusCode: 503, document: { text: 'Bitte bestätigen Sie, dass Sie ein Mensch sind.' } },
  ],
  ['bot-check', 'a widget', { document: { text: 'Security check', fields: { password: 0, text: 0, captcha: 1 } } }],
  [
    'bot-check',
    'a check that paints nothing',
    { pixels: WHITE, document: { ...EMPTY, html: '<script>gokuProps={}</script>' } },
  ],
  [
    undefined,
    'markup that is quoted',
    { document: { text: 'Write id="px-captcha".', html: '<code>id="px-captcha"</code>' } },
  ],
  [
    undefined,
    'a form with a widget',
    { document: { text: 'Sign up. I am not a robot.', fields: { ...FORM, captcha: 1 } } },
  ],
  [undefined, 'an article on checks', { document: { text: 'Verify you are human: '.repeat(99) } }],
  ['bot-check', 'a puzzle', { document: { text: 'Faites glisser vers la droite pour compléter le puzzle.' } }],
  [
    'bot-check',
    'proof of work in German',
    { document: { text: 'Es wird sichergestellt, dass du kein Bot bist! Schwierigkeit: 4' } },
  ],
  [
    'bot-check',
    'a limited access with instructions for the administrator',
    {
      statusCode: 503,
      document: {
        title: 'Your access to this site has been limited by the site owner',
        text: `Your access to this service has been limited. ${'If you are an administrator, enter your address. '.repeat(25)}`,
      },
    },
  ],
  [
    'bot-check',
    'a header of a captcha server',
    { headers: { server: 'BitNinja Captcha Server' }, document: { text: 'Your address is on a list.' } },
  ],
  [
    'bot-check',
    'a check whose name is its title alone',
    {
      document: {
        title: '百度安全验证',
        text: '网络不给力,请稍后重试 返回首页 问题反馈',
        html: '<button>返回首页</button>',
      },
    },
  ],
  [
    'bot-check',
    'a puzzle of a login',
    { document: { text: 'Protecting your account. Please solve this puzzle so we know you are a real person.' } },
  ],
  ['bot-check', 'a slider', { document: { text: '为了账号安全,请按住滑块,拖动到最右边。' } }],
  ['bot-check', 'a form of a shop', { document: { text: 'Weiter', html: '<form action="/errors/validateCaptcha">' } }],
  [
    'bot-check',
    'a newer form of a shop',
    { document: { text: 'Weiter', html: '<form action="/errors_page/validateCaptcha">' } },
  ],
  [
    'bot-check',
    'long instructions below a title of a check',
    {
      document: {
        title: 'News - Are you a robot?',
        text: `We've detected unusual activity from your network. ${'Need help? '.repeat(60)}`,
      },
    },
  ],
  [
    undefined,
    'a long note that mentions a check',
    { document: { text: `Verify you are human, it said. ${'I wondered why. '.repeat(40)}` } },
  ],
  [
    undefined,
    'a poem with the title of a check',
    {
      document: {
        title: 'Verify you are human',
        text: 'Said the tree.',
        html: '<h1>Verify</h1>',
        hasActiveContent: false,
      },
    },
  ],

  ['blank', 'nothing painted', { pixels: WHITE, document: EMPTY }],
  ['blank', 'a dark shell', { pixels: { entropy: 0, dominant: '#0f172a' }, document: EMPTY }],
  ['blank', 'hidden text', { pixels: WHITE, document: { textChars: 0, text: '' } }],
  ['blank', 'covered text', { pixels: WHITE }],
  ['blank', 'a word of waiting', { document: { text: '読み込み中…' } }],
  ['blank', 'two phrases of waiting', { document: { text: 'Anwendung wird geladen, bitte warten …' } }],
  ['blank', 'a notice of a redirect', { document: { text: 'Redirecting you to the page…' } }],
  ['blank', 'a notice of a redirect that is coming', { document: { text: 'You will be redirected shortly.' } }],
  ['blank', 'a German notice of a redirect', { document: { text: 'Bitte warten, Sie werden weitergeleitet …' } }],
  ['blank', 'a French notice of a redirect', { document: { text: 'Redirection en cours...' } }],
  ['blank', 'a Spanish notice of a redirect', { document: { text: 'Redirigiendo… Por favor espere' } }],
  [undefined, 'a text about redirects', { document: { text: 'Redirecting you to the page is what a server does' } }],
  [undefined, 'a number of redirects', { document: { text: 'Redirection 4.2 for gardens' } }],
  ['blank', 'a phrase of waiting with a percentage', { document: { text: 'Loading... 42 %' } }],
  [
    undefined,
    'a phrase of waiting as the beginning of a sentence',
    { document: { text: 'Please wait. The next ship is at ten.' } },
  ],
  ['blank', 'what is loading', { document: { text: 'Loading Harbour…' } }],
  ['blank', 'what is loading, in German', { document: { text: 'Lade Übersicht' } }],
  [undefined, 'a notice that begins like waiting', { document: { text: 'Loading dock seven is closed on Sundays' } }],
  [undefined, 'a number behind a word of waiting', { document: { text: 'Loading dock 7' } }],
  [undefined, 'a percentage alone', { document: { text: '42 %' } }],
  ['blank', 'a spinner', { document: { ...EMPTY, isLoading: true } }],
  ['blank', 'no text in the document alone', { pixels: undefined, document: { ...EMPTY, title: '' } }],
  [undefined, 'metadata alone, if no screenshot is taken', { pixels: undefined, document: EMPTY }],
  ['blank', 'text behind a loader', { pixels: { entropy: 0.03, dominant: '#111111' }, document: { cover: '' } }],
  ['blank', 'text behind a word of waiting', { document: { cover: 'Loading… 42 %' } }],
  [undefined, 'a picture above text', { document: { cover: '' } }],
  [
    undefined,
    'a small picture alone',
    {
      pixels: { entropy: 0.03, dominant: '#ffffff' },
      document: { ...EMPTY, cover: '', media: { ...PICTURE, frontShare: 0 } },
    },
  ],
  [undefined, 'an empty document', { pixels: WHITE, document: { ...EMPTY, hasActiveContent: false } }],
  [undefined, 'a vivid colour', { pixels: { entropy: 0, dominant: '#33aa33' }, document: EMPTY }],
  [undefined, 'a canvas of one colour', { pixels: WHITE, document: { ...EMPTY, media: PICTURE } }],
  [undefined, 'an element of one colour', { pixels: WHITE, isWhole: false, document: EMPTY }],
  [undefined, 'a file', { pixels: WHITE, document: { ...EMPTY, contentType: 'image/png' } }],
  [undefined, 'a faint word', { pixels: { entropy: 0.004, dominant: '#ffffff' }, document: { text: 'A' } }],
  [undefined, 'a loader beside content', { document: { isLoading: true } }],

  ['error-page', 'a page of the browser', { url: 'chrome-error://chromewebdata/' }],
  ['error-page', 'status and title', { statusCode: 404, document: { title: 'Strona nie została znaleziona | Port' } }],
  ['error-page', 'a status with a message', { statusCode: 500, document: { title: '', text: 'Hm. That went wrong.' } }],
  [
    'error-page',
    'a soft 404',
    { document: { title: 'Error 404 (Not Found)!!1', text: 'We could not find it. Go back home.' } },
  ],
  [
    'error-page',
    'a soft 404 in Dutch',
    { document: { title: 'Pagina niet gevonden', text: 'De pagina die je zoekt is weg.' } },
  ],
  [
    'error-page',
    'a soft 404 in Czech',
    { document: { title: 'Obchod', headings: ['Stránka nenalezena'], text: 'Požadovaná stránka zde není.' } },
  ],
  [
    'error-page',
    'a soft 404 that begins with an interjection',
    { document: { title: '404', headings: ['¡Vaya! No encontramos la página que buscas'], text: 'Volver al inicio' } },
  ],
  [
    undefined,
    'an interjection',
    { document: { title: 'Oops! How we lost our server', text: 'Check back soon. '.repeat(40) } },
  ],
  ['error-page', 'a redirect to an error', { url: 'https://harbour.test/404', document: { text: 'Hm.' } }],
  ['error-page', 'one sentence', { document: { title: 'App', text: '404: This page could not be found.' } }],
  ['error-page', 'maintenance', { document: { title: 'Under maintenance', text: 'We are back soon.' } }],
  [
    'error-page',
    'a parked domain',
    { document: { text: 'Boats', html: '<script src="https://img.sedoparking.com/a.js">' } },
  ],
  [undefined, 'content with an error status', { statusCode: 404 }],
  [undefined, 'a canvas with an error status', { statusCode: 404, document: { text: 'Score: 0', media: PICTURE } }],
  [
    undefined,
    'a reference of status codes',
    { document: { title: '404 Not Found - HTTP', headings: ['404 Not Found'] } },
  ],
  [
    undefined,
    'an article on errors',
    { document: { title: 'How to design a 404 page', text: 'The page you are looking for.' } },
  ],
  [
    undefined,
    'an article whose subject is an error',
    {
      document: {
        title: 'Page not found: how the best sites tell their readers',
        headings: ['Page not found: how the best sites tell their readers'],
        text: `It says "The page you are looking for does not exist". ${'We asked why. '.repeat(60)}`,
      },
    },
  ],
  [
    'error-page',
    'a title that explains the error after a colon',
    {
      document: {
        title: 'Page not found: we looked, but the page you requested is not here',
        text: 'Go to homepage.',
      },
    },
  ],
  [
    'error-page',
    'a title that ends in an error',
    { document: { title: 'Harbour news: page not found', text: 'The page you are looking for is gone.' } },
  ],
  [
    undefined,
    'an error page that was requested',
    {
      requestedUrl: 'https://harbour.test/404',
      url: 'https://harbour.test/404',
      document: { title: '404', text: 'Go back home.' },
    },
  ],
  [
    'error-page',
    'a soft 404 of a content system',
    {
      document: {
        title: 'Page not found – Harbour shop',
        text: `Nothing was found at this location. ${'News. '.repeat(60)}`,
      },
    },
  ],
  [
    'error-page',
    'a message of a content system',
    {
      document: { title: 'WordPress › Error', text: 'There has been a critical error on this website. Ask for help.' },
    },
  ],
  [
    'error-page',
    'a domain without a site',
    {
      document: {
        title: 'harbour.test',
        text: 'Hier entsteht eine neue Internetpräsenz. Diese Domain ist registriert.',
      },
    },
  ],
  [
    'error-page',
    'a domain that is offered',
    {
      document: {
        title: 'harbour.test',
        headings: ['The domain name harbour.test is for sale'],
        text: `The domain name harbour.test is for sale. Make an offer. ${'Buyer protection. '.repeat(20)}`,
      },
    },
  ],
  [
    'error-page',
    'a domain that is named before its offer',
    {
      document: {
        title: 'Harbour.test is for sale | Domain Shop',
        headings: ['Harbour.test'],
        text: `This domain is for sale: $2,795. ${'Buyer protection. '.repeat(20)}`,
      },
    },
  ],
  [
    'error-page',
    'content of a network that its owner has hidden',
    {
      document: {
        title: 'Network',
        headings: ["This content isn't available right now"],
        text: `It's usually because the owner changed who can see it or it's been deleted. ${'Log in. '.repeat(50)}`,
      },
    },
  ],
  [
    'error-page',
    'a browser that is refused',
    { document: { title: 'App', text: 'Your browser is not supported. Please update it.' } },
  ],
  [
    undefined,
    'a table of browsers',
    { document: { title: 'Supported browsers', text: `Your browser is not supported? ${'Firefox 120. '.repeat(60)}` } },
  ],
  [
    'error-page',
    'a failed connection',
    {
      document: { title: 'harbour.test', headings: ["This site can't be reached"], text: 'It refused to connect.' },
    },
  ],
  [
    'error-page',
    'a video that is gone',
    { document: { title: 'Video', text: "Video unavailable. This video isn't available anymore." } },
  ],
  [undefined, 'a page of two words', { document: { title: '', text: 'It works!' } }],
  ['error-page', 'an uncaught error', { document: { title: '', text: 'Fatal error : Uncaught Error: no such file' } }],
  [
    'error-page',
    'a message about a host',
    { document: { title: 'Bravo', text: 'Votre domaine harbour.test a bien été créé.' } },
  ],
  [
    undefined,
    'a status page',
    { document: { title: 'Harbour Status', text: 'All is well. Nov 24 – Scheduled maintenance: two hours at night.' } },
  ],
  [
    undefined,
    'a short reference of a status code',
    {
      document: {
        title: '403 Forbidden - HTTP',
        headings: ['403 Forbidden', 'Status', 'Examples'],
        text: '403 Forbidden. The server refused to process the request.',
      },
    },
  ],
  [
    undefined,
    'a site that sells domains',
    {
      document: {
        title: 'Harbour Domains',
        text: `Is your domain for sale? Buy this domain. ${'Trust us. '.repeat(40)}`,
      },
    },
  ],

  ['consent', 'a wall', { document: { cover: WALL, labels: ['Yes, I consent'] } }],
  ['consent', 'a wall in a frame', { document: { cover: 'frame: sp_message_iframe_1 Message' } }],
  [
    'consent',
    'a page before the page',
    {
      url: 'https://consent.harbour.test/?continue=1',
      document: { text: `${WALL} Accept all`, labels: ['Accept all'] },
    },
  ],
  [
    'consent',
    'a page before the page in German, at its own address',
    {
      document: {
        title: 'Bevor Sie zu Google weitergehen',
        text: 'Wir verwenden Cookies und Daten. Alle ablehnen Alle akzeptieren',
        labels: ['Alle ablehnen', 'Alle akzeptieren'],
      },
    },
  ],
  [undefined, 'a wall that is wanted', { hidesBanners: false, document: { cover: WALL, labels: ['Yes, I consent'] } }],
  [undefined, 'a dialog on another matter', { document: { cover: 'Subscribe to our letter', labels: ['OK'] } }],
  [undefined, 'a wall without a button', { document: { cover: WALL } }],

  ['login', 'a redirect to a form', { url: 'https://harbour.test/login?next=%2Fstory', document: LOGIN }],
  ['login', 'a form at an address with an underscore', { url: 'https://harbour.test/users/sign_in', document: LOGIN }],
  ['login', 'a form that leads back', { url: 'https://harbour.test/members?return_to=%2Fstory', document: LOGIN }],
  [
    'login',
    'a wall of a network',
    {
      url: 'https://harbour.test/authwall?trk=1',
      document: { title: 'Sign Up', text: 'Join us', fields: FORM },
    },
  ],
  ['login', 'a form in place of the page', { statusCode: 403, document: LOGIN }],
  [
    'login',
    'a form in front of a page of which nothing is to be seen',
    {
      document: {
        text: 'Harbour. Log in to see the post. Create account',
        cover: 'Log in to see the post. Create account',
        fields: FORM,
        hasOwnMetadata: true,
      },
    },
  ],
  [
    undefined,
    'a form in front of a home page',
    {
      url: 'https://harbour.test/',
      requestedUrl: 'https://harbour.test/',
      document: { text: 'Log in to Harbour', cover: 'Log in to Harbour', fields: FORM, hasOwnMetadata: true },
    },
  ],
  [
    undefined,
    'a form in front of a page, which is wanted in the picture',
    {
      hidesBanners: false,
      document: { text: 'Log in to Harbour', cover: 'Log in to Harbour', fields: FORM, hasOwnMetadata: true },
    },
  ],
  ['login', 'a form on another host', { url: 'https://accounts.harbour.test/start', document: LOGIN }],
  [undefined, 'a form that was requested', { document: LOGIN }],
  [
    undefined,
    'a login page that was requested under another address',
    { requestedUrl: 'https://harbour.test/signin', url: 'https://harbour.test/login', document: LOGIN },
  ],
  [
    undefined,
    'a redirect to a story with a search field',
    { url: 'https://harbour.test/a', document: { fields: { ...FORM, password: 0 } } },
  ],
]

it.each([
  [
    'Apache2 Ubuntu Default Page: It works',
    'Apache2 Default Page',
    'It works! This is the default welcome page used to test the correct operation of the Apache2 server after installation on Ubuntu systems.',
  ],
  [
    'Apache2 Debian Default Page: It works',
    'Apache2 Debian Default Page',
    'This is the default welcome page used to test the correct operation of the Apache2 server after installation on Debian systems.',
  ],
  [
    'Test Page for the Apache HTTP Server',
    'Testing 123..',
    'This page is used to test the proper operation of the Apache HTTP server after it has been installed.',
  ],
  [
    'HTTP Server Test Page powered by CentOS',
    'HTTP SERVER TEST PAGE',
    'This page is used to test the proper operation of the HTTP server after it has been installed.',
  ],
  [
    'Welcome to nginx!',
    'Welcome to nginx!',
    'If you see this page, the nginx web server is successfully installed and working. Further configuration is required.',
  ],
])('judges the default page of a server as an error: %s', (title, heading, sentence) => {
  const text = `${heading} ${sentence} ${'Replace this file before you continue to operate your server. '.repeat(20)}`
  expect(judgePage(observation({ document: { title, headings: [heading], text } }))).toBe('error-page')
})

it.each(cases)('judges as %s: %s', (state, _, options) => {
  expect(judgePage(observation(options))).toBe(state)
})
