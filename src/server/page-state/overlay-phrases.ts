import { labelList } from './fold-text.js'

/**
 * What dialogs are about that sites put in front of their content, by matter, in several languages; whole words, in the notation of
 * `labelList`.
 */
const MATTERS: Readonly<Record<string, string>> = {
  newsletter: `
    newsletter* | subscribe | sign up for | mailing list* | your inbox | stay in the loop | stay updated | join our |
    join the list | join the club | exclusive offers | special offers | % off | your first order | discount* | free gift* |
    limited time | spin to win | enter your email | your email address | unlock | abonnieren | rabatt* |
    willkommensrabatt | neukundenrabatt | erhalte | erhalten | jetzt anmelden | s'abonner | abonnez-vous |
    inscrivez-vous | de réduction | suscríbete | suscribirse | descuento* | iscriviti | sconto | inscreva-se | assine |
    desconto* | inschrijven | schrijf je in | korting* | zapisz się | prenumerera | tilmeld* | подпишитесь |
    подписаться | скидк | メールマガジン | 登録 | 订阅 | 訂閱 | 구독 | 할인`,
  account: `
    create account | create an account | create new account | sign up | join now | register | see more from |
    continue with google | sign in with google | log in to continue | sign in to continue | registrieren |
    konto erstellen | créer un compte | crear cuenta | crea un account | criar conta | зарегистрироваться | 会員登録 | 注册`,
  paywall: `
    continue reading | keep reading | already a subscriber | free articles | unlimited access | support our journalism |
    support us | donate | become a member | weiterlesen | bereits abonnent | poursuivre la lecture | sigue leyendo |
    continua a leggere | verder lezen`,
  notifications: `
    send you notifications | show notifications | push notifications | notify me | enable notifications |
    latest news and updates | breaking news alerts | benachrichtigungen | les notifications | notificaciones | notifiche |
    notificações | meldingen | powiadomienia | уведомления | 通知 | 알림`,
  place: `
    your country | your location | your region | your language | shipping to | ship to | deliver to | visiting from |
    you are in | you're in | switch to | choose a store | ihr land | dein land | votre pays | tu país | il tuo paese`,
  blocker: `
    ad blocker* | adblock* | ad-block* | ad block | werbeblocker* | bloqueur de pub* | bloqueador de anuncios | blocker`,
  age: `
    are you over | of legal | 18 or older | 21 or older | at least 18 | at least 21 | over 18 | over 21 | are you 18 |
    are you 21 | verify your age | confirm your age | age verification | your date of birth | your birth date |
    your birthday | your year of birth | über 18 | 18 jahre* | altersprüfung | altersverifikation | altersnachweis |
    dein geburtsdatum | ihr geburtsdatum | volljährig | plus de 18 | 18 ans | date de naissance | âge légal |
    mayor de edad | mayor de 18 | 18 años | fecha de nacimiento | maggiorenne | 18 anni | data di nascita |
    maior de idade | maior de 18 | 18 anos | data de nascimento | 18 jaar | geboortedatum | 18 lat | pełnoletni* |
    data urodzenia | över 18 | 18 år | 18 let | 18 лет | совершеннолетн | 年齢確認 | 18歳 | 20歳 | 年满18 | 已满18 | 滿18 | 19세`,
  survey: 'survey | surveys | feedback | umfrage* | sondage* | encuesta* | sondaggio | enquête* | help us improve',
}

/** Words of banners that lead to an app; whole words. */
const APP: Readonly<Record<string, string>> = {
  en: `
    open in app | open in the app | open the app | open app | get the app | get our app | use the app | use app |
    view in app | view in the app | see in the app | continue in app | continue in the app | download the app |
    download our app | download app | install the app | install our app | install app | switch to the app |
    better in the app | in our app | see this post in | see this page in | view this post in | view this page in |
    continue in browser | continue in the browser | continue on mobile web | stay in browser | on the app store | get it on google play | free - in google play | on google play`,
  de: 'in der app | app öffnen | app laden | app herunterladen | app installieren | zur app | unsere app',
  fr: "dans l'application | ouvrir l'application | ouvrir l'app | télécharger l'application | télécharger l'app",
  es: 'en la app | abrir app | abrir la app | descarga la app | descargar la app | instalar la app',
  it: "nell'app | apri l'app | scarica l'app | apri app | usa l'app",
  pt: 'abrir no app | continuar no app | ver no app | veja no app | usar no app | melhor no app | abrir app | abrir o app | baixe o app | baixar o app | usar o app | na aplicação',
  nl: 'in de app | open de app | download de app',
  pl: 'w aplikacji | otwórz aplikację | pobierz aplikację',
  ru: 'в приложении | открыть приложение | скачать приложение | установить приложение',
  ja: 'アプリで | アプリを',
  zh: '打开app | 打開app | 在app | 下载app | app内打开 | 客户端打开 | 打开客户端',
  ko: '앱에서 | 앱으로 | 앱 열기',
}

/** Labels of buttons that close a dialog, or put it off; in the notation of `labelList`, by language. */
const DISMISS: Readonly<Record<string, string>> = {
  symbols: '=× | =✕ | =✖ | =✗ | =╳ | =x',
  en: `
    close | dismiss | no thanks | no, thanks | no thank you | no, i | not now | maybe later | =later | =skip | skip for | skip this | skip login | skip sign | =cancel |
    ask me later | remind me later | don't show | do not show | continue to | continue without | continue as guest |
    stay on | not interested | i'm not | =hide | hide this | hide banner | hide message | decline`,
  de: 'schließen | schliessen | nein danke | nein, danke | =später | später* | nicht jetzt | überspringen | =abbrechen | weiter zu',
  fr: 'fermer | non merci | non, merci | plus tard | pas maintenant | ignorer | =passer | continuer vers',
  es: 'cerrar | no gracias | no, gracias | ahora no | más tarde | omitir | =cancelar',
  it: 'chiudi | no grazie | no, grazie | non ora | più tardi | =salta | =annulla',
  pt: 'fechar | não obrigado | não, obrigado | não, obrigada | agora não | mais tarde | pular | =cancelar',
  nl: 'sluiten | sluit | nee bedankt | nee, bedankt | niet nu | =overslaan | =annuleren',
  pl: 'zamknij | nie, dziękuję | nie teraz | później | pomiń',
  sv: 'stäng | nej tack | nej, tack | inte nu',
  da: 'luk | nej tak | ikke nu',
  no: 'lukk | nei takk | ikke nå',
  fi: 'sulje | ei kiitos',
  cs: 'zavřít | ne, děkuji | nyní ne',
  tr: 'kapat | hayır | daha sonra | şimdi değil',
  ru: 'закрыть | нет, спасибо | не сейчас | =позже | пропустить',
  uk: 'закрити | ні, дякую | не зараз',
  ja: '閉じる* | 今はしない | 後で* | あとで* | スキップ* | いいえ* | 今日は表示*',
  zh: '关闭* | 關閉* | =取消 | 以后再说* | 稍后* | 暂不* | 不再提示*',
  ko: '닫기* | 나중에* | 오늘 하루* | 다시 보지*',
  ar: 'إغلاق | ليس الآن',
}

/** Labels of buttons that lead to the end of an order; in the notation of `labelList`, by language. */
const ORDER: Readonly<Record<string, string>> = {
  en: `
    =pay | pay now | pay with | checkout | check out | continue to checkout | continue to payment | go to checkout |
    add to cart | add to basket | add to bag | view cart | view basket | view bag | go to cart | go to basket |
    proceed to | place order | buy now | order now`,
  de: 'zur kasse | in den warenkorb | zum warenkorb | warenkorb | jetzt kaufen | jetzt bezahlen | zahlungspflichtig | bestellen',
  fr: 'payer | commander | ajouter au panier | voir le panier | passer commande | acheter',
  es: 'pagar | comprar | tramitar pedido | añadir al carrito | añadir a la cesta | ver carrito | ver cesta',
  it: 'acquista | paga ora | vai al carrello | aggiungi al carrello | procedi',
  pt: 'comprar | finalizar compra | adicionar ao carrinho | ver carrinho | pagar',
  nl: 'afrekenen | in winkelwagen | in winkelmand | naar winkelwagen | bestellen',
  pl: 'do koszyka | dodaj do koszyka | zapłać | kup teraz',
  ru: 'оформить заказ | в корзину | оплатить | купить',
  ja: '購入* | カートに* | レジに*',
  zh: '结算* | 去结算* | 加入购物车* | 立即购买*',
  ko: '구매* | 결제* | 장바구니*',
}

export const MATTER_PHRASES = Object.values(MATTERS).flatMap(labelList)
export const APP_PHRASES = Object.values(APP).flatMap(labelList)
export const ORDER_LABELS = Object.values(ORDER).flatMap(labelList)
export const DISMISS_LABELS = Object.values(DISMISS).flatMap(labelList)

/** What names, titles and addresses of chat windows and their buttons contain. */
export const CHAT_NAMES: readonly string[] = [
  'chat',
  'messenger',
  'intercom',
  'drift',
  'zendesk',
  'zopim',
  'webwidget',
  'crisp',
  'tawk',
  'tidio',
  'hubspot-messages',
  'helpscout',
  'beacon-container',
  'helpcrunch',
  'olark',
  'freshworks',
  'gorgias',
  'kustomer',
  'jivo',
  'userlike',
  'customerly',
  'podium',
  'whatsapp',
  'wa.me',
  'smooch',
  'launcher',
  'livehelp',
  'support-widget',
  'help-widget',
]

/** The same of frames that are put in front of a page, besides those of `CONSENT_FRAMES`. */
export const OVERLAY_FRAMES: readonly string[] = [
  'accounts.google.com/gsi',
  'credential_picker',
  'newsletter',
  'subscribe',
  'popup',
  'modal',
  'survey',
  'paywall',
  'piano-id',
  'tinypass',
  'branch-banner',
  'smartbanner',
  'attentive',
  'privy',
  'justuno',
  'wisepops',
  'optinmonster',
  'sumo',
]
