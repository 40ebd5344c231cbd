import { NAME } from './brand.js'
import type { SitePage } from './site-page.js'

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
