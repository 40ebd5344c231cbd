import type { MadePage } from './made-page.js'

/** Blogs, and pages that people write by hand. */
export const blogs: readonly MadePage[] = [
  {
    name: 'WordPress with an SEO plugin, German',
    url: 'https://gartenfreund.example/2024/03/12/hochbeet-bauen/',
    html: `<!doctype html><html lang="de-DE" prefix="og: https://ogp.me/ns#"><head><meta charset="UTF-8">
      <title>Hochbeet selber bauen: So geht&#8217;s - Gartenfreund</title>
      <meta name="description" content="Mit dieser Anleitung bauen Sie ein Hochbeet aus Lärchenholz an einem Nachmittag.">
      <meta property="og:locale" content="de_DE"><meta property="og:type" content="article">
      <meta property="og:title" content="Hochbeet selber bauen: So geht&#8217;s - Gartenfreund">
      <meta property="og:description" content="Mit dieser Anleitung bauen Sie ein Hochbeet aus Lärchenholz an einem Nachmittag.">
      <meta property="og:site_name" content="Gartenfreund"><meta property="article:published_time" content="2024-03-12T09:15:00+00:00">
      <meta name="author" content="redaktion2"><meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Sabine Köhler">
      <meta name="twitter:label2" content="Geschätzte Lesezeit"><meta name="twitter:data2" content="6 Minuten">
      <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Article","@id":"https://gartenfreund.example/2024/03/12/hochbeet-bauen/#article","isPartOf":{"@id":"https://gartenfreund.example/2024/03/12/hochbeet-bauen/"},"author":{"name":"Sabine Köhler","@id":"https://gartenfreund.example/#/schema/person/1"},"headline":"Hochbeet selber bauen: So geht&#8217;s","datePublished":"2024-03-12T09:15:00+00:00"},{"@type":"WebSite","@id":"https://gartenfreund.example/#website","name":"Gartenfreund"},{"@type":"Person","@id":"https://gartenfreund.example/#/schema/person/1","name":"Sabine Köhler"}]}</script>
      </head><body><header><p class="site-title"><a href="/">Gartenfreund</a></p></header><main><article><h1 class="entry-title">Hochbeet selber bauen: So geht&#8217;s</h1>
      <div class="entry-meta">Veröffentlicht am <time class="entry-date published" datetime="2024-03-12T09:15:00+00:00">12. März 2024</time> von <a rel="author" href="/author/redaktion2/">Sabine Köhler</a></div><p>Ein Hochbeet schont den Rücken.</p></article></main></body></html>`,
    expected: {
      title: 'Hochbeet selber bauen: So geht’s',
      description: 'Mit dieser Anleitung bauen Sie ein Hochbeet aus Lärchenholz an einem Nachmittag.',
      author: 'Sabine Köhler',
      date: '2024-03-12',
      publisher: 'Gartenfreund',
      lang: 'de',
    },
  },
  {
    name: 'classic WordPress theme without plugins',
    url: 'https://tidepools.example/2019/07/anemones/',
    html: `<!doctype html><html lang="en-US"><head><title>Anemones after the storm | Tidepools &amp; Other Stories</title>
      <link rel="alternate" type="application/rss+xml" title="Tidepools &amp; Other Stories &raquo; Feed" href="/feed/"></head>
      <body class="post-template-default single single-post"><div id="page" class="hfeed site"><header id="masthead"><h1 class="site-title"><a href="https://tidepools.example/" rel="home">Tidepools &amp; Other Stories</a></h1><h2 class="site-description">Notes from the coast</h2></header>
      <article class="post hentry"><header class="entry-header"><h1 class="entry-title">Anemones after the storm</h1>
      <div class="entry-meta"><span class="sep">Posted on </span><a href="/2019/07/anemones/" rel="bookmark"><time class="entry-date" datetime="2019-07-04T21:03:11+00:00">July 4, 2019</time></a><span class="by-author"> <span class="sep">by</span> <span class="author vcard"><a class="url fn n" href="/author/mira/">Mira Okafor</a></span></span></div></header>
      <div class="entry-content"><p>The pools were full of sand.</p></div></article><div id="comments"><ol class="commentlist"><li><cite class="fn">Harold</cite> <a href="#c1"><time datetime="2019-07-05T08:00:00+00:00">July 5, 2019</time></a><p>Lovely.</p></li></ol></div></div></body></html>`,
    expected: {
      title: 'Anemones after the storm',
      description: null,
      author: 'Mira Okafor',
      date: '2019-07-04',
      publisher: 'Tidepools & Other Stories',
      lang: 'en',
    },
  },
  {
    name: 'Ghost, French',
    url: 'https://lecarnet.example/le-pain-au-levain/',
    html: `<!doctype html><html lang="fr"><head><title>Le pain au levain, pas à pas</title><meta property="og:site_name" content="Le Carnet">
      <meta property="og:type" content="article"><meta property="og:title" content="Le pain au levain, pas à pas"><meta property="og:description" content="Trois jours, de la farine et de la patience.">
      <meta property="article:published_time" content="2023-11-02T10:00:00.000Z"><meta property="article:modified_time" content="2024-01-09T10:00:00.000Z">
      <meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Élodie Marchand"><meta name="twitter:label2" content="Filed under"><meta name="twitter:data2" content="Cuisine"><meta name="generator" content="Ghost 5.82">
      <script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","publisher":{"@type":"Organization","name":"Le Carnet","logo":{"@type":"ImageObject","url":"https://lecarnet.example/l.png"}},"author":{"@type":"Person","name":"Élodie Marchand","url":"https://lecarnet.example/author/elodie/"},"headline":"Le pain au levain, pas à pas","datePublished":"2023-11-02T10:00:00.000Z","dateModified":"2024-01-09T10:00:00.000Z"}</script></head>
      <body><article class="gh-article post"><header><h1 class="gh-article-title">Le pain au levain, pas à pas</h1><p class="gh-article-excerpt">Trois jours, de la farine et de la patience.</p></header></article></body></html>`,
    expected: {
      title: 'Le pain au levain, pas à pas',
      description: 'Trois jours, de la farine et de la patience.',
      author: 'Élodie Marchand',
      date: '2023-11-02',
      publisher: 'Le Carnet',
      lang: 'fr',
    },
  },
  {
    name: 'a newsletter like Substack',
    url: 'https://smallledger.example/p/the-price-of-salt',
    html: `<!doctype html><html lang="en"><head><title data-rh="true">The price of salt - by Tomás Reyes - The Small Ledger</title>
      <meta property="og:type" content="article"><meta property="og:title" content="The price of salt"><meta name="twitter:title" content="The price of salt">
      <meta name="description" content="What a kitchen staple says about shipping"><meta property="og:description" content="What a kitchen staple says about shipping"><meta name="author" content="Tomás Reyes">
      <script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","url":"https://smallledger.example/p/the-price-of-salt","headline":"The price of salt","description":"What a kitchen staple says about shipping","datePublished":"2024-05-20T12:01:40+00:00","dateModified":"2024-05-20T12:01:40+00:00","isAccessibleForFree":true,"author":[{"@type":"Person","name":"Tomás Reyes","url":"https://smallledger.example/@tomas"}],"publisher":{"@type":"Organization","name":"The Small Ledger","url":"https://smallledger.example"}}</script></head>
      <body><article class="newsletter-post post"><h1 dir="auto" class="post-title published">The price of salt</h1><h3 class="subtitle">What a kitchen staple says about shipping</h3><div class="byline-wrapper"><a href="/@tomas">Tomás Reyes</a><div>May 20, 2024</div></div></article></body></html>`,
    expected: {
      title: 'The price of salt',
      description: 'What a kitchen staple says about shipping',
      author: 'Tomás Reyes',
      date: '2024-05-20',
      publisher: 'The Small Ledger',
      lang: 'en',
    },
  },
  {
    name: 'a publishing platform like Medium, Portuguese',
    url: 'https://platform.example/@luisa/como-aprendi-vela-9f1c2',
    html: `<!doctype html><html lang="pt"><head><title data-rh="true">Como aprendi a velejar aos cinquenta | by Luísa Prado | Maré | Platform</title>
      <meta property="og:site_name" content="Platform"><meta property="og:title" content="Como aprendi a velejar aos cinquenta"><meta property="article:author" content="https://platform.example/@luisa"><meta name="author" content="Luísa Prado">
      <meta name="description" content="Como aprendi a velejar aos cinquenta. O barco era emprestado e o vento, forte."><meta property="og:description" content="O barco era emprestado e o vento, forte."><meta property="article:published_time" content="2022-08-30T18:22:10.113Z"></head>
      <body><article><h1 class="pw-post-title">Como aprendi a velejar aos cinquenta</h1><a data-testid="authorName" href="/@luisa">Luísa Prado</a><span data-testid="storyReadTime">4 min read</span><span data-testid="storyPublishDate">Aug 30, 2022</span><p>O barco era emprestado.</p></article></body></html>`,
    expected: {
      title: 'Como aprendi a velejar aos cinquenta',
      description: 'O barco era emprestado e o vento, forte.',
      author: 'Luísa Prado',
      date: '2022-08-30',
      publisher: 'Platform',
      lang: 'pt',
    },
  },
  {
    name: 'a blog by hand',
    url: 'https://ada-notes.example/posts/keyboard.html',
    html: `<!doctype html><html lang="en"><meta charset=utf-8><title>I built a keyboard</title><link rel=stylesheet href=/s.css><nav><a href="/">ada's notes</a> <a href="/about">about</a></nav>
      <h1>I built a keyboard</h1><p><em>2 February 2021</em><p>It took four weekends and one burnt finger.<p>First I drew the plate.<footer>© 2019–2024 Ada Lindqvist. <a href="/feed.xml">RSS</a></footer></html>`,
    expected: {
      title: 'I built a keyboard',
      description: null,
      author: null,
      date: '2021-02-02',
      publisher: null,
      lang: 'en',
    },
  },
  {
    name: 'an IndieWeb note with microformats',
    url: 'https://jonas.example/2023/sourdough',
    html: `<!doctype html><html lang="en-GB"><head><title>Sourdough in a cold kitchen – Jonas Weir</title></head><body>
      <article class="h-entry"><h1 class="p-name">Sourdough in a cold kitchen</h1><p class="p-summary">Let it rise twice as long.</p><p>Published <time class="dt-published" datetime="2023-01-15 08:30:00+0000">15 Jan 2023</time> by <a class="p-author h-card" rel="author" href="https://jonas.example">Jonas Weir</a></p>
      <div class="e-content"><p>The kitchen is at twelve degrees.</p></div></article></body></html>`,
    expected: {
      title: 'Sourdough in a cold kitchen',
      description: 'Let it rise twice as long.',
      author: 'Jonas Weir',
      date: '2023-01-15',
      publisher: 'Jonas Weir',
      lang: 'en',
    },
  },
  {
    name: 'Jekyll with its default theme',
    url: 'https://rowan.example/jekyll/update/2020/10/05/maps.html',
    html: `<!doctype html><html lang="en"><head><title>Drawing maps from memory | Rowan’s Desk</title><meta name="generator" content="Jekyll v4.2.0"><meta property="og:title" content="Drawing maps from memory"><meta name="author" content="Rowan Hale"><meta property="og:locale" content="en_US">
      <meta name="description" content="Start with the rivers."><meta property="og:description" content="Start with the rivers."><meta property="og:site_name" content="Rowan’s Desk"><meta property="article:published_time" content="2020-10-05T00:00:00+00:00">
      <script type="application/ld+json">{"author":{"@type":"Person","name":"Rowan Hale"},"description":"Start with the rivers.","headline":"Drawing maps from memory","mainEntityOfPage":{"@type":"WebPage","@id":"https://rowan.example/jekyll/update/2020/10/05/maps.html"},"url":"https://rowan.example/jekyll/update/2020/10/05/maps.html","@type":"BlogPosting","dateModified":"2020-10-05T00:00:00+00:00","datePublished":"2020-10-05T00:00:00+00:00","@context":"https://schema.org"}</script></head>
      <body><article class="post h-entry" itemscope itemtype="http://schema.org/BlogPosting"><h1 class="post-title p-name" itemprop="name headline">Drawing maps from memory</h1><p class="post-meta"><time class="dt-published" datetime="2020-10-05T00:00:00+00:00" itemprop="datePublished">Oct 5, 2020</time></p></article></body></html>`,
    expected: {
      title: 'Drawing maps from memory',
      description: 'Start with the rivers.',
      author: 'Rowan Hale',
      date: '2020-10-05',
      publisher: 'Rowan’s Desk',
      lang: 'en',
    },
  },
  {
    name: 'Drupal with Dublin Core, Spanish',
    url: 'https://museo.example/es/noticias/la-sala-azul',
    html: `<!doctype html><html lang="es" dir="ltr" prefix="content: http://purl.org/rss/1.0/modules/content/ dc: http://purl.org/dc/terms/"><head><title>La sala azul reabre sus puertas | Museo del Puerto</title>
      <meta name="Generator" content="Drupal 10 (https://www.drupal.org)"><meta name="dcterms.title" content="La sala azul reabre sus puertas"><meta name="dcterms.creator" content="Marta García"><meta name="dcterms.date" content="2024-02-17T11:00+0100"><meta name="description" content="Tras dos años de obras, vuelve la colección de cartas náuticas.">
      </head><body><div class="region-content"><article class="node node--type-noticia" data-history-node-id="88"><h1 class="page-title"><span class="field field--name-title">La sala azul reabre sus puertas</span></h1>
      <footer class="node__meta"><div class="node__submitted">Enviado por <span class="field field--name-uid"><span lang="" typeof="schema:Person" property="schema:name" datatype="">Marta García</span></span> el <span class="field field--name-created"><time datetime="2024-02-17T11:00:00+01:00">Sáb, 17/02/2024 - 11:00</time></span></div></footer><div class="node__content"><p>La colección vuelve.</p></div></article></div></body></html>`,
    expected: {
      title: 'La sala azul reabre sus puertas',
      description: 'Tras dos años de obras, vuelve la colección de cartas náuticas.',
      author: 'Marta García',
      date: '2024-02-17',
      publisher: 'Museo del Puerto',
      lang: 'es',
    },
  },
]
