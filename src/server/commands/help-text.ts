import { secretFileVariable } from '../secrets.js'
import { optionFlag, optionVariable, serveOptions, type ServeOptionName } from '../serve-options.js'
import { formatTable } from './format-table.js'

export function serveHelp(): string {
  const rows = Object.entries(serveOptions).map(([name, option]): [string, string] => [
    [optionFlag(name), 'placeholder' in option ? option.placeholder : ''].join(' ').trim(),
    `${option.help}${'default' in option && option.default !== false ? `; default ${option.default}` : ''} (${variablesOf(name as ServeOptionName)})`,
  ])
  return `Runs the service: previews at /, the playground at /playground/, the script tag at /page-preview.js.

  page-preview-server serve [--option …]
  page-preview-server serve --demo

${helpRows(rows)}
`
}

function variablesOf(name: ServeOptionName): string {
  const variable = optionVariable(name)
  return 'isSecret' in serveOptions[name] ? `${variable}, or its file in ${secretFileVariable(variable)}` : variable
}

export function keysHelp(): string {
  return `Manages the keys of the pro host. Changes take effect at once, also in a running service on the same folder or Redis.

${helpRows([
  ['page-preview-server keys create --name NAME', 'create a key, and print it once, on stdout'],
  ['page-preview-server keys update ID', 'change the name or the limits of a key'],
  ['page-preview-server keys list [--json] [--usage]', 'list id, name, created, revoked and limits'],
  ['page-preview-server keys revoke ID', 'refuse the key and everything signed with it from now on'],
  [
    'page-preview-server keys export [FILE]',
    'write all keys as JSON lines, signing keys encrypted; without FILE on stdout',
  ],
  ['page-preview-server keys import FILE', 'add exported keys; what is revoked on either side stays revoked'],
])}

${helpRows([
  ['--name NAME', 'a name by which people recognise the key'],
  ['--daily-limit N', 'uncached requests and new variants per day (UTC); none for no limit'],
  ['--concurrency N', 'uncached requests at the same time, on each instance'],
  ['--expires 90d|DATE', 'refuse the key from then on'],
  ['--allow-host HOST', 'pages that it may request: a host, or *.HOST for its subdomains (repeatable)'],
  ['--usage', 'list uncached requests of today and of 31 days; with --json of each day'],
  ['--data-dir DIR', `folder of the service (${optionVariable('dataDir')}); defaults to that of serve`],
  ['--redis URL', `Redis that several instances share (${optionVariable('redis')}); --data-dir is not used then`],
  ['--keys REDIS|DIR', `as in serve (${optionVariable('keys')}), instead of the other two`],
  ['--redis-prefix NAME', `as in serve (${optionVariable('redisPrefix')}); default page-preview`],
  [
    '--signing-secret-file FILE',
    `as in serve (${optionVariable('signingSecretFile')}, or the secret itself in ${optionVariable('signingSecret')}); only create uses it`,
  ],
  ['--json', 'print the list as JSON'],
])}
`
}

export function purgeHelp(): string {
  return `Deletes cached results with their images, also from services that run on the same store: they follow within a second.

${helpRows([
  ['page-preview-server purge URL', 'the page at this URL, with all parameters'],
  ['page-preview-server purge HOST', 'all pages of a host and its subdomains'],
  ['page-preview-server purge --all', 'everything but keys and counters'],
])}

${helpRows([
  ['--data-dir DIR', `folder of the service (${optionVariable('dataDir')}); defaults to that of serve`],
  ['--redis URL', `as in serve (${optionVariable('redis')})`],
  ['--redis-prefix NAME', `as in serve (${optionVariable('redisPrefix')}); default page-preview`],
  ['--s3 URL', `as in serve (${optionVariable('s3')}); its credentials must be allowed to delete`],
])}
`
}

/** Flags and what they do, in two columns. */
export const helpRows = (rows: readonly (readonly [string, string])[]) =>
  formatTable(rows, { maxWidth: 44 })
    .map((line) => `  ${line}`)
    .join('\n')
