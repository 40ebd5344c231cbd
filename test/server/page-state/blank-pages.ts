import { ARTICLE, html, send, type MadePage } from './made-page.js'

const blank = (name: string, body: string, head = ''): MadePage => ({
  name,
  state: 'blank',
  route: html('App', body, head),
})

/** Pages of which nothing is painted, or only that they wait. */
export const blankPages: MadePage[] = [
  blank('missing-bundle', '<div id="root"></div><script src="/missing.js"></script>'),
  blank('failing-script', '<div id="root"></div><script>throw new Error("unsupported")</script>'),
  blank('idle-script', '<div id="app"></div><script>window.app = { started: true }</script>'),
  blank(
    'dark-shell',
    '<div id="root"></div><script src="/missing.js"></script>',
    '<style>body{background:#0f172a}</style>',
  ),
  blank('hidden-until-ready', `<div style="visibility:hidden">${ARTICLE}</div><script>window.a = 1</script>`),
  blank('transparent-until-ready', ARTICLE, '<style>body{opacity:0!important}</style><script>window.a = 1</script>'),
  blank('displayed-never', `<div style="display:none">${ARTICLE}</div><script>window.a = 1</script>`),
  blank(
    'below-a-curtain',
    `${ARTICLE}<div style="position:fixed;inset:0;background:#fff"></div><script>window.a = 1</script>`,
  ),
  blank(
    'below-a-curtain-with-a-ring',
    `${ARTICLE}<div style="position:fixed;inset:0;background:#111;display:flex;align-items:center;justify-content:center"><div style="width:60px;height:60px;box-sizing:border-box;border:4px solid #fff;border-top-color:transparent;border-radius:50%"></div></div><script>window.a = 1</script>`,
  ),
  blank(
    'below-a-curtain-with-a-word',
    `${ARTICLE}<div style="position:fixed;inset:0;background:#fff;text-align:center;padding-top:300px">Loading… 42 %</div><script>window.a = 1</script>`,
  ),
  blank(
    'pulsing-placeholders',
    '<div class="animate-pulse"><div class="bar"></div><div class="bar"></div></div><script>window.a = 1</script>',
    '<style>.bar{height:80px;margin:20px;background:#eee}</style>',
  ),
  blank('white-on-white', ARTICLE, '<style>body{color:#fff;background:#fff}</style>'),
  blank('only-loading', '<p style="text-align:center">Loading…</p><script>window.a = 1</script>'),
  blank('only-loading-in-chinese', '<p>加载中...</p><script>window.a = 1</script>'),
  blank(
    'only-a-spinner',
    '<div class="s"></div><script>window.a = 1</script>',
    '<style>.s{width:48px;height:48px;margin:200px auto;border:6px solid #ddd;border-top-color:#06c;border-radius:50%;animation:r 1s linear infinite}@keyframes r{to{transform:rotate(1turn)}}</style>',
  ),
  blank(
    'only-skeletons',
    '<div class="skeleton"></div><div class="skeleton"></div><script>window.a = 1</script>',
    '<style>.skeleton{height:80px;margin:20px;background:#eee}</style>',
  ),
  blank(
    'needs-javascript',
    '<div id="root">You need to enable JavaScript to run this app.</div><script>throw 1</script>',
  ),
  blank('broken-image', '<img src="/missing.png" width="20" height="20"><script>window.a = 1</script>'),
  blank(
    'empty-frame',
    '<iframe src="/empty-frame/inner" style="border:0;position:fixed;inset:0;width:100%;height:100%"></iframe>',
  ),
  blank('hidden-by-style-alone', ARTICLE, '<style>body{visibility:hidden}</style>'),
  blank('above-the-fold', `<div style="height:3000px"></div>${ARTICLE}<script>window.a = 1</script>`),
]

/** Pages that are painted late. */
export const latePages: MadePage[] = [
  {
    name: 'painted-after-two-seconds',
    state: undefined,
    route: html(
      'App',
      `<div id="root"></div><script>setTimeout(() => { document.getElementById('root').innerHTML = ${JSON.stringify(ARTICLE)} }, 2000)</script>`,
    ),
  },
  {
    name: 'shown-after-two-seconds',
    state: undefined,
    route: html(
      'App',
      `<div id="root" style="visibility:hidden">${ARTICLE}</div><script>setTimeout(() => { document.getElementById('root').style.visibility = '' }, 2000)</script>`,
    ),
  },
  {
    name: 'loaded-after-two-seconds',
    state: undefined,
    route: html(
      'App',
      `<div id="root">Loading...</div><script>setTimeout(() => { document.getElementById('root').innerHTML = ${JSON.stringify(ARTICLE)} }, 2000)</script>`,
    ),
  },
  {
    name: 'error-until-data-arrives',
    state: undefined,
    route: html(
      'App',
      `<div id="root"><h1>Something went wrong</h1><p>Please try again.</p></div>
       <script>fetch('/error-until-data-arrives/data').then((response) => response.text()).then((text) => { document.getElementById('root').innerHTML = text })</script>`,
    ),
    routes: {
      '/error-until-data-arrives/data': (_, response) => void setTimeout(() => send(ARTICLE)(_, response), 500),
    },
  },
]
