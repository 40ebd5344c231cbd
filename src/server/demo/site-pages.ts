import { nightScene, pagePalette } from './night-scene.js'
import { NAME, type SitePage } from './render-site-page.js'

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

const ARTICLE = {
  author: 'Ines Halvorsen',
  publishedAt: '2026-10-03T05:40:00.000Z',
  changedAt: '2026-10-09T18:12:00.000Z',
}

export const articlePage: SitePage = {
  path: '/article',
  title: 'The hour when the marsh starts talking',
  description:
    'Between the last tractor and the first owl there are eleven minutes in which nobody is in charge. We set out forty recorders to find them.',
  type: 'article',
  lang: 'en',
  socialImage: { name: 'article', alt: 'Reeds under a full moon, each as tall as the moment was loud' },
  properties: (origin) => ({
    'article:author': ARTICLE.author,
    'article:published_time': ARTICLE.publishedAt,
    'article:modified_time': ARTICLE.changedAt,
    'article:section': 'Field notes',
    'og:audio': `${origin}/sounds/nightjar.wav`,
    'og:audio:type': 'audio/wav',
  }),
  jsonLd: (origin) => ({
    '@type': 'NewsArticle',
    headline: 'The hour when the marsh starts talking',
    description: 'Forty recorders, one night, and the eleven minutes between day and dark.',
    image: [`${origin}/social/article.png`],
    datePublished: ARTICLE.publishedAt,
    dateModified: ARTICLE.changedAt,
    author: { '@type': 'Person', name: ARTICLE.author },
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
<p class="by">By <a rel="author" href="/article">${ARTICLE.author}</a> · <time datetime="${ARTICLE.publishedAt}">3 October 2026</time> · 7 minutes</p>
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
<aside class="note"><p>${ARTICLE.author} looks after the recordings at ${NAME}. The raft was returned in spring with a fresh battery and a note: <em>we were.</em></p></aside>
</article>`,
}

interface Plan {
  name: string
  price: number
  per: string
  who: string
  has: readonly string[]
  action: string
  isBest?: boolean
}

const PLANS: readonly Plan[] = [
  {
    name: 'Balcony',
    price: 0,
    per: 'for ever',
    who: 'For one recorder and a window that opens.',
    has: ['Breakfast report', 'Seven nights kept', 'Forty common voices'],
    action: 'Start listening',
  },
  {
    name: 'Garden',
    price: 6,
    per: 'a month',
    who: 'For people who already know the blackbird by name.',
    has: ['Everything in Balcony', 'Every night kept', 'All four hundred voices', 'Sound files in full quality'],
    action: 'Choose Garden',
    isBest: true,
  },
  {
    name: 'Reserve',
    price: 48,
    per: 'a month',
    who: 'For wardens, schools and very large ponds.',
    has: ['Everything in Garden', 'Up to forty recorders', 'Counts per species and season', 'A person who answers'],
    action: 'Write to us',
  },
]

export const pricingPage: SitePage = {
  path: '/pricing',
  title: `Membership — ${NAME}`,
  description: 'Three plans, from a balcony to a nature reserve. Cancel by letting the batteries run out.',
  type: 'product',
  lang: 'en',
  socialImage: { name: 'pricing', alt: 'A marsh in the first light of the morning' },
  properties: () => ({ 'product:price:amount': '6.00', 'product:price:currency': 'EUR' }),
  jsonLd: (origin) => ({
    '@type': 'Product',
    name: `${NAME} membership`,
    description: 'Reports, recordings and counts from the hours after dark.',
    image: `${origin}/social/pricing.png`,
    offers: PLANS.map(({ name, price }) => ({ '@type': 'Offer', name, price, priceCurrency: 'EUR' })),
  }),
  body: () => `
<div class="intro"><p class="kicker">Membership</p><h1>Pay for the nights, not for the box.</h1><p class="lead">The recorder is yours either way. Cancel by letting the batteries run out.</p></div>
<section id="plans" class="plans" aria-label="Plans">
${PLANS.map(plan).join('')}
</section>
<dl class="questions">
<div><dt>What happens to my recordings when I leave?</dt><dd>You take them along: one folder, plain WAV files, named by date and voice.</dd></div>
<div><dt>Does it work where nothing else does?</dt><dd>Yes. It needs neither network nor mains. Reports travel by USB, on foot if need be.</dd></div>
<div><dt>Do you have a plan for cities?</dt><dd>Balcony hears swifts over trams quite well. Start there; it costs nothing.</dd></div>
</dl>`,
}

function plan({ name, price, per, who, has, action, isBest }: Plan): string {
  return `<article class="plan${isBest ? ' best' : ''}">
<h2>${name}${isBest ? ' <span class="tag">most chosen</span>' : ''}</h2>
<p class="price"><b>€${price}</b> ${per}</p>
<p>${who}</p>
<ul>${has.map((item) => `<li>${item}</li>`).join('')}</ul>
<a class="${isBest ? 'button' : 'button outline'}" href="/clock">${action}</a>
</article>`
}

export const clockPage: SitePage = {
  path: '/clock',
  title: `Tonight — ${NAME}`,
  description: 'The time on the marsh, to the second. Every screenshot of this page is different.',
  type: 'website',
  lang: 'en',
  socialImage: { name: 'clock', alt: 'The marsh at midnight under a small high moon' },
  jsonLd: (origin) => ({ '@type': 'WebPage', name: `Tonight — ${NAME}`, url: `${origin}/clock` }),
  body: (now) => {
    const iso = now.toISOString()
    return `
<section class="now" id="now">
<p class="kicker">On the marsh it is now</p>
<p class="time"><time id="time" datetime="${iso}">${iso.slice(11, 19)}</time></p>
<p class="lead"><span id="date">${longDate.format(now)}</span>, UTC</p>
<div class="day" role="img" aria-label="How much of the day has passed"><i id="passed" style="inline-size:${percentOfDay(now)}%"></i></div>
<p class="small">This page was generated at <b id="generated">${iso}</b>. A screenshot that shows another time is older.</p>
</section>
<script>
const tick = () => {
  const now = new Date()
  const iso = now.toISOString()
  document.getElementById('time').textContent = iso.slice(11, 19)
  document.getElementById('time').dateTime = iso
  document.getElementById('passed').style.inlineSize = (now % 864e5) / 864e3 + '%'
  setTimeout(tick, 1000 - (now % 1000))
}
tick()
</script>`
  },
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

const percentOfDay = (now: Date): string => ((now.getTime() % 86_400_000) / 864_000).toFixed(2)

const ARABIC_ARTICLE = {
  author: 'ليلى الحارثي',
  publishedAt: '2026-09-18T19:30:00.000Z',
}

export const arabicPage: SitePage = {
  path: '/arabic',
  title: 'ما تقوله الواحة بعد منتصف الليل',
  description: 'وضعنا أجهزة التسجيل بين النخيل والفلج، وعدنا عند الفجر بدقيقتين تستحقّان الإصغاء.',
  type: 'article',
  lang: 'ar',
  dir: 'rtl',
  socialImage: { name: 'arabic', alt: 'واحة عند الغروب، وقصبها يعلو وينخفض كأنّه تسجيل صوتيّ' },
  properties: () => ({ 'article:author': ARABIC_ARTICLE.author, 'article:published_time': ARABIC_ARTICLE.publishedAt }),
  jsonLd: (origin) => ({
    '@type': 'Article',
    inLanguage: 'ar',
    headline: 'ما تقوله الواحة بعد منتصف الليل',
    image: `${origin}/social/arabic.png`,
    datePublished: ARABIC_ARTICLE.publishedAt,
    author: { '@type': 'Person', name: ARABIC_ARTICLE.author },
    publisher: { '@type': 'Organization', name: NAME, logo: `${origin}/apple-touch-icon.png` },
  }),
  body: () => `
<article class="story">
<header>
<p class="kicker">من دفتر الميدان</p>
<h1>ما تقوله الواحة بعد منتصف الليل</h1>
<p class="lead">وضعنا أجهزة التسجيل بين النخيل والفلج، وعدنا عند الفجر بدقيقتين تستحقّان الإصغاء.</p>
<p class="by">بقلم <a rel="author" href="/arabic">${ARABIC_ARTICLE.author}</a> · <time datetime="${ARABIC_ARTICLE.publishedAt}">١٨ سبتمبر ٢٠٢٦</time></p>
</header>
<figure class="wide">${nightScene({ palette: pagePalette, seed: 47, peak: 0.3, moon: { x: 330, y: 150, radius: 58 }, label: 'قصب أمام القمر' })}<figcaption>ليلة واحدة عند رأس الفلج: كلّ قصبة دقيقة، وطولها أعلى صوت فيها.</figcaption></figure>
<p>حين ينطفئ آخر مصباح في القرية لا يحلّ الصمت، بل يتبدّل المتكلّمون. يبدأ الماء أوّلًا، فهو لا ينام، ثم تجيبه الضفادع من تحت القنطرة، ثم بومة صغيرة لا تُرى.</p>
<p>تركنا عشرة أجهزة على جذوع النخل من المغرب إلى الفجر. وفي الصباح استمعنا إلى إحدى عشرة ساعة لنختار منها دقيقتين: نداء السبد وهو يدور حول الحقل، وضحكة طفل بعيد نسي أن ينام فحذفها الجهاز كما وعد.</p>
<h2>من يتكلّم أوّلًا؟</h2>
<p>سألنا حارس الفلج فقال: «اسمعوا ما بين الصوتين، فهناك الليل». فتحنا التسجيل مرّة أخرى، ووجدنا بين كلّ نداء وجوابه ثانية ونصفًا لا يقطعها أحد.</p>
<blockquote><p>اسمعوا ما بين الصوتين، فهناك الليل.</p></blockquote>
<p>لا تحتاجون إلى واحة لتسمعوا ذلك. افتحوا النافذة قبل النوم بقليل، وانتظروا حتى يبدو أنّ شيئًا لا يحدث.</p>
</article>`,
}

export const missingPage: SitePage = {
  path: '/404',
  title: `Nothing calls from here — ${NAME}`,
  description: 'There is no page at this URL.',
  type: 'website',
  lang: 'en',
  socialImage: { name: 'clock', alt: 'The marsh at midnight under a small high moon' },
  jsonLd: (origin) => ({ '@type': 'WebPage', name: 'Not found', url: `${origin}/404` }),
  body: () => `
<section class="now"><p class="kicker">404</p><h1>Nothing calls from here.</h1><p class="lead">We listened for a while. There is no page at this URL.</p><p class="actions"><a class="button" href="/">Back to the marsh</a></p></section>`,
}
