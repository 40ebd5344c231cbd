import type { MadePage } from './made-page.js'

/** Newspapers, agencies and magazines, most of them with their bylines in the body. */
export const newspapers: readonly MadePage[] = [
  {
    name: 'a Japanese newspaper',
    url: 'https://shimbun.example/articles/ASR7X5TQ.html',
    html: `<!doctype html><html lang="ja"><head><title>港の灯台、百年ぶりに修復へ：東海新聞デジタル</title><meta name="description" content="港の入り口に立つ灯台の修復が来春に始まる。"><meta property="og:title" content="港の灯台、百年ぶりに修復へ：東海新聞デジタル"><meta property="og:site_name" content="東海新聞デジタル"><meta property="og:description" content="港の入り口に立つ灯台の修復が来春に始まる。"></head>
      <body><main><div class="Title"><h1>港の灯台、百年ぶりに修復へ</h1><div class="meta"><span class="reporter">山本 恵子</span><span class="UpdateDate"><time datetime="2023-07-29T17:00:00.000+09:00">2023年7月29日 17時00分</time></span></div></div><p>港の入り口に立つ灯台の修復が来春に始まる。（山本恵子）</p></main></body></html>`,
    expected: {
      title: '港の灯台、百年ぶりに修復へ',
      description: '港の入り口に立つ灯台の修復が来春に始まる。',
      author: '山本 恵子',
      date: '2023-07-29',
      publisher: '東海新聞デジタル',
      lang: 'ja',
    },
  },
  {
    name: 'a Chinese news portal',
    url: 'https://news.ribao.example/n1/2024/0416/c1001-40217.html',
    html: `<!doctype html><html><head><meta http-equiv="content-language" content="zh-CN"><meta name="keywords" content="桥梁"><meta name="description" content="新桥全长三公里，预计明年通车。"><meta name="publishdate" content="2024-04-16"><meta name="author" content="1001"><meta name="source" content="来源：日报网"><title>跨江新桥合龙--时政--日报网</title></head>
      <body><div class="col col-1"><h1>跨江新桥合龙</h1><div class="author cf">本报记者 李明华</div><div class="col-1-1">2024年04月16日08:13 | 来源：<a href="http://paper.ribao.example/">日报</a></div><div class="rm_txt_con"><p>新桥全长三公里。</p></div><div class="edit cf">(责编：王芳、赵强)</div></div></body></html>`,
    expected: {
      title: '跨江新桥合龙',
      description: '新桥全长三公里，预计明年通车。',
      author: '李明华',
      date: '2024-04-16',
      publisher: '日报网',
      lang: 'zh',
    },
  },
  {
    name: 'a Korean newspaper',
    url: 'https://ilbo.example/news/articleView.html?idxno=20911',
    html: `<!doctype html><html lang="ko"><head><title>도심 하천, 30년 만에 열린다 - 한강일보</title><meta property="og:title" content="도심 하천, 30년 만에 열린다 - 한강일보"><meta property="og:description" content="복개 도로를 걷어내는 공사가 다음 달 시작된다."><meta property="og:site_name" content="한강일보"><meta name="author" content="박지훈 기자"><meta property="dd:author" content="박지훈"><meta property="article:published_time" content="2024-06-03T09:00:00+09:00"></head>
      <body><article id="article-view"><header><h1 class="heading">도심 하천, 30년 만에 열린다</h1><ul class="infomation"><li><i></i> 박지훈 기자</li><li>입력 2024.06.03 09:00</li><li>댓글 0</li></ul></header><p>복개 도로를 걷어낸다.</p></article></body></html>`,
    expected: {
      title: '도심 하천, 30년 만에 열린다',
      description: '복개 도로를 걷어내는 공사가 다음 달 시작된다.',
      author: '박지훈',
      date: '2024-06-03',
      publisher: '한강일보',
      lang: 'ko',
    },
  },
  {
    name: 'an Arabic news site',
    url: 'https://akhbar.example/economy/2024/5/9/قطار-جديد',
    html: `<!doctype html><html lang="ar" dir="rtl"><head><title>قطار جديد يربط الميناء بالعاصمة | أخبار الساحل</title><meta property="og:title" content="قطار جديد يربط الميناء بالعاصمة"><meta property="og:description" content="تنطلق أولى الرحلات في الخريف المقبل."><meta property="og:site_name" content="أخبار الساحل"></head>
      <body><main><article><h1>قطار جديد يربط الميناء بالعاصمة</h1><div class="article-author-name">كتب: سامي الحداد</div><div class="date">٩ مايو ٢٠٢٤</div><p>تنطلق أولى الرحلات في الخريف.</p></article></main></body></html>`,
    expected: {
      title: 'قطار جديد يربط الميناء بالعاصمة',
      description: 'تنطلق أولى الرحلات في الخريف المقبل.',
      author: 'سامي الحداد',
      date: '2024-05-09',
      publisher: 'أخبار الساحل',
      lang: 'ar',
    },
  },
  {
    name: 'a Hebrew newspaper',
    url: 'https://iton.example/news/local/1.1180',
    html: `<!doctype html><html lang="he" dir="rtl"><head><title>השוק הישן נפתח מחדש - עיתון הצפון</title><meta property="og:title" content="השוק הישן נפתח מחדש"><meta name="description" content="אחרי שנתיים של שיפוצים חוזרים הדוכנים."><meta property="og:site_name" content="עיתון הצפון"></head>
      <body><article><header><h1>השוק הישן נפתח מחדש</h1><div class="byline">מאת: נועה ברק</div><time datetime="2024-01-21T06:40:00+02:00">21 בינואר 2024</time></header><p>הדוכנים חוזרים.</p></article></body></html>`,
    expected: {
      title: 'השוק הישן נפתח מחדש',
      description: 'אחרי שנתיים של שיפוצים חוזרים הדוכנים.',
      author: 'נועה ברק',
      date: '2024-01-21',
      publisher: 'עיתון הצפון',
      lang: 'he',
    },
  },
  {
    name: 'a Russian newspaper',
    url: 'https://gazeta.example/2023/10/14/most.html',
    html: `<!doctype html><html lang="ru"><head><title>Мост через залив откроют весной — Северная газета</title><meta property="og:title" content="Мост через залив откроют весной"><meta property="og:description" content="Строительство заняло шесть лет."></head>
      <body itemscope itemtype="https://schema.org/NewsArticle"><header><a href="/">Северная газета</a></header><div class="article__header"><h1 itemprop="headline">Мост через залив откроют весной</h1><div class="article__info"><span class="article__date">14 октября 2023, 12:30</span></div></div><div class="article__authors"><div class="article__authors__title">Авторы</div><a class="article__authors__author" href="/authors/sokolova"><span class="article__authors__author__name">Мария Соколова</span></a></div><p>Строительство заняло шесть лет.</p></body></html>`,
    expected: {
      title: 'Мост через залив откроют весной',
      description: 'Строительство заняло шесть лет.',
      author: 'Мария Соколова',
      date: '2023-10-14',
      publisher: 'Северная газета',
      lang: 'ru',
    },
  },
  {
    name: 'a Greek newspaper',
    url: 'https://efimerida.example/politismos/562/to-palio-limani/',
    html: `<!doctype html><html lang="el"><head><title>Το παλιό λιμάνι αλλάζει όψη | Η Εφημερίδα του Νησιού</title><meta property="og:title" content="Το παλιό λιμάνι αλλάζει όψη"><meta property="og:site_name" content="Η Εφημερίδα του Νησιού"><meta name="description" content="Τα έργα ξεκινούν μετά το καλοκαίρι."></head>
      <body><article><h1>Το παλιό λιμάνι αλλάζει όψη</h1><p class="meta">Του Νίκου Παπαδάκη</p><p class="date">18 Απριλίου 2024</p><p>Τα έργα ξεκινούν μετά το καλοκαίρι.</p></article></body></html>`,
    expected: {
      title: 'Το παλιό λιμάνι αλλάζει όψη',
      description: 'Τα έργα ξεκινούν μετά το καλοκαίρι.',
      author: 'Νίκου Παπαδάκη',
      date: '2024-04-18',
      publisher: 'Η Εφημερίδα του Νησιού',
      lang: 'el',
    },
  },
  {
    name: 'a Turkish newspaper',
    url: 'https://haber.example/gundem/sahil-yolu-trafige-acildi-4127',
    html: `<!doctype html><html lang="tr"><head><title>Sahil yolu trafiğe açıldı - Ege Haber</title><meta name="description" content="Yol iki yıl sonra yeniden hizmete girdi."><meta property="og:title" content="Sahil yolu trafiğe açıldı"><meta name="datePublished" content="2024-03-05T08:00:00+03:00"><meta name="dateModified" content="2024-03-06T08:00:00+03:00"><meta name="articleAuthor" content="Deniz Kaya"><meta name="articleSection" content="news"></head>
      <body><article><h1>Sahil yolu trafiğe açıldı</h1><div class="haber-bilgi">Giriş: 05.03.2024 08:00 Güncelleme: 06.03.2024 08:00</div><p>Haber: Deniz Kaya</p><p>Yol yeniden hizmette.</p></article></body></html>`,
    expected: {
      title: 'Sahil yolu trafiğe açıldı',
      description: 'Yol iki yıl sonra yeniden hizmete girdi.',
      author: 'Deniz Kaya',
      date: '2024-03-05',
      publisher: 'Ege Haber',
      lang: 'tr',
    },
  },
  {
    name: 'a Polish newspaper',
    url: 'https://dziennik.example/artykul/nowa-linia-tramwajowa,33121.html',
    html: `<!doctype html><html lang="pl"><head><title>Nowa linia tramwajowa ruszy w maju - Dziennik Wiślany</title><meta property="og:title" content="Nowa linia tramwajowa ruszy w maju"><meta property="og:site_name" content="Dziennik Wiślany"><meta property="og:description" content="Tramwaje pojadą co osiem minut."></head>
      <body><article><h1>Nowa linia tramwajowa ruszy w maju</h1><div class="art-author">Katarzyna Wójcik</div><div class="art-datetime">11 kwietnia 2024, 07:45</div><p class="lead">Tramwaje pojadą co osiem minut.</p></article></body></html>`,
    expected: {
      title: 'Nowa linia tramwajowa ruszy w maju',
      description: 'Tramwaje pojadą co osiem minut.',
      author: 'Katarzyna Wójcik',
      date: '2024-04-11',
      publisher: 'Dziennik Wiślany',
      lang: 'pl',
    },
  },
  {
    name: 'a news wire',
    url: 'https://wire.example/article/harbour-strike-9c1',
    html: `<!doctype html><html lang="en"><head><title>Harbour workers end strike after nine days | Wire News</title><meta property="og:title" content="Harbour workers end strike after nine days"><meta property="og:site_name" content="Wire News"><meta property="og:description" content="PORTSMOUTH (WIRE) — Harbour workers voted on Tuesday to end a strike."><meta property="article:published_time" content="2024-09-17T15:42:00Z"></head>
      <body><main><h1 class="Page-headline">Harbour workers end strike after nine days</h1><div class="Page-byline"><div class="Page-authors">By <a class="Link" href="/author/priya-nair">PRIYA NAIR</a> and <a class="Link" href="/author/colm-byrne">COLM BYRNE</a></div><div class="Page-dateModified">Updated 4:10 PM GMT, September 17, 2024</div></div><p>PORTSMOUTH (WIRE) — Harbour workers voted on Tuesday.</p></main></body></html>`,
    expected: {
      title: 'Harbour workers end strike after nine days',
      description: 'PORTSMOUTH (WIRE) — Harbour workers voted on Tuesday to end a strike.',
      author: 'PRIYA NAIR and COLM BYRNE',
      date: '2024-09-17',
      publisher: 'Wire News',
      lang: 'en',
    },
  },
  {
    name: 'a British broadsheet with a dated byline',
    url: 'https://courier.example/world/article/lake-levels',
    html: `<!doctype html><html lang="en-GB"><head><title>Lake levels fall for a fifth year - The Courier</title><meta name="description" content="Farmers on the northern shore have begun to move their pumps."></head>
      <body><header><a href="/" aria-label="The Courier home">The Courier</a></header><main><article><h1>Lake levels fall for a fifth year</h1><p class="standfirst">Farmers on the northern shore have begun to move their pumps.</p><address><a rel="author" href="/profile/hannah-osei">Hannah Osei</a> in Kisumu</address><details><summary>Mon 6 May 2024 05.00 BST</summary>Last modified on Tue 7 May 2024</details><p>The pumps stand in mud.</p></article><aside class="related-content"><h3><a href="/x">Rain at last</a></h3><span class="byline">Peter Lamb</span></aside></main></body></html>`,
    expected: {
      title: 'Lake levels fall for a fifth year',
      description: 'Farmers on the northern shore have begun to move their pumps.',
      author: 'Hannah Osei',
      date: '2024-05-06',
      publisher: 'The Courier',
      lang: 'en',
    },
  },
  {
    name: 'an Italian daily',
    url: 'https://corriere.example/cronache/24_aprile_03/il-faro.shtml',
    html: `<!doctype html><html lang="it"><head><title>Il faro che nessuno vuole spegnere | Corriere del Golfo</title><meta property="og:title" content="Il faro che nessuno vuole spegnere"><meta property="og:site_name" content="Corriere del Golfo"><meta property="og:description" content="Gli abitanti dell’isola raccolgono firme."></head>
      <body><h1 class="title-art-hp">Il faro che nessuno vuole spegnere</h1><p class="is-author">di <b>Chiara Bellini</b>, inviata a Ponza</p><p class="is-last-update">3 aprile 2024</p><p>Gli abitanti raccolgono firme.</p></body></html>`,
    expected: {
      title: 'Il faro che nessuno vuole spegnere',
      description: 'Gli abitanti dell’isola raccolgono firme.',
      author: 'Chiara Bellini',
      date: '2024-04-03',
      publisher: 'Corriere del Golfo',
      lang: 'it',
    },
  },
  {
    name: 'a Spanish daily whose author meta is an account of a network',
    url: 'https://diario.example/sociedad/2024-02-29/el-mercado-flotante.html',
    html: `<!doctype html><html lang="es"><head><title>El mercado flotante | Sociedad | DIARIO DEL SUR</title><meta property="og:title" content="El mercado flotante"><meta property="og:site_name" content="Diario del Sur"><meta property="article:author" content="https://www.facebook.com/diariodelsur"><meta property="article:published_time" content="2024-02-29T05:30:00+01:00"><meta name="twitter:creator" content="@diariodelsur"><meta property="og:description" content="Cada jueves, las barcas llenan el canal."></head>
      <body><article><h1>El mercado flotante</h1><h2>Cada jueves, las barcas llenan el canal.</h2><div data-dtm-region="articulo_firma"><a href="/autor/ines-quiroga/">Inés Quiroga</a></div><span>Valencia</span> - <time datetime="2024-02-29T04:30:00.000Z">29 feb 2024 - 05:30 CET</time><p>Las barcas llenan el canal.</p></article></body></html>`,
    expected: {
      title: 'El mercado flotante',
      description: 'Cada jueves, las barcas llenan el canal.',
      author: 'Inés Quiroga',
      date: '2024-02-29',
      publisher: 'Diario del Sur',
      lang: 'es',
    },
  },
  {
    name: 'a Dutch site with JSON-LD in a list',
    url: 'https://krant.example/artikel/2510338',
    html: `<!doctype html><html lang="nl"><head><title>Dijk krijgt extra laag klei</title><meta property="og:site_name" content="De Waterkrant"><meta property="og:title" content="Dijk krijgt extra laag klei"><meta name="description" content="Het werk begint in september."><script type="application/ld+json">[{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[]},{"@context":"https://schema.org","@type":"NewsArticle","headline":"Dijk krijgt extra laag klei","datePublished":"2024-08-12T14:03:00+02:00","author":{"@type":"Organization","name":"De Waterkrant"},"publisher":{"@type":"Organization","name":"De Waterkrant"}}]</script></head>
      <body><article><h1>Dijk krijgt extra laag klei</h1><p>Door onze verslaggever <span>Jeroen Bakker</span></p><p>Het werk begint in september.</p></article></body></html>`,
    expected: {
      title: 'Dijk krijgt extra laag klei',
      description: 'Het werk begint in september.',
      author: 'De Waterkrant',
      date: '2024-08-12',
      publisher: 'De Waterkrant',
      lang: 'nl',
    },
  },
  {
    name: 'a Swedish paper with a byline that has a role and an address',
    url: 'https://bladet.example/a/mQx2/fyren',
    html: `<!doctype html><html lang="sv"><head><title>Fyren får ny vaktare | Skärgårdsbladet</title><meta property="og:title" content="Fyren får ny vaktare"><meta property="og:site_name" content="Skärgårdsbladet"><meta property="og:description" content="Efter tio år är lampan tänd igen."></head>
      <body><article><h1>Fyren får ny vaktare</h1><div class="article-byline"><span>Text:</span> <a href="mailto:elin.dahl@bladet.example">Elin Dahl</a> <span>Foto:</span> <span>Per Lund</span></div><time datetime="2023-12-01T06:00:00+01:00">Publicerad 1 december 2023</time><p>Lampan är tänd.</p></article></body></html>`,
    expected: {
      title: 'Fyren får ny vaktare',
      description: 'Efter tio år är lampan tänd igen.',
      author: 'Elin Dahl',
      date: '2023-12-01',
      publisher: 'Skärgårdsbladet',
      lang: 'sv',
    },
  },
]
