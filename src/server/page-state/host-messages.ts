import { phraseList } from './fold-text.js'

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
