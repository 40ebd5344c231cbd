import { NAME } from './brand.js'
import { nightScene } from './night-scene.js'
import { pagePalette } from './scene-palettes.js'
import type { SitePage } from './site-page.js'

const AUTHOR = 'Ines Halvorsen'
const PUBLISHED = '2026-10-03T05:40:00.000Z'
const CHANGED = '2026-10-09T18:12:00.000Z'

export const articlePage: SitePage = {
  path: '/article',
  title: 'The hour when the marsh starts talking',
  description:
    'Between the last tractor and the first owl there are eleven minutes in which nobody is in charge. We set out forty recorders to find them.',
  type: 'article',
  lang: 'en',
  socialImage: { name: 'article', alt: 'Reeds under a full moon, each as tall as the moment was loud' },
  properties: (origin) => ({
    'article:author': AUTHOR,
    'article:published_time': PUBLISHED,
    'article:modified_time': CHANGED,
    'article:section': 'Field notes',
    'og:audio': `${origin}/sounds/nightjar.wav`,
    'og:audio:type': 'audio/wav',
  }),
  jsonLd: (origin) => ({
    '@type': 'NewsArticle',
    headline: 'The hour when the marsh starts talking',
    description: 'Forty recorders, one night, and the eleven minutes between day and dark.',
    image: [`${origin}/social/article.png`],
    datePublished: PUBLISHED,
    dateModified: CHANGED,
    author: { '@type': 'Person', name: AUTHOR },
    publisher: {
      '@type': 'Organization',
      name: NAME,
      logo: { '@type': 'ImageObject', url: `${origin}/apple-touch-icon.png` },
    },
    mainEntityOfPage: `${origin}/article`,
  }),
  body: () => `
<article class="story">
<header>
<p class="kicker">Field notes</p>
<h1>The hour when the marsh starts talking</h1>
<p class="lead">Between the last tractor and the first owl there are eleven minutes in which nobody is in charge. We set out forty recorders to find them.</p>
<p class="by">By <a rel="author" href="/article">${AUTHOR}</a> · <time datetime="${PUBLISHED}">3 October 2026</time> · 7 minutes</p>
</header>
<figure class="wide">${nightScene({ palette: pagePalette, seed: 29, peak: 0.38, moon: { x: 640, y: 150, radius: 70 }, label: 'Reeds in front of a full moon, as tall as the night was loud' })}<figcaption>One night at the south sluice, drawn as reeds: each stalk is a minute, its height the loudest sound in it.</figcaption></figure>
<p>The first thing you learn is that dusk is not a fade. It is a change of shift. At 20:51 a tractor turns off its lights somewhere behind the dyke, a blackbird says what it has been saying since March, and then, as if a gate had been shut with great care, there is nothing.</p>
<p>It lasts eleven minutes. We know because we counted it on forty recorders over nineteen nights, from the car park of the pumping station to a raft that drifted further than we had meant it to. The swallows have gone to roost in the reeds. The bats have not yet made up their minds. Even the frogs, who are not known for restraint, wait.</p>
<h2>Who goes first</h2>
<p>On most nights it is a nightjar. You would not call it singing. It is closer to a small motor, left running in a shed: a churr of some forty beats a second that can go on for minutes without a breath, and that shifts its pitch each time the bird turns its head.</p>
<figure class="sound"><figcaption>A nightjar, or something very like it, rebuilt from three numbers in our notebook.</figcaption><audio controls preload="none" src="/sounds/nightjar.wav"></audio></figure>
<p>Then everybody talks at once. Natterjacks from the sand pit, a rail that sounds like a squeaking gate, a distant dog who believes that all this concerns him. Within four minutes the marsh is louder than it was at noon, and it stays so until two.</p>
<blockquote><p>Dusk is not a fade. It is a change of shift.</p></blockquote>
<h2>What the raft heard</h2>
<p>The raft came loose on the eleventh night. It carried recorder 27, a bicycle lamp and a note asking whoever found it to be kind. For six hours it went round the lagoon in the slow circle that the sluice makes, and so it is the only one of our instruments that heard the marsh from the middle.</p>
<figure><img src="/social/article.png" width="1200" height="630" alt="The same marsh at midnight, blue and still" loading="lazy"><figcaption>The lagoon a little after midnight. Recorder 27 is the one you cannot see.</figcaption></figure>
<p>From there it is not a chorus at all. It is a ring of voices, each facing inward, each leaving a gap of the same second and a half for the one across the water. We played it to a sound engineer, who listened to the end and asked for the name of the mixer.</p>
<p>You do not need a raft for any of this. Open a window at ten to nine and wait until it seems that nothing is happening. That is it. Eleven minutes, and then somebody goes first.</p>
<aside class="note"><p>${AUTHOR} looks after the recordings at ${NAME}. The raft was returned in spring with a fresh battery and a note: <em>we were.</em></p></aside>
</article>`,
}
