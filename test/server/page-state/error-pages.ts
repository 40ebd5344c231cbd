import { redirectTo } from '../../local-site.js'
import { ARTICLE, html, send, type MadePage } from './made-page.js'

const error = (name: string, body: string, status = 200): MadePage => ({
  name,
  state: 'error-page',
  route: send(body, { status }),
})
const NAVIGATION = `<nav>${['Home', 'News', 'Shop', 'Prices', 'About us', 'Contact', 'Imprint'].map((name) => `<a href="/">${name}</a> `).join('')}</nav>`

export const errorPages: MadePage[] = [
  error(
    'soft-404',
    html(
      'Page not found – Harbour shop',
      `${NAVIGATION}<h1>Page not found</h1><p>Sorry, the page you are looking for is no longer here.</p>`,
    ),
  ),
  error(
    'soft-404-of-a-framework',
    html('404: This page could not be found.', '<h1>404</h1><h2>This page could not be found.</h2>'),
  ),
  error(
    'soft-404-german',
    html(
      'Seite nicht gefunden | Hafenladen',
      `${NAVIGATION}<h1>Hoppla!</h1><p>Die gesuchte Seite gibt es hier nicht mehr.</p>`,
    ),
  ),
  error(
    'soft-404-japanese',
    html('ページが見つかりません | 港の店', '<h1>404</h1><p>お探しのページは移動したか、削除されました。</p>'),
  ),
  error(
    'soft-404-french',
    html('Oups', '<h1>Page introuvable</h1><p>La page demandée a été déplacée. Retour à l’accueil.</p>'),
  ),
  {
    name: 'redirects-to-404',
    state: 'error-page',
    route: redirectTo('/redirects-to-404/not-found'),
    routes: { '/redirects-to-404/not-found': html('Harbour shop', '<p>Hm. That is gone.</p>') },
  },
  error('no-site', html('Site not found · Pages', "<h1>404</h1><p>There isn't a GitHub Pages site here.</p>"), 404),
  error('no-app', html('No such app', '<h1>No such app</h1><p>There is no app configured at that hostname.</p>'), 404),
  error(
    'default-page',
    html(
      'Welcome to nginx!',
      '<h1>Welcome to nginx!</h1><p>The web server is successfully installed and working. Further configuration is required.</p>',
    ),
  ),
  error(
    'parked',
    html(
      'harbour.test',
      `<h1>harbour.test</h1><p>Related searches: boats, fish, rope</p><script src="https://img.sedoparking.com/a.js"></script>`,
    ),
  ),
  error(
    'for-sale',
    html('harbour.test', '<h1>This domain is for sale!</h1><p>Buy this domain for 900 €. Make an offer.</p>'),
  ),
  error(
    'maintenance',
    html(
      "We'll be back soon!",
      "<h1>We'll be back soon!</h1><p>Sorry, we are performing some maintenance at the moment.</p>",
    ),
    503,
  ),
  error(
    'maintenance-russian',
    html('Технические работы', '<h1>Ведутся технические работы</h1><p>Сайт скоро откроется. Попробуйте позже.</p>'),
  ),
  error(
    'server-error',
    '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>',
    502,
  ),
  error('plain-server-error', 'Internal Server Error', 500),
  error('database', html('Database Error', '<h1>Error establishing a database connection</h1>')),
  error(
    'client-side',
    html(
      'Shop',
      '<h2>Application error: a client-side exception has occurred (see the browser console for more information).</h2><script>window.a = 1</script>',
    ),
  ),
  error(
    'own-style-404',
    html('Not found | Harbour shop', `${NAVIGATION}<h1>Lost at sea</h1>${ARTICLE}<p>Read these instead.</p>`),
    404,
  ),
]

const WALL_TEXT = `We and our partners use cookies and personal data to show personalised ads and measure their reach. You can change your choice at any time.`

export const wallPages: MadePage[] = [
  {
    name: 'consent-by-unknown-button',
    state: 'consent',
    route: html(
      'News',
      `<main></main><div style="position:fixed;inset:0;background:rgba(0,0,0,.8);z-index:9"><div style="margin:80px auto;width:600px;background:#fff;padding:20px">
       <h2>Your choice</h2><p>${WALL_TEXT}</p><button>Yes, I consent</button> <button>Subscribe instead</button></div></div>`,
    ),
  },
  {
    name: 'consent-in-a-frame',
    state: 'consent',
    route: html(
      'News',
      `<main></main><div style="position:fixed;inset:0;z-index:9"><iframe id="sp_message_iframe_1" title="Message" src="/consent-in-a-frame/inner" style="width:100%;height:100%;border:0"></iframe></div>`,
    ),
    routes: { '/consent-in-a-frame/inner': html('Message', `<p>${WALL_TEXT}</p><button>OK</button>`) },
  },
  {
    name: 'consent-before-the-page',
    state: 'consent',
    route: redirectTo('/consent-before-the-page/consent?continue=%2F'),
    routes: {
      '/consent-before-the-page/consent': html(
        'Before you continue',
        `<h1>Before you continue</h1><p>${WALL_TEXT}</p><form><button>Reject all</button><button>Accept all</button></form>`,
      ),
    },
  },
  {
    name: 'consent-by-button-with-a-value',
    state: 'consent',
    route: redirectTo('/consent-by-button-with-a-value/v2/collectConsent?sessionId=1'),
    routes: {
      '/consent-by-button-with-a-value/v2/collectConsent': html(
        'Harbour News',
        `<h1>Harbour News</h1><p>${WALL_TEXT}</p><form method="post"><button name="choice" value="all">Accept all</button></form>`,
      ),
    },
  },
  {
    name: 'consent-japanese',
    state: 'consent',
    route: html(
      'ニュース',
      `<main></main><div style="position:fixed;inset:0;background:#fff;z-index:9"><p>当サイトではデータを収集します。プライバシーに関する設定を選んでください。</p><span role="button">同意して続ける</span></div>`,
    ),
  },
  {
    name: 'members-only',
    state: 'login',
    route: redirectTo('/members-only/login?next=%2Fmembers-only'),
    routes: {
      '/members-only/login': html(
        'Log in',
        '<h1>Log in</h1><form><input name="user"><input type="password"><button>Log in</button></form>',
      ),
    },
  },
  {
    name: 'mitglieder',
    state: 'login',
    route: redirectTo('/mitglieder/konto?return_to=%2Fmitglieder'),
    routes: {
      '/mitglieder/konto': html(
        'Mein Konto',
        '<h1>Anmelden</h1><form><input type="email"><input type="password"><button>Weiter</button></form>',
      ),
    },
  },
  {
    name: 'members-in-two-steps',
    state: 'login',
    route: redirectTo('/members-in-two-steps/signin/identifier'),
    routes: {
      '/members-in-two-steps/signin/identifier': html(
        'Sign in - Accounts',
        '<h1>Sign in</h1><form><input type="email"><button>Next</button></form>',
      ),
    },
  },
]
