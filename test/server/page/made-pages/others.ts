import type { MadePage } from './made-page.js'

/** Pages that are not articles of a blog or a newspaper. */
export const others: readonly MadePage[] = [
  {
    name: 'a government press release',
    url: 'https://www.gov.example/government/news/new-ferry-terminal',
    html: `<!doctype html><html lang="en"><head><title>New ferry terminal opens - GOV.EXAMPLE</title><meta property="og:site_name" content="GOV.EXAMPLE"><meta property="og:type" content="article"><meta property="og:title" content="New ferry terminal opens"><meta property="og:description" content="The terminal will serve two million passengers a year."><meta name="description" content="The terminal will serve two million passengers a year."><script type="application/ld+json">{"@context":"http://schema.org","@type":"NewsArticle","mainEntityOfPage":{"@type":"WebPage","@id":"https://www.gov.example/government/news/new-ferry-terminal"},"name":"New ferry terminal opens","headline":"New ferry terminal opens","datePublished":"2024-07-01T09:30:00.000+01:00","publisher":{"@type":"Organization","name":"GOV.EXAMPLE","url":"https://www.gov.example"},"author":{"@type":"Organization","name":"Department for Ports","url":"https://www.gov.example/ports"}}</script></head>
      <body><main><h1>New ferry terminal opens</h1><dl><dt>From:</dt><dd><a href="/ports">Department for Ports</a></dd><dt>Published</dt><dd>1 July 2024</dd></dl><p>The terminal is open.</p></main></body></html>`,
    expected: {
      title: 'New ferry terminal opens',
      description: 'The terminal will serve two million passengers a year.',
      author: 'Department for Ports',
      date: '2024-07-01',
      publisher: 'GOV.EXAMPLE',
      lang: 'en',
    },
  },
  {
    name: 'an encyclopedia like Wikipedia',
    url: 'https://en.encyclopedia.example/wiki/Fresnel_lens',
    html: `<!doctype html><html class="client-nojs" lang="en" dir="ltr"><head><title>Fresnel lens - Encyclopedia</title><meta property="og:title" content="Fresnel lens - Encyclopedia"><meta property="og:type" content="website"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","name":"Fresnel lens","url":"https://en.encyclopedia.example/wiki/Fresnel_lens","author":{"@type":"Organization","name":"Contributors to the Encyclopedia"},"publisher":{"@type":"Organization","name":"Open Knowledge Foundation"},"datePublished":"2003-06-21T19:05:54Z","dateModified":"2024-05-11T02:11:30Z","headline":"type of compact lens"}</script></head>
      <body><h1 id="firstHeading" class="firstHeading mw-first-heading"><span class="mw-page-title-main">Fresnel lens</span></h1><div id="siteSub" class="noprint">From Encyclopedia, the free encyclopedia</div><div id="mw-content-text"><table class="infobox"><tr><th>Invented by</th><td>Augustin-Jean Fresnel</td></tr></table><p>A <b>Fresnel lens</b> is a type of compact lens.</p></div><ul id="footer-info"><li id="footer-info-lastmod"> This page was last edited on 11 May 2024, at 02:11 (UTC).</li></ul></body></html>`,
    expected: {
      title: 'Fresnel lens',
      description: null,
      author: 'Contributors to the Encyclopedia',
      date: '2003-06-21',
      publisher: 'Open Knowledge Foundation',
      lang: 'en',
    },
  },
  {
    name: 'a shop, German',
    url: 'https://lampenladen.example/produkte/tischleuchte-nora',
    html: `<!doctype html><html lang="de"><head><title>Tischleuchte Nora, Messing – Lampenladen</title><meta property="og:site_name" content="Lampenladen"><meta property="og:type" content="product"><meta property="og:title" content="Tischleuchte Nora, Messing"><meta property="og:description" content="Handgefertigte Leuchte mit Leinenschirm."><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Tischleuchte Nora, Messing","brand":{"@type":"Brand","name":"Nora"},"description":"Handgefertigte Leuchte mit Leinenschirm.","review":[{"@type":"Review","author":{"@type":"Person","name":"Kurt B."},"datePublished":"2023-05-01"}],"offers":{"@type":"Offer","price":"129.00"}}</script></head>
      <body><h1 class="product-title">Tischleuchte Nora, Messing</h1><div class="reviews"><span class="author">Kurt B.</span><time datetime="2023-05-01">1. Mai 2023</time></div></body></html>`,
    expected: {
      title: 'Tischleuchte Nora, Messing',
      description: 'Handgefertigte Leuchte mit Leinenschirm.',
      author: null,
      date: null,
      publisher: 'Lampenladen',
      lang: 'de',
    },
  },
  {
    name: 'a forum like Discourse',
    url: 'https://forum.boats.example/t/leaking-stern-gland/8812',
    html: `<!doctype html><html lang="en"><head><title>Leaking stern gland - Maintenance - Boat Forum</title><meta name="generator" content="Discourse 3.2"><meta property="og:site_name" content="Boat Forum"><meta property="og:title" content="Leaking stern gland"><meta property="og:description" content="Mine drips about once a second. Is that normal?"><meta name="twitter:label1" content="Reading time"><meta name="twitter:data1" content="2 mins"><meta property="article:published_time" content="2022-04-18T07:20:33+00:00"></head>
      <body><h1><a href="/t/leaking-stern-gland/8812">Leaking stern gland</a></h1><div itemscope itemtype="http://schema.org/DiscussionForumPosting"><meta itemprop="headline" content="Leaking stern gland"><div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" href="/u/oldsalt"><span itemprop="name">oldsalt</span></a></span><span class="crawler-post-infos"><time itemprop="datePublished" datetime="2022-04-18T07:20:33Z">18 April 2022</time></span></div><div class="post" itemprop="text"><p>Mine drips.</p></div></div><div id="post_2" itemprop="comment" itemscope itemtype="http://schema.org/Comment"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><span itemprop="name">marinediesel</span></span><time itemprop="datePublished" datetime="2022-04-18T09:00:00Z">18 April 2022</time></div></div></body></html>`,
    expected: {
      title: 'Leaking stern gland',
      description: 'Mine drips about once a second. Is that normal?',
      author: 'oldsalt',
      date: '2022-04-18',
      publisher: 'Boat Forum',
      lang: 'en',
    },
  },
  {
    name: 'documentation by Sphinx',
    url: 'https://docs.tidal.example/en/latest/install.html',
    html: `<!doctype html><html class="writer-html5" lang="en"><head><meta charset="utf-8"><meta name="generator" content="Docutils 0.19"><title>Installation &#8212; Tidal 2.4 documentation</title></head><body class="wy-body-for-nav"><nav><a href="index.html" class="icon icon-home"> Tidal</a></nav><div role="main"><section id="installation"><h1>Installation<a class="headerlink" href="#installation" title="Permalink to this heading">¶</a></h1><p>Install it with pip.</p></section></div><footer>&#169; Copyright 2018-2024, Tidal contributors. Last updated on May 2, 2024.</footer></body></html>`,
    expected: {
      title: 'Installation',
      description: null,
      author: null,
      date: null,
      publisher: 'Tidal 2.4 documentation',
      lang: 'en',
    },
  },
  {
    name: 'documentation by Docusaurus',
    url: 'https://kite.example/docs/guides/routing',
    html: `<!doctype html><html lang="en" dir="ltr" class="docs-wrapper plugin-docs"><head><meta name="generator" content="Docusaurus v3.4.0"><title data-rh="true">Routing | Kite</title><meta data-rh="true" property="og:title" content="Routing | Kite"><meta data-rh="true" name="description" content="How requests find their handler."><meta data-rh="true" property="og:description" content="How requests find their handler."><meta data-rh="true" property="og:locale" content="en"></head><body><nav><a class="navbar__brand" href="/"><b class="navbar__title">Kite</b></a></nav><main><article><h1>Routing</h1><p>How requests find their handler.</p></article><div class="theme-last-updated">Last updated on <b><time datetime="2024-04-01T00:00:00.000Z" itemprop="dateModified">Apr 1, 2024</time></b> by <b>kite-bot</b></div></main></body></html>`,
    expected: {
      title: 'Routing',
      description: 'How requests find their handler.',
      author: null,
      date: '2024-04-01',
      publisher: 'Kite',
      lang: 'en',
    },
  },
  {
    name: 'a video page',
    url: 'https://tube.example/watch?v=q1w2',
    html: `<!doctype html><html lang="en"><head><title>Splicing three-strand rope in ten minutes - Tube</title><meta name="title" content="Splicing three-strand rope in ten minutes"><meta name="description" content="An eye splice, a back splice and a long splice."><meta property="og:site_name" content="Tube"><meta property="og:title" content="Splicing three-strand rope in ten minutes"><meta property="og:description" content="An eye splice, a back splice and a long splice."><meta property="og:type" content="video.other"></head>
      <body><div id="watch" itemid="https://tube.example/watch?v=q1w2" itemscope itemtype="http://schema.org/VideoObject"><link itemprop="url" href="https://tube.example/watch?v=q1w2"><meta itemprop="name" content="Splicing three-strand rope in ten minutes"><span itemprop="author" itemscope itemtype="http://schema.org/Person"><link itemprop="url" href="https://tube.example/@rigger"><link itemprop="name" content="The Dockside Rigger"></span><meta itemprop="datePublished" content="2021-09-12T10:00:05-07:00"><meta itemprop="uploadDate" content="2021-09-12T10:00:05-07:00"></div></body></html>`,
    expected: {
      title: 'Splicing three-strand rope in ten minutes',
      description: 'An eye splice, a back splice and a long splice.',
      author: 'The Dockside Rigger',
      date: '2021-09-12',
      publisher: 'Tube',
      lang: 'en',
    },
  },
  {
    name: 'a journal with citation_*',
    url: 'https://journals.press.example/jce/article/12/3/201',
    html: `<!doctype html><html lang="en"><head><title>Sediment transport in drowned river mouths | Journal of Coastal Enquiry | Press Example</title><meta name="citation_title" content="Sediment transport in drowned river mouths"><meta name="citation_author" content="Halvorsen, Ingrid M."><meta name="citation_author" content="Chaudhry, Bilal"><meta name="citation_publication_date" content="2020/09"><meta name="citation_online_date" content="2020/08/14"><meta name="citation_journal_title" content="Journal of Coastal Enquiry"><meta name="citation_publisher" content="Press Example"><meta name="citation_abstract" content="We measured turbidity in eleven estuaries."><meta name="dc.language" content="en"></head>
      <body><h1>Sediment transport in drowned river mouths</h1><div class="al-authors-list">Ingrid M. Halvorsen, Bilal Chaudhry</div></body></html>`,
    expected: {
      title: 'Sediment transport in drowned river mouths',
      description: 'We measured turbidity in eleven estuaries.',
      author: 'Ingrid M. Halvorsen',
      date: '2020-08-14',
      publisher: 'Journal of Coastal Enquiry',
      lang: 'en',
    },
  },
  {
    name: 'a repository with Dublin Core, Portuguese',
    url: 'https://repositorio.univ.example/handle/1822/4471',
    html: `<!doctype html><html><head><title>Repositório: O comércio do sal no século XVIII</title><link rel="schema.DC" href="http://purl.org/dc/elements/1.1/"><meta name="DC.creator" content="Antunes, Rui"><meta name="DCTERMS.dateAccepted" content="2012-05-03T10:00:00Z" scheme="DCTERMS.W3CDTF"><meta name="DCTERMS.issued" content="2011-11-30" scheme="DCTERMS.W3CDTF"><meta name="DC.title" content="O comércio do sal no século XVIII" xml:lang="pt"><meta name="DCTERMS.abstract" content="Esta dissertação estuda os livros de contas de três salinas." xml:lang="pt"><meta name="DC.publisher" content="Universidade do Atlântico"><meta name="DC.language" content="por" scheme="DCTERMS.RFC1766"><meta name="DC.type" content="masterThesis"></head><body><h2>O comércio do sal no século XVIII</h2></body></html>`,
    expected: {
      title: 'O comércio do sal no século XVIII',
      description: 'Esta dissertação estuda os livros de contas de três salinas.',
      author: 'Rui Antunes',
      date: '2011-11-30',
      publisher: 'Universidade do Atlântico',
      lang: 'pt',
    },
  },
  {
    name: 'a recipe with a card of its plugin, Italian',
    url: 'https://cucina.example/ricette/focaccia',
    html: `<!doctype html><html lang="it-IT"><head><title>Focaccia genovese: la ricetta - Cucina di Casa</title><meta property="og:title" content="Focaccia genovese: la ricetta"><meta property="og:site_name" content="Cucina di Casa"><meta name="description" content="Alta, soffice e unta al punto giusto."><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Recipe","name":"Focaccia genovese","author":{"@type":"Person","name":"Paola Ferri"},"description":"Alta e soffice.","datePublished":"2021-02-10T07:00:00+00:00","keywords":"pane"}</script></head><body><h1>Focaccia genovese: la ricetta</h1><p>di Paola</p><p>Alta e soffice.</p></body></html>`,
    expected: {
      title: 'Focaccia genovese: la ricetta',
      description: 'Alta, soffice e unta al punto giusto.',
      author: 'Paola Ferri',
      date: '2021-02-10',
      publisher: 'Cucina di Casa',
      lang: 'it',
    },
  },
  {
    name: 'a code host',
    url: 'https://forge.example/harbour/tidegauge',
    html: `<!doctype html><html lang="en"><head><title>Forge · harbour/tidegauge: Reads tide gauges over serial lines · Forge</title><meta name="description" content="Reads tide gauges over serial lines. Contribute to harbour/tidegauge development by creating an account on Forge."><meta property="og:site_name" content="Forge"><meta property="og:type" content="object"><meta property="og:title" content="harbour/tidegauge: Reads tide gauges over serial lines"><meta property="og:description" content="Reads tide gauges over serial lines. Contribute to harbour/tidegauge development by creating an account on Forge."></head><body><div id="repository"><span class="author"><a rel="author" href="/harbour">harbour</a></span> / <strong itemprop="name"><a href="/harbour/tidegauge">tidegauge</a></strong></div></body></html>`,
    expected: {
      title: 'harbour/tidegauge: Reads tide gauges over serial lines',
      description:
        'Reads tide gauges over serial lines. Contribute to harbour/tidegauge development by creating an account on Forge.',
      author: 'harbour',
      date: null,
      publisher: 'Forge',
      lang: 'en',
    },
  },
  {
    name: 'an event page with broken tags and upper case',
    url: 'http://regatta.example/2024.htm',
    html: `<HTML LANG=en><HEAD><TITLE>Autumn Regatta 2024 :: Bay Sailing Club</TITLE><META NAME="Description" CONTENT="Two days of racing for all classes."></HEAD><BODY BGCOLOR=white><CENTER><FONT SIZE=7>Autumn Regatta 2024</FONT></CENTER><P>Two days of racing.<P>Last revised: 3 August 2024</BODY></HTML>`,
    expected: {
      title: 'Autumn Regatta 2024 :: Bay Sailing Club',
      description: 'Two days of racing for all classes.',
      author: null,
      date: '2024-08-03',
      publisher: null,
      lang: 'en',
    },
  },
  {
    name: 'the home page of a company',
    url: 'https://northsound.example/',
    html: `<!doctype html><html lang="en"><head><title>Northsound | Buoys and moorings</title><meta name="description" content="We make buoys that last thirty years."><meta property="og:site_name" content="Northsound"><meta property="og:title" content="Northsound | Buoys and moorings"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Northsound AS","url":"https://northsound.example/"}</script></head><body><h1>Buoys that last thirty years</h1><section class="news"><article><h3><a href="/n/1">New yard</a></h3><time datetime="2024-03-03">3 March 2024</time></article><article><h3><a href="/n/2">Prize</a></h3><time datetime="2024-01-03">3 January 2024</time></article></section></body></html>`,
    expected: {
      title: 'Northsound | Buoys and moorings',
      description: 'We make buoys that last thirty years.',
      author: null,
      date: null,
      publisher: 'Northsound',
      lang: 'en',
    },
  },
  {
    name: 'a podcast episode',
    url: 'https://cast.example/shows/fathoms/31',
    html: `<!doctype html><html lang="en"><head><title>31: The bell buoy — Fathoms</title><meta property="og:title" content="31: The bell buoy"><meta property="og:site_name" content="Fathoms"><meta property="og:description" content="Why some buoys ring."><script type="application/ld+json">{"@context":"https://schema.org/","@type":"PodcastEpisode","url":"https://cast.example/shows/fathoms/31","name":"31: The bell buoy","datePublished":"2023-03-09","partOfSeries":{"@type":"PodcastSeries","name":"Fathoms"}}</script></head><body><h1>31: The bell buoy</h1><p>Hosted by Grace Adeyemi</p><audio src="/31.mp3"></audio></body></html>`,
    expected: {
      title: '31: The bell buoy',
      description: 'Why some buoys ring.',
      author: null,
      date: '2023-03-09',
      publisher: 'Fathoms',
      lang: 'en',
    },
  },
]
