const words = (list: string) => new Set(list.split(' '))

/** Words in the names of newspapers, agencies, companies and their offices; in lower case. */
const WORDS = words(
  'agency bureau broadcasting company corp corporation daily desk editorial editors foundation gazette gmbh herald inc institute journal llc ltd magazine media ministry network news newspaper newspapers newsroom online press publishing reporters reports staff team times tribune ugc university webteam wire bv ' +
    'agentur nachrichten presse presseagentur nachrichtenagentur redaktion verlag zeitung rundfunk medien ministerium onlineredaktion ' +
    'agence rédaction éditions maison ministère université quotidien agencia ediciones diario periódico redacción noticias editorial ministerio universidad ' +
    'agenzia redazione edizioni editore ministero quotidiano agência redação edições notícias redactie uitgeverij krant redakcja agencja wydawnictwo ' +
    'redaktionen tidningen nyheter redaksjonen avisen ajansı haber gazetesi редакция агентство издательство газета новости редакція агенція',
)

/** News agencies and their initials. */
const AGENCIES = words(
  'ap afp dpa epa efe ansa apa sda upi pap tass xinhua reuters lusa anp ntb tt ritzau belga stt ctk',
)

const AGENCY_PHRASES = new Set(['associated press', 'agence france-presse', 'press association', 'canadian press'])

/** Whether a text is the name of a news agency, as it stands after a person's name: `Jane Doe AP`. */
export function isAgency(text: string): boolean {
  const name = text.toLowerCase()
  return AGENCIES.has(name) || AGENCY_PHRASES.has(name)
}

const EAST_ASIAN =
  /編集部|编辑部|編輯部|通信社|通讯社|通訊社|新聞社|新闻社|新闻网|新聞網|株式会社|有限公司|편집부|뉴스|통신|신문/
const MAX_WORDS = 16

/** Whether the words of a name suggest an organisation rather than a person. */
export function isOrganisation(name: string): boolean {
  const parts = name
    .toLowerCase()
    .split(/[\s,./&-]+/, MAX_WORDS)
    .filter(Boolean)
  return parts.some((word) => WORDS.has(word)) || parts.every((word) => AGENCIES.has(word)) || EAST_ASIAN.test(name)
}
