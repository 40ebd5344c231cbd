// Covers freeze-html.ts with pages that were cut and mixed at random: nothing but previews changes, and a second run changes nothing.
import { expect, it } from 'vitest'
import { isSlowRun } from '../../shared/slow-cases.js'
import { freeze } from './freeze-test.js'
import { differsInPreviewsAlone, treeOutside } from './outside-of-cards.js'

const PAGE = `<!DOCTYPE html>\r\n<html lang="en"><head>\n<meta charset="utf-8"><title>Tides &amp; more</title>
<style>a > b { content: "</a>" }</style><script>if (a < b) document.write('<page-preview url="x"></page-preview>')</script></head>
<body class=main><!-- <page-preview url="https://a.example/"></page-preview> -->
<h1>Über <em>tides</em></h1>\n<p>One <page-preview url="https://a.example/1" layout=inline>first</page-preview> and
<PAGE-PREVIEW URL='https://a.example/2' SCREENSHOT><A HREF="https://a.example/2">second</A></PAGE-PREVIEW >
<a href="https://a.example/3" data-page-preview data-layout="row" target="_blank" id=three>third <b>link</b></a></p>
<ul><li>潮汐 <page-preview url=https://a.example/4 element="#main"></page-preview><li><b>bold <i>both</b> italic</i></ul>
<table><tr><td><page-preview url="https://a.example/5"><div><p>text</div></page-preview></td></tr></table>
<pre><page-preview url="https://a.example/pre"></page-preview></pre><template><page-preview url="https://a.example/t"></page-preview></template>
<a href="https://a.example/6" data-page-preview="hover">hover</a> &copy; 2026 <img src=a.png alt="a > b"><br/>
<page-preview url="https://a.example/7" layout="image"><a href="https://a.example/7">seventh</a></page-preview>
</body></html>\n`
const SCRAPS = [
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<a href=x>',
  '</a>',
  '<div>',
  '</div>',
  '<table>',
  '</page-preview>',
  '<',
  '>',
  '"',
  "'",
  '<!--',
  '-->',
  '\0',
  '<page-preview url="https://a.example/x">',
  '<h2>',
  '<svg>',
  '<template>',
  '</head>',
  '<body>',
  '</pre>',
  '😀',
  '\r\n',
]
const RUNS = isSlowRun ? 200 : 30

/** Numbers from 0 to 1 that are the same in every run. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}

function cutPage(random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit)
  let page = PAGE
  if (random() < 0.5) page = page.slice(below(page.length / 2), page.length - below(page.length / 2))
  for (let cuts = below(4); cuts > 0; cuts--) {
    const at = below(page.length)
    page = page.slice(0, at) + page.slice(at + below(60))
  }
  for (let scraps = below(5); scraps > 0; scraps--) {
    const at = below(page.length)
    page = page.slice(0, at) + SCRAPS[below(SCRAPS.length)]! + page.slice(at)
  }
  return page
}

it('changes previews alone, and a second run changes nothing', async () => {
  const random = randomNumbers(16)
  let previews = 0
  for (let run = 0; run < RUNS; run++) {
    const page = cutPage(random)
    const frozen = await freeze(page)
    previews += frozen.previews
    expect(differsInPreviewsAlone(page, frozen.html), `run ${run}: ${page}`).toBe(true)
    expect(treeOutside(frozen.html), `run ${run}: ${page}`).toEqual(treeOutside(page))
    const again = await freeze(frozen.html)
    expect(again.html, `run ${run}: ${page}`).toBe(frozen.html)
    const bytes = await freeze(Buffer.from(page))
    expect(Buffer.from(bytes.html).toString(), `run ${run}: ${page}`).toBe(Buffer.from(frozen.html).toString())
  }
  expect(previews).toBeGreaterThan(RUNS)
})
