import { NAME } from './brand.js'
import type { SitePage } from './site-page.js'

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
