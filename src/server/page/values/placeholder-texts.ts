// Texts in place of the name or the description of a page.
import { saysToWait } from '../../page-state/index.js'

const list = (texts: string) => texts.split('|').map((text) => text.trim().replace(/\s+/g, ' '))

/** The start of a text that is compared. */
const MAX_CHARS = 200

/** Names of kinds of pages. */
const KINDS = new Set(
  list(`
    home | homepage | home page | index | welcome | page | document | article | blog | forum | forums | news | start | startseite |
    accueil | actualités | inicio | início | noticias | notícias | nachrichten | strona główna | aktualności | главная | новости |
    首页 | 首頁 | 新闻 | 新聞 | ホーム | ニュース | 뉴스 | الرئيسية`),
)

/** What editors call a new page, and text processors a new document; often with a number. */
const NEW_PAGES = new Set(
  list(`
    untitled | untitled document | untitled page | new page | new document | page | document | neue seite | unbenannt | unbenannte seite |
    unbenanntes dokument | sans nom | sans titre | document sans nom | document sans titre | nouvelle page | sin título |
    documento sin título | documento sin nombre | página sin título | nueva página | senza nome | senza titolo |
    documento senza nome | documento senza titolo | nuova pagina | sem título | documento sem título | página sem título |
    naamloos | naamloos document | nieuwe pagina | bez tytułu | nowa strona | без названия | без имени | новая страница |
    無題 | 無題ドキュメント | 無題の文書 | 无标题 | 无标题文档 | 无标题页 | 無標題 | 無標題文件 | 新建网页 | 제목 없음 | 새 페이지`),
)

const MAX_GENERIC_CHARS = 40

/** Whether a text names a kind of page rather than this page or its site: `Home`, `News`, `Untitled`, `New Page 1`. */
export function isGeneric(text: string): boolean {
  if (text.length > MAX_GENERIC_CHARS) return false
  return KINDS.has(text.toLowerCase()) || isNewPage(text)
}

/** Whether a title is the one that an editor has given to a new page. */
export const isNewPage = (title: string): boolean =>
  title.length <= MAX_GENERIC_CHARS && NEW_PAGES.has(title.toLowerCase().replace(/[- ]?\d{1,3}$/, ''))

/** What sites call the version of a page that is to be printed. */
const PRINT_VERSIONS = new Set(
  list(`
    print version | print view | print page | print this page | printable version | printable page | printer friendly |
    printer friendly version | printer friendly page | printer-friendly | printer-friendly version | printer-friendly page |
    druckversion | druckansicht | druckvorschau | artikel drucken | version imprimable | version à imprimer |
    versión para imprimir | versión imprimible | versione stampabile | versione per la stampa |
    versão para impressão | versão para imprimir | afdrukversie | printversie | wersja do druku | версия для печати |
    印刷用ページ | 印刷用 | 打印版 | 打印本页 | 列印`),
)

/** Whether a part of a title says that the page is to be printed. */
export const isPrintVersion = (part: string): boolean => PRINT_VERSIONS.has(part.trim().toLowerCase())

/** What programs write in place of a missing value. */
const PLACEHOLDERS =
  /^(undefined|null|nil|nan|none|n\/?a|fail(ed)?|false|true|todo|tbd|unknown|not (set|found|available)|default|empty|string|placeholder|\(no title\)|no (title|author|description)|(your|my) (site|website|name) ?(name|title|here)?|[-–—.…_?*#[\]()\s]+)$/i

/** Templates that were not filled in, objects that were converted to text, and filler text. */
const TEMPLATES = ['{{', '}}', '{%', '<%', '%>', '${', '[object ', 'lorem ipsum']

/** Whether a text stands for a value that is missing: `undefined`, `{{title}}`, `%title%`, `[object Object]`, `Lorem ipsum`. */
export function isPlaceholder(text: string): boolean {
  const start = text.slice(0, MAX_CHARS).trim().toLowerCase()
  return (
    PLACEHOLDERS.test(start) ||
    TEMPLATES.some((mark) => start.includes(mark)) ||
    /^%[\w.%]+%$/.test(start) ||
    SEO_VARIABLE.test(start)
  )
}

/** Variables of plugins that write the head of a page: `%%title%% %%sep%% %%sitename%%`, `%title% %sep%`. */
const SEO_VARIABLE =
  /%%[a-z_]{1,30}%%|%(?:title|sep|sitename|site_title|sitedesc|post_title|page_title|excerpt|post_excerpt|blog_title)%/

/** Titles that tools write into new projects; folded with `fold`. */
const PROJECT_TITLES = new Set(
  list(`
    react app | react app template | my react app | react redux app | react boilerplate | react starter | react.js app |
    vite app | vite + react | vite + react + ts | vite + react + tsx | vite + preact | vite + preact + ts | vite + vue |
    vite + vue + ts | vite + svelte | vite + svelte + ts | vite + solid | vite + solid + ts | vite + lit | vite + lit + ts |
    vite + ts | vite + typescript | vite + js | vite react app | solid app | svelte app | sveltekit app | create next app |
    next.js app | next app | nextjs app | nuxt app | nuxt 3 app | nuxt.js app | welcome to nuxt! | vue app | vue.js app | vuejs app |
    quasar app | vuetify app | vuetify 3 app | welcome to your vue.js app | angular app | my angular app | angularjs app |
    ionic app | ionic react app | ionic angular app | expo app | react native web | preact app | preact-cli-app | ember app |
    webpack app | html webpack app | html webpack plugin | parcel app | parcel sandbox | rollup app | gatsby app |
    gatsby default starter | remix app | new remix app | new react router app | astro app | qwik app | welcome to qwik |
    flutter demo | flutter app | flutter web app | blazor app | blazorapp | blazorwasm | yew app | leptos app | elm app |
    polymer app | polymer starter kit | tauri app | tauri + react | electron app | capacitor app | framework7 app | t3 app |
    create t3 app | redwood app | blitz app | lovable app | lovable generated project | bolt app | base44 app | replit app |
    my-app | myapp | my new app | my-project | single page application | untitled document | untitled page | html document |
    html5 document | site title | page title | your title here | hello world`),
)

/** Further titles that say nothing, unless the page has them as its subject: those of projects, and of pages that have not loaded. */
const VAGUE_TITLES = new Set(
  list(`
    react | next.js | nuxt | nuxt 3 | vue | vue.js | angular | svelte | sveltekit | preact | ember | expo | webpack |
    parcel | gatsby | remix | astro | flutter | blazor | elm | app | application | my app | new app | web app |
    webapp | my project | new project | client | client app | frontend | front-end | frontend app | ui | spa | main |
    demo | starter | boilerplate | template | test | test app | example | title | document | index | index.html |
    untitled | new page | my site | my website | website | home | loading website | page loading | initialising |
    starting | one moment | one moment please | just a moment | wait | connecting | redirect | indlæser | завантаження`),
)

/** The beginnings of what tools write into the description of new projects. */
const PROJECT_DESCRIPTIONS = list(`
  web site created using create-react-app | web site created using create react app | website created using create-react-app |
  web site created with create-react-app | generated by create next app | generated by create-t3-app |
  a new flutter project | description will go into a meta tag in head | an ionic project |
  kick off your next, great gatsby project | nuxt.js project | quasar project | a quasar project | a quasar framework app |
  a vue.js project | vite + react | vite app | a react boilerplate application | lovable generated project |
  add your description here | your description here | description of your site | just another wordpress site |
  just another wordpress.com site | just another wordpress.com weblog | just another wordpress weblog |
  ein weiterer wordpress-blog | eine weitere wordpress-website | just another joomla site | un site utilisant wordpress |
  encore un site wordpress | otro sitio realizado con wordpress | un nuovo sito targato wordpress | só mais um site wordpress |
  een wordpress site | kolejna witryna oparta na wordpressie | ещё один сайт на wordpress | just another blogger site`)

/** Shorter descriptions may begin a sentence about something else. */
const MIN_START_CHARS = 20

const EDGES = new Set(' .…·*#|–—_-')

/** In lower case, without dots, spinners and the like at the ends. */
function fold(text: string): string {
  const folded = text.slice(0, MAX_CHARS).toLowerCase().replace(/\s+/g, ' ')
  let [start, end] = [0, folded.length]
  while (start < end && EDGES.has(folded[start]!)) start++
  while (end > start && EDGES.has(folded[end - 1]!)) end--
  return folded.slice(start, end)
}

/** Whether a title is that of a project as its tool made it: `React App`. */
export const isScaffoldTitle = (title: string): boolean => PROJECT_TITLES.has(fold(title))

/** Whether a title says nothing about a page without content: also `App`, `Loading…`. */
export const isVagueTitle = (title: string): boolean =>
  isScaffoldTitle(title) || VAGUE_TITLES.has(fold(title)) || saysToWait(title.slice(0, MAX_CHARS))

/** Whether a description is that of a project as its tool made it. */
export function isScaffoldDescription(description: string): boolean {
  const folded = fold(description)
  return PROJECT_DESCRIPTIONS.some(
    (start) => folded === start || (start.length >= MIN_START_CHARS && folded.startsWith(start)),
  )
}
