import { NAME } from './brand.js'
import type { SitePage } from './site-page.js'

export const clockPage: SitePage = {
  path: '/clock',
  title: `Tonight — ${NAME}`,
  description: 'What time it is on the marsh, to the second. Every picture of this page is another one.',
  type: 'website',
  lang: 'en',
  picture: { name: 'clock', alt: 'The marsh at midnight under a small high moon' },
  jsonLd: (origin) => ({ '@type': 'WebPage', name: `Tonight — ${NAME}`, url: `${origin}/clock` }),
  body: (moment) => {
    const iso = moment.toISOString()
    return `
<section class="now" id="now">
<p class="kicker">On the marsh it is now</p>
<p class="time"><time id="time" datetime="${iso}">${iso.slice(11, 19)}</time></p>
<p class="lead"><span id="date">${longDate.format(moment)}</span>, UTC</p>
<div class="day" role="img" aria-label="How much of the day has passed"><i id="passed" style="inline-size:${percentOfDay(moment)}%"></i></div>
<p class="small">This page was made <b id="made">${iso}</b>. A picture of it that says something else is an older one.</p>
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

const percentOfDay = (moment: Date): string => ((moment.getTime() % 86_400_000) / 864_000).toFixed(2)
