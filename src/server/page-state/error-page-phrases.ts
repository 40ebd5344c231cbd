import { phraseList, trimPunctuation } from './fold-text.js'

/**
 * Phrases of titles and headings of error pages, apart from a status code and the name of the site; folded with `foldText`, without
 * punctuation at the ends, by language.
 */
const HEADINGS: Readonly<Record<string, string>> = {
  en: `
    not found | page not found | page cannot be found | page not available | page unavailable |
    page does not exist | page doesn't exist | page isn't available | this page isn't available |
    this page is not available | this page does not exist | this page doesn't exist | this page could not be found |
    this page can't be found | this page isn't working | this site can't be reached |
    that page can't be found | video unavailable | we can't find that page |
    we can't find this page | we can't find the page you're looking for | we couldn't find that page |
    we couldn't find this page | file not found | the page you were looking for does not exist |
    the page you were looking for doesn't exist | the page you're looking for doesn't exist |
    the page you requested was not found | the page you requested could not be found |
    the requested page could not be found | nothing here | nothing found | there's nothing here | site not found |
    website not found | site unavailable | error page | this content isn't available right now |
    this content isn't available at the moment |
    the job you are looking for is no longer open | project not found | store not found | no such app |
    application not found | deployment not found | this deployment cannot be found |
    the deployment could not be found | error | an error occurred | an error has occurred | something went wrong |
    oops | we're sorry, but something went wrong |
    application error | whitelabel error page | internal server error | server error | server error (500) |
    too many requests | rate limit exceeded | payment required | method not allowed | not acceptable |
    request timeout | request time-out | unavailable for legal reasons | unavailable due to legal reasons |
    network authentication required | bad gateway | bad request | gateway timeout | gateway time-out | service unavailable |
    service temporarily unavailable | temporarily unavailable | web server is down | connection timed out |
    host error | forbidden | unauthorized | authorization required | gone |
    error establishing a database connection | database error | under maintenance | site under maintenance |
    website under maintenance | site maintenance | maintenance | maintenance mode | scheduled maintenance |
    down for maintenance | we are down for maintenance | we're down for maintenance |
    temporarily down for maintenance | currently under maintenance | we are currently under maintenance |
    briefly unavailable for scheduled maintenance. check back in a minute | be right back | we'll be right back |
    we'll be back soon | we will be back soon | account suspended | this account has been suspended |
    website suspended | domain parked | parked domain | this domain is parked | domain for sale |
    this domain is for sale | this domain may be for sale | this domain name is for sale | domain default page |
    this website is for sale | is for sale | domain name for sale | the domain name is for sale |
    is parked free, courtesy of | is no longer available |
    web server's default page | welcome to nginx | welcome to openresty | apache2 default page |
    apache2 ubuntu default page | apache2 debian default page | test page for the apache http server |
    http server test page |
    iis windows server | iis windows | default web site page | not found)!!1`,
  de: `
    nicht gefunden | diese seite kann nicht gefunden werden |
    seite nicht gefunden | seite wurde nicht gefunden | die seite wurde nicht gefunden |
    diese seite existiert nicht | diese seite gibt es nicht | diese seite wurde nicht gefunden |
    dieser inhalt ist momentan nicht verfügbar | dieser inhalt ist derzeit nicht verfügbar |
    die angeforderte seite wurde nicht gefunden | seite nicht verfügbar | fehler | ein fehler ist aufgetreten |
    interner serverfehler | zugriff verweigert | dienst nicht verfügbar | wartung | wartungsarbeiten | wartungsmodus |
    wir sind bald zurück | wir sind gleich zurück | diese domain steht zum verkauf`,
  fr: `
    page introuvable | page non trouvée | non trouvé | la page est introuvable | cette page est introuvable |
    cette page n'existe pas |
    la page demandée n'existe pas | cette page n'existe plus | la page que vous recherchez n'existe pas | erreur |
    une erreur est survenue | une erreur s'est produite | erreur interne du serveur | accès refusé |
    accès interdit | service indisponible | site en maintenance | en maintenance | maintenance en cours |
    ce domaine est à vendre`,
  es: `
    no encontrado | no encontrada | página no encontrada | pagina no encontrada | la página no existe |
    no encontramos la página que buscas | no encontramos esta página |
    esta página no existe | esta página no está disponible | no se ha encontrado la página |
    no se encontró la página | no hemos encontrado la página | ha ocurrido un error | se ha producido un error |
    error interno del servidor | acceso denegado | servicio no disponible | sitio en mantenimiento |
    en mantenimiento | mantenimiento | volvemos pronto | este dominio está en venta`,
  it: `
    non trovato | pagina non trovata | la pagina non esiste | questa pagina non esiste |
    la pagina richiesta non esiste | la pagina che cerchi non esiste | errore | si è verificato un errore |
    errore interno del server | accesso negato | servizio non disponibile | sito in manutenzione | in manutenzione |
    manutenzione in corso | torniamo presto | questo dominio è in vendita`,
  pt: `
    não encontrado | não encontrada | página não encontrada | pagina não encontrada | esta página não existe |
    não encontramos essa página | não encontramos esta página | não encontramos a página que você procura |
    a página não existe | a página não foi encontrada | página não disponível | erro | ocorreu um erro |
    erro interno do servidor | acesso negado | serviço indisponível | em manutenção | site em manutenção |
    estamos em manutenção | voltamos em breve | este domínio está à venda`,
  nl: `
    niet gevonden | pagina niet gevonden | deze pagina bestaat niet | deze pagina bestaat niet meer | deze pagina is niet gevonden |
    pagina bestaat niet | fout | er is een fout opgetreden | er is iets misgegaan | toegang geweigerd | onderhoud |
    we zijn zo terug | deze domeinnaam is te koop`,
  pl: `
    nie znaleziono | nie znaleziono strony | strona nie została znaleziona | strona nie istnieje |
    ta strona nie istnieje | wystąpił błąd | przerwa techniczna | strona w przebudowie | ta domena jest na sprzedaż`,
  sv: 'sidan hittades inte | sidan kunde inte hittas | sidan finns inte | ett fel uppstod | underhåll pågår',
  da: 'siden blev ikke fundet | siden findes ikke | der opstod en fejl',
  tr: 'sayfa bulunamadı | bulunamadı | bir hata oluştu | bakım çalışması | bu alan adı satılıktır',
  ru: `
    не найдено | не найдена | страница не найдена | страница не существует | такой страницы нет |
    такой страницы не существует | запрашиваемая страница не найдена | ошибка | произошла ошибка |
    что-то пошло не так | внутренняя ошибка сервера | доступ запрещен | доступ запрещён | сервис недоступен |
    сервис временно недоступен | технические работы | ведутся технические работы |
    на сайте ведутся технические работы | сайт на обслуживании | домен продается | домен продаётся |
    этот домен продается`,
  uk: 'сторінку не знайдено | сторінка не знайдена | сталася помилка | технічні роботи',
  ja: `
    見つかりません | ページが見つかりません | ページが見つかりませんでした | お探しのページは見つかりませんでした | お探しのページが見つかりません | お探しのページが見つかりませんでした |
    ご指定のページが見つかりません | このページは存在しません | エラー | エラーが発生しました | サーバーエラー | メンテナンス中 | メンテナンス中です | ただいまメンテナンス中です | メンテナンスのお知らせ`,
  zh: `
    页面不存在 | 页面未找到 | 找不到页面 | 找不到该页面 | 未找到页面 | 您访问的页面不存在 | 你访问的页面不存在 | 抱歉,您访问的页面不存在 | 网页不存在 | 頁面不存在 | 找不到頁面 | 找不到網頁 |
    出错了 | 出错啦 | 服务器错误 | 系统维护中 | 网站维护中 | 系统维护 | 維護中 | 此域名出售 | 域名出售`,
  cs: `
    stránka nenalezena | stránka nebyla nalezena | stránka neexistuje | tato stránka neexistuje |
    požadovaná stránka neexistuje | požadovaná stránka nebyla nalezena | došlo k chybě | probíhá údržba`,
  no: 'siden finnes ikke | siden ble ikke funnet | fant ikke siden | vi fant ikke siden | det oppstod en feil',
  fi: 'sivua ei löydy | sivua ei löytynyt | hakemaasi sivua ei löytynyt | tapahtui virhe',
  hu: 'az oldal nem található | a keresett oldal nem található | hiba történt',
  ro: 'pagina nu a fost găsită | pagina nu există | a apărut o eroare',
  el: 'η σελίδα δεν βρέθηκε | η σελίδα δεν υπάρχει | παρουσιάστηκε σφάλμα',
  vi: 'không tìm thấy trang | trang không tồn tại | đã xảy ra lỗi',
  id: 'halaman tidak ditemukan | terjadi kesalahan',
  ko: '페이지를 찾을 수 없습니다 | 찾을 수 없음 | 오류가 발생했습니다 | 점검 중 | 서비스 점검 중 | 시스템 점검 중',
  ar: 'الصفحة غير موجودة | لم يتم العثور على الصفحة | حدث خطأ',
}

export const ERROR_HEADINGS: ReadonlySet<string> = new Set(
  Object.values(HEADINGS).flatMap(phraseList).map(trimPunctuation),
)

/** Words before or after a status code, which add nothing to it. */
export const CODE_WORDS: ReadonlySet<string> = new Set([
  'http',
  'https',
  'status',
  'code',
  'error',
  'fehler',
  'erreur',
  'errore',
  'erro',
  'fout',
  'błąd',
  'fel',
  'fejl',
  'hata',
  'ошибка',
  'помилка',
  'エラー',
  '错误',
  '錯誤',
  '오류',
  'the',
  "that's",
  'an',
  'oops',
  'sorry',
])

/** Addresses in the markup of parked domains and default pages. */
export const PARKING_MARKERS: readonly string[] = [
  'img.sedoparking.com',
  'sedoparking.com/frmpark',
  'parkingcrew.net',
  'd38psrni17bvxu.cloudfront.net',
  'img1.wsimg.com/parking-lander',
  'window.park =',
  'parklogic.com',
  'iisstart.png',
  'bodiscdn.com',
  'dan.com/api/domain-for-sale',
]

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
    return home | return to home | return to the homepage | try again later | please try again | try refreshing | reload the page |
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

/**
 * What a host, a registrar or a failing program sends instead of a site; in a short text it leaves no doubt. Folded with `foldText`, by
 * language.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  en: `
    currently parked by its owner | is parked free, courtesy of | parked domain name on | your domain is parked |
    domain isn't connected to a website | domain is not connected to a website | this website has been reserved |
    this domain has expired | there is no web site at this address | the authors have deleted this site |
    there has been a critical error on this website | fatal error: uncaught | fatal error : uncaught |
    this video isn't available anymore | this account doesn't exist | your browser is not supported |
    your browser is no longer supported | this browser is no longer supported | this browser is not supported`,
  de: `
    hier entsteht eine neue internetpräsenz | hier entsteht eine neue homepage | hier entsteht eine neue website |
    diese domain ist reserviert | diese domain ist geparkt`,
  fr: 'votre domaine a bien été créé | ce domaine est réservé | ce domaine est parqué',
  es: 'este dominio está aparcado | este dominio está reservado',
  it: 'questo dominio è parcheggiato | dominio registrato e non ancora attivo',
  nl: 'deze domeinnaam is gereserveerd | deze domeinnaam is geparkeerd',
  pl: 'ta domena jest zaparkowana | domena jest utrzymywana na serwerach',
  ru: 'домен припаркован | домен не прилинкован',
  zh: '该域名已过期',
}

export const HOST_MESSAGES = Object.values(MESSAGES).flatMap(phraseList)
