import type { Messages } from './messages.js'

const tooSlow = 'la page a mis trop de temps à répondre'

/** French. */
export const fr: Messages = {
  locale: 'fr',
  retry: 'Réessayer',
  updating: 'Mise à jour',
  saved: (age) => `Enregistré ${age}`,
  screenshot: (host) => `Capture d’écran de ${host}`,
  image: (host) => `Image de ${host}`,
  audio: 'Lire l’audio',
  video: 'Lire la vidéo',
  loaded: 'L’aperçu est maintenant affiché.',
  failed: (reason) => `Pas d’aperçu : ${reason}.`,
  reasons: {
    EFATAL: 'une erreur est survenue',
    EFATALCLIENT: 'le service d’aperçu n’a pas répondu',
    ETIMEOUTCLIENT: 'le service d’aperçu a mis trop de temps à répondre',
    EUNREACHABLE: 'cette page est injoignable',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'ce n’est pas l’adresse d’une page',
    EFORBIDDENURL: 'cette adresse n’est pas publique',
    EREMOVED: 'le propriétaire de la page a retiré l’aperçu',
    EMAXREDIRECTS: 'cette page redirige trop souvent',
    ETOOLARGE: 'cette page est trop volumineuse',
    EELEMENT: 'cet élément n’est pas dans la page',
    'EELEMENT.hidden': 'cet élément de la page est masqué',
    'EELEMENT.empty': 'cet élément de la page est vide',
    EBUSY: 'trop d’aperçus sont en préparation',
    ERATE: 'trop d’aperçus ont été demandés',
    EAUTH: 'le service d’aperçu demande une clé',
  },
}
