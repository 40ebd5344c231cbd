import { phraseList } from './fold-text.js'

/** Sentences that address the visitor of an error page, unlike an article about errors; folded with `foldText`, by language. */
const SENTENCES: Readonly<Record<string, string>> = {
  en: `
    page you are looking for | page you're looking for | page you were looking for | page you requested |
    page you have requested | page you are trying to | we couldn't find | we could not find | we can't find |
    we cannot find | can't seem to find | could not be found | was not found on this server |
    nothing was found at this location | refused to connect | took too long to respond |
    no web site at this address | the authors have deleted this site | link you followed may be broken |
    this page is missing | try searching for another | the job you are looking for |
    changed who can see it or it's been deleted | may have been moved or deleted | may have been removed |
    has been moved or deleted |
    there isn't a github pages site here | there's nothing here | there is nothing here, yet | no such app |
    check the url | check the address | back to home | back to homepage | go back home | go to homepage | go home |
    return home | return to the homepage | try again later | please try again | try refreshing | reload the page |
    refresh the page | we are working to fix | we're working to fix | we are working on it | we've been notified |
    we have been notified | contact the site owner | contact your hosting provider | contact the administrator |
    browser console for more information | client-side exception has occurred |
    there has been a critical error on this website | error establishing a database connection |
    this application has no explicit mapping for /error | scheduled maintenance | performing maintenance |
    undergoing maintenance | performing some maintenance | back online shortly | back soon | be back shortly |
    check back soon | check back later | buy this domain | domain is for sale | domain may be for sale |
    domain name is for sale | make an offer | parked free | is parked | parked by | related searches |
    is successfully installed and working | further configuration is required | default welcome page |
    replace this file | used to test the proper operation | this account has been suspended | is not configured |
    not yet been configured`,
  de: `
    geändert hat, wer ihn sehen kann | an dieser stelle nichts gefunden |
    die gesuchte seite | die angeforderte seite | die von ihnen gesuchte seite |
    die sie suchen | konnte nicht gefunden werden | wurde nicht gefunden | existiert nicht | zur startseite |
    versuchen sie es später | versuche es später | bald wieder | in kürze wieder | wartungsarbeiten |
    domain kaufen | steht zum verkauf`,
  fr: `
    rien n'ait été trouvé | la page que vous recherchez | la page que vous cherchez | la page demandée |
    n'existe pas | n'existe plus | retour à l'accueil | retourner à l'accueil | page d'accueil |
    réessayer plus tard | réessayez plus tard | de retour bientôt | bientôt de retour | maintenance | à vendre`,
  es: `
    no se ha encontrado nada en esta ubicación | la página que buscas | la página que busca |
    la página que estás buscando | la página solicitada | no existe | volver al inicio | ir al inicio |
    inténtalo de nuevo | inténtelo de nuevo | inténtelo más tarde | volveremos pronto | tareas de mantenimiento |
    en venta`,
  it: `
    trovato nulla in questa posizione | la pagina che stai cercando | la pagina che cerchi | la pagina richiesta |
    non esiste | torna alla home | riprova più tardi | torneremo presto | manutenzione | in vendita`,
  pt: `
    nada foi encontrado neste local | a página que você procura | a página que você está procurando |
    a página que procura | a página solicitada | não existe | voltar ao início | voltar para a página inicial |
    ir para a página inicial |
    tente novamente | voltaremos em breve | manutenção | à venda`,
  nl: `
    niets te zijn gevonden op deze locatie | de pagina die je zoekt | de pagina die u zoekt |
    de opgevraagde pagina | bestaat niet | terug naar home | naar de homepage | probeer het later |
    zo snel mogelijk terug | te koop`,
  pl: `
    strona, której szukasz | strony, której szukasz | nie istnieje | strona główna | stronę główną |
    spróbuj ponownie | wrócimy wkrótce | na sprzedaż`,
  sv: 'sidan du söker | sidan du letar efter | till startsidan | försök igen',
  da: 'siden du leder efter | til forsiden | prøv igen',
  tr: 'aradığınız sayfa | ana sayfaya dön | tekrar deneyin',
  ru: `
    страница, которую вы ищете | страницы, которую вы ищете | запрашиваемая страница | запрошенная страница |
    не существует | была удалена | на главную | попробуйте позже | попробуйте обновить | скоро вернемся |
    скоро вернёмся | технические работы | купить домен`,
  uk: 'сторінка, яку ви шукаєте | на головну | спробуйте пізніше',
  ja: 'お探しのページ | ご指定のページ | アクセスしようとしたページ | トップページへ | トップページに戻る | ホームに戻る | しばらくしてから | しばらく経ってから | メンテナンスを実施 | ご不便をおかけ',
  zh: '您访问的页面 | 你访问的页面 | 您要找的页面 | 您查找的页面 | 返回首页 | 回到首页 | 返回首頁 | 请稍后再试 | 稍后重试 | 请稍后重试 | 正在维护 | 购买此域名',
  cs: 'požadovaná stránka | stránka, kterou hledáte | neexistuje | na hlavní stran | na úvodní stran | zkuste to znovu',
  no: 'siden du leter etter | siden du prøver | til forsiden | prøv igjen',
  fi: 'hakemaasi sivua | etsimääsi sivua | etusivulle | yritä uudelleen',
  hu: 'a keresett oldal | az oldal, amit keres | főoldalra | próbálja újra',
  ro: 'pagina căutată | pagina pe care o cauți | pagina principală | încercați din nou',
  el: 'η σελίδα που ζητήσατε | η σελίδα που αναζητάτε | αρχική σελίδα | δοκιμάστε ξανά',
  vi: 'trang bạn tìm kiếm | trang bạn đang tìm | về trang chủ | thử lại sau',
  id: 'halaman yang anda cari | kembali ke beranda | coba lagi',
  ko: '요청하신 페이지 | 찾으시는 페이지 | 홈으로 | 다시 시도 | 점검',
  ar: 'الصفحة التي تبحث عنها | الصفحة الرئيسية | حاول مرة أخرى',
}

export const ERROR_SENTENCES = Object.values(SENTENCES).flatMap(phraseList)
