import type { Messages } from './messages.js'

const tooSlow = 'la página tardó demasiado en responder'

/** Spanish. */
export const es: Messages = {
  locale: 'es',
  retry: 'Reintentar',
  updating: 'Actualizando',
  saved: (age) => `Guardado ${age}`,
  screenshot: (host) => `Captura de pantalla de ${host}`,
  image: (host) => `Imagen de ${host}`,
  audio: 'Reproducir audio',
  video: 'Reproducir vídeo',
  loaded: 'La vista previa ya está disponible.',
  failed: (reason) => `Sin vista previa: ${reason}.`,
  reasons: {
    EFATAL: 'algo salió mal',
    EFATALCLIENT: 'el servicio de vistas previas no respondió',
    ETIMEOUTCLIENT: 'el servicio de vistas previas tardó demasiado en responder',
    EUNREACHABLE: 'no se pudo acceder a esta página',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'esta no es la dirección de una página',
    EFORBIDDENURL: 'esta dirección no es pública',
    EREMOVED: 'el propietario de la página ha retirado la vista previa',
    EMAXREDIRECTS: 'esta página redirige demasiadas veces',
    ETOOLARGE: 'esta página es demasiado grande',
    EELEMENT: 'esta parte no está en la página',
    'EELEMENT.hidden': 'esta parte de la página está oculta',
    'EELEMENT.empty': 'esta parte de la página está vacía',
    EBUSY: 'se están creando demasiadas vistas previas',
    ERATE: 'se han solicitado demasiadas vistas previas',
    EAUTH: 'el servicio de vistas previas pide una clave',
  },
}
