import { NAME } from './brand.js'
import { nightScene } from './night-scene.js'
import { pagePalette } from './scene-palettes.js'
import type { SitePage } from './site-page.js'

const REASONS = [
  [
    'Thirty nights on one charge',
    'It sleeps until something calls. A whole new moon to full moon fits on two AA cells.',
  ],
  [
    'Names, not decibels',
    'Four hundred voices recognised on the device: owls, frogs, crickets, foxes, the last train.',
  ],
  ['It never hears you', 'Human speech is dropped before it is written. There is no microphone icon to worry about.'],
] as const

const HEARD = [
  ['21:04', 'Nightjar', 'Caprimulgus europaeus', 92],
  ['22:37', 'Natterjack toad', 'Epidalea calamita', 74],
  ['00:12', 'Tawny owl, two of them', 'Strix aluco', 58],
  ['03:48', 'Roe deer, barking', 'Capreolus capreolus', 33],
  ['04:26', 'Reed warbler, too early', 'Acrocephalus scirpaceus', 81],
] as const

export const landingPage: SitePage = {
  path: '/',
  title: `${NAME} — hear what the dark is doing`,
  description:
    'A palm-sized recorder that listens to your garden, marsh or balcony all night, and hands you the best two minutes at breakfast.',
  type: 'website',
  lang: 'en',
  socialImage: { name: 'home', alt: 'A marsh at dusk; its reeds rise and fall like a sound recording' },
  jsonLd: (origin) => ({
    '@type': 'Product',
    name: `${NAME} field recorder`,
    description: 'A palm-sized recorder for the hours after dark.',
    image: `${origin}/social/home.png`,
    url: `${origin}/`,
    brand: { '@type': 'Brand', name: NAME, logo: `${origin}/apple-touch-icon.png` },
  }),
  body: () => `
<section id="hero" class="hero">
${nightScene({ palette: pagePalette, seed: 11 })}
<div class="hero-words">
<p class="kicker">The recorder for the hours after dark</p>
<h1>Hear what the dark is doing.</h1>
<p class="lead">${NAME} listens while you sleep, and hands you the best two minutes of the night at breakfast.</p>
<p class="actions"><a class="button" href="/pricing">See the plans</a><a class="quiet" href="/article">Read the journal</a></p>
</div>
</section>
<section class="reasons" aria-label="Why">
${REASONS.map(([title, text]) => `<div><h2>${title}</h2><p>${text}</p></div>`).join('')}
</section>
<section class="night" aria-labelledby="heard">
<div><h2 id="heard">Last night, by the south sluice</h2><p>Eleven hours, forty-one voices, two minutes worth keeping. This is the whole report: no feed, no streaks, no badge on your phone.</p></div>
<ol class="heard">
${HEARD.map(
  ([time, who, latin, sure]) =>
    `<li><time>${time}</time><span>${who} <i lang="la">${latin}</i></span><meter min="0" max="100" value="${sure}" aria-label="How sure: ${sure} of 100">${sure}%</meter></li>`,
).join('')}
</ol>
</section>
<blockquote class="voice"><p>I bought it for the owls. I kept it for the silence between them.</p><footer>Ottoline Marsh, lock keeper</footer></blockquote>`,
}
