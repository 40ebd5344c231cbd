import type { CodePart } from './code-part.js'
import type { SampleInput } from './sample-input.js'
import { saidWords } from './said-words.js'

/** The request as a `curl` command. */
export function curlCode({ query, hosts, hasKey }: SampleInput): CodePart[] {
  const words = saidWords(query).map(([name, value]): Argument => {
    const isPlain = PLAIN.test(value) && PLAIN.test(name)
    if (isPlain) return { flag: '-d ', value: value === 'true' ? name : `${name}=${value}` }
    return { flag: '--data-urlencode ', value: `${encodeURIComponent(name)}=${value}`, quotes: "'" }
  })
  const base = `curl -G ${hasKey ? hosts.pro : hosts.free}/`
  const rest = [...(hasKey ? [key('-H ', 'x-api-key: ')] : []), ...words, ...(isPicture(query) ? [picture] : [])]
  return command(base, rest)
}

/** The request as our own command; it asks the service's usual address unless it is told another one. */
export function cliCode({ query, hosts, hasKey }: SampleInput): CodePart[] {
  const words = saidWords(query)
    .filter(([name]) => name !== 'url')
    .map(([name, value]): Argument => {
      if (!PLAIN.test(name)) return { flag: '', value: `--${name}=${value}` }
      return value === 'true' ? { flag: `--${name}`, value: '' } : { flag: `--${name}=`, value }
    })
  const [endpoint, usual, host] = hasKey
    ? ['--pro-endpoint ', 'http://127.0.0.1:3001', hosts.pro]
    : ['--endpoint ', 'http://127.0.0.1:3000', hosts.free]
  const rest = [
    ...words,
    ...(host === usual ? [] : [{ flag: endpoint, value: host }]),
    ...(hasKey ? [key('--api-key ', '')] : []),
    ...(isPicture(query) ? [picture] : []),
  ]
  return command('npx page-preview ', rest, query.url)
}

interface Argument {
  flag: string
  value: string
  /** Double ones let the shell fill in a variable. Default: single ones, when they are needed. */
  quotes?: "'" | '"'
}

const PLAIN = /^[\w.:-]+$/
const SAFE = /^[\w.:/=-]*$/

const key = (flag: string, before: string): Argument => ({
  flag,
  value: `${before}$PAGE_PREVIEW_API_KEY`,
  quotes: '"',
})
const picture: Argument = { flag: '-o ', value: 'picture.jpg' }
const isPicture = ({ embed }: SampleInput['query']) => /^(true|(screenshot|image|logo)(\.url)?)$/.test(String(embed))

/** One line per argument that needs quotes; the others share lines. */
function command(start: string, rest: readonly Argument[], subject?: string): CodePart[] {
  const parts: CodePart[] = [start, ...(subject === undefined ? [] : word(subject))]
  let before: Argument | undefined
  for (const argument of rest) {
    const sharesLine = before && isShort(before) && isShort(argument)
    parts.push(sharesLine ? ' ' : ' \\\n  ', argument.flag, ...word(argument.value, argument.quotes))
    before = argument
  }
  return parts
}

const isShort = ({ value, quotes }: Argument) => !quotes && SAFE.test(value) && value.length < 40

function word(value: string, quotes?: Argument['quotes']): CodePart[] {
  if (quotes === '"') return [['string', `"${value}"`]]
  return [!quotes && SAFE.test(value) ? value : ['string', `'${value.replaceAll("'", "'\\''")}'`]]
}
