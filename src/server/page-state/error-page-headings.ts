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
    bad gateway | bad request | gateway timeout | gateway time-out | service unavailable |
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
