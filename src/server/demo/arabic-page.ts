import { NAME } from './brand.js'
import { nightScene } from './night-scene.js'
import { pagePalette } from './scene-palettes.js'
import type { SitePage } from './site-page.js'

const AUTHOR = 'ليلى الحارثي'
const PUBLISHED = '2026-09-18T19:30:00.000Z'

export const arabicPage: SitePage = {
  path: '/arabic',
  title: 'ما تقوله الواحة بعد منتصف الليل',
  description: 'وضعنا أجهزة التسجيل بين النخيل والفلج، وعدنا عند الفجر بدقيقتين تستحقّان الإصغاء.',
  type: 'article',
  lang: 'ar',
  dir: 'rtl',
  socialImage: { name: 'arabic', alt: 'واحة عند الغروب، وقصبها يعلو وينخفض كأنّه تسجيل صوتيّ' },
  properties: () => ({ 'article:author': AUTHOR, 'article:published_time': PUBLISHED }),
  jsonLd: (origin) => ({
    '@type': 'Article',
    inLanguage: 'ar',
    headline: 'ما تقوله الواحة بعد منتصف الليل',
    image: `${origin}/social/arabic.png`,
    datePublished: PUBLISHED,
    author: { '@type': 'Person', name: AUTHOR },
    publisher: { '@type': 'Organization', name: NAME, logo: `${origin}/apple-touch-icon.png` },
  }),
  body: () => `
<article class="story">
<header>
<p class="kicker">من دفتر الميدان</p>
<h1>ما تقوله الواحة بعد منتصف الليل</h1>
<p class="lead">وضعنا أجهزة التسجيل بين النخيل والفلج، وعدنا عند الفجر بدقيقتين تستحقّان الإصغاء.</p>
<p class="by">بقلم <a rel="author" href="/arabic">${AUTHOR}</a> · <time datetime="${PUBLISHED}">١٨ سبتمبر ٢٠٢٦</time></p>
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
