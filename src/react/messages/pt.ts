import type { Messages } from './messages.js'

const tooSlow = 'a página demorou demais para responder'

/** Portuguese as it is written in Brazil. */
export const pt: Messages = {
  locale: 'pt-BR',
  retry: 'Tentar de novo',
  updating: 'Atualizando',
  saved: (age) => `Salvo ${age}`,
  screenshot: (host) => `Captura de tela de ${host}`,
  image: (host) => `Imagem de ${host}`,
  audio: 'Reproduzir áudio',
  video: 'Reproduzir vídeo',
  loaded: 'A prévia já está disponível.',
  failed: (reason) => `Sem prévia: ${reason}.`,
  reasons: {
    EFATAL: 'algo deu errado',
    EFATALCLIENT: 'o serviço de prévias não respondeu',
    ETIMEOUTCLIENT: 'o serviço de prévias demorou demais para responder',
    EUNREACHABLE: 'não foi possível acessar esta página',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'este não é o endereço de uma página',
    EFORBIDDENURL: 'este endereço não é público',
    EREMOVED: 'o proprietário da página removeu a pré-visualização',
    EMAXREDIRECTS: 'esta página redireciona vezes demais',
    ETOOLARGE: 'esta página é grande demais',
    EELEMENT: 'esta parte não está na página',
    'EELEMENT.hidden': 'esta parte da página está oculta',
    'EELEMENT.empty': 'esta parte da página está vazia',
    EBUSY: 'há prévias demais sendo criadas agora',
    ERATE: 'foram solicitadas prévias demais',
    EAUTH: 'o serviço de prévias pede uma chave',
  },
}
