// The templates are not named `html`, because the formatter would reformat them: spaces between inline elements are visible.
import { html as markup, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { fields } from '../../query/index.js'
import { markupText } from '../html-card.js'
import { FAILURE_TTL_MS } from '../jobs/index.js'
import type { AppParts } from './app-parts.js'
import { sendCompressed } from './content-coding.js'
import type { Router } from './request-scopes.js'
import { aboutHeaders, cachedBriefly } from './response-headers.js'
import { textBody } from './response.js'

/** Where the page of the service is that its user agent names. */
export const ABOUT_PATH = '/about-bot'

/** `GET /about-bot`: what the owners of sites find in their logs, explained to them. */
export function aboutRoute(router: Router, parts: AppParts): void {
  const { operator, ignoreOptOut: ignoresOptOut } = parts.settings
  router.get(ABOUT_PATH, (c) => {
    const { base } = c.var.request
    const page = aboutPage({ base, operator, ignoresOptOut, userAgent: parts.dispatcher.userAgent })
    return sendCompressed(c, parts, textBody(page, 'text/html; charset=utf-8'), { ...aboutHeaders, ...cachedBriefly })
  })
}

interface AboutFacts {
  /** URL of the service, without trailing slash. */
  base: string
  /** Name and contact of the operator; `undefined`: not known. */
  operator: string | undefined
  userAgent: string
  ignoresOptOut: boolean
}

const HOUR_MS = 3_600_000

/** The page for site owners, as a whole document without scripts. */
function aboutPage({ base, operator, userAgent, ignoresOptOut }: AboutFacts): string {
  const { host } = new URL(base)
  const minutes = FAILURE_TTL_MS.timeout / 60_000
  const document = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>PagePreviewbot of ${host}</title>
<style>${raw(STYLES)}</style>
</head>
<body>
<main>
<h1>PagePreviewbot</h1>
<p class="lead">The service at <strong>${host}</strong> has requested a page of your site, because somebody shows a link to it with a preview: its title, its description, its image, or a screenshot.</p>
<h2>Who runs it</h2>
<p>${operator === undefined ? `The operator of ${host}, who has named no contact here.` : withLinks(operator)} The software is <a href="https://www.npmjs.com/package/page-preview-server">Page Preview</a>, which many others run too, each for themselves.</p>
<h2>What it requests</h2>
<ul>
<li><strong>Pages that people or apps request a preview of</strong>. It follows redirects, but no links: it is no crawler.</li>
<li><strong>Files that such a page names</strong>, such as its image and its icon, to find out whether they exist and how large they are.</li>
<li><strong><code>/robots.txt</code></strong>, usually once an hour.</li>
</ul>
<p>These requests have the user agent <code>${userAgent}</code>. Screenshots are taken by a browser, Chromium, which loads the page as for a new visitor, without cookies and without an account.</p>
<h2>What it stores, and for how long</h2>
<ul>
<li>What the page says about itself, and its screenshot: for ${fields.ttl.default / HOUR_MS} hours, or as long as the app that shows the preview sets, at most ${fields.ttl.max / HOUR_MS / 24} days. Then they are requested again, or deleted.</li>
<li>That a page could not be reached: for ${minutes} minutes at most.</li>
<li>In its log, host names, but no addresses of pages.</li>
</ul>
${ignoresOptOut ? ignoredOptOut : markup`${optOut}${refreshing(base)}`}
</main>
</body>
</html>
`
  return markupText(document)
}

const ignoredOptOut = markup`<h2 id="opt-out">How to opt out</h2>
<p>This service is for the pages of its own operator, so it does not read what pages say about previews. Write to its operator.</p>`

const optOut = markup`<h2 id="opt-out">How to opt out</h2>
<p>Any of these is obeyed when a page is requested next, at the latest when its result expires.</p>
<p>In <code>robots.txt</code>, a group with this name keeps it away from pages. A group for <code>*</code> is meant for crawlers.</p>
<pre tabindex="0"><code>User-agent: PagePreviewbot
Disallow: /members/
Crawl-delay: 2</code></pre>
<p>A page without a screenshot, or with <code>none</code> instead without any preview:</p>
<pre tabindex="0"><code>&lt;meta name="page-preview" content="noscreenshot"&gt;</code></pre>
<p>The same for files and for whole sites, as a header of the response:</p>
<pre tabindex="0"><code>X-Page-Preview: none</code></pre>`

const refreshing = (base: string) => markup`
<h2 id="refresh">How to refresh or remove what is shown</h2>
<p>You need no account: your page proves that it is yours.</p>
<ol>
<li>Request a nonce, with <code>takedown</code> in place of <code>refresh</code> to remove the preview:
<pre tabindex="0"><code>curl -X POST -G ${base}/owners/refresh \\
  --data-urlencode url=https://example.com/page</code></pre></li>
<li>Show it: the response has an element for the head of the page, and a line for the file <code>/.well-known/page-preview.txt</code>. Either will do.</li>
<li>Send the request again, with <code>--data nonce=…</code>, the nonce.</li>
</ol>
<p>A removed page has no preview for as long as it shows the nonce.</p>`

/** A text with its addresses of pages and of mail as links. */
function withLinks(text: string): HtmlEscapedString | Promise<HtmlEscapedString> {
  const parts = text.split(/([\s<>"',;]+)/).map((part) => {
    if (part.startsWith('https://') || part.startsWith('http://')) return markup`<a href="${part}">${part}</a>`
    return /^[^@]+@[^@]+$/.test(part) ? markup`<a href="mailto:${part}">${part}</a>` : part
  })
  return markup`${parts}.`
}

const STYLES = `:root{color-scheme:light dark;font:1.0625rem/1.6 system-ui,sans-serif}
body{margin:0;color:light-dark(#1c1c1e,#ececee);background:light-dark(#fff,#161618)}
main{max-width:42rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.2rem;line-height:1.3;margin:2.25rem 0 .5rem}
p,ul,ol{margin:.5rem 0 1rem}
ul,ol{padding-inline-start:1.4rem}
li{margin:.35rem 0}
.lead{font-size:1.15rem}
a{color:light-dark(#0b57c4,#8ab8ff)}
a:focus-visible,pre:focus-visible{outline:2px solid currentcolor;outline-offset:2px}
code{font:.9em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:.5rem 0 1.25rem;padding:.85rem 1rem;overflow-x:auto;border-radius:.5rem;background:light-dark(#f2f2f5,#26262a)}
pre code{overflow-wrap:normal}`
