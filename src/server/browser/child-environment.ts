/** What programs need from an environment: where things are, the language and the time zone. */
const NAMES = new Set(
  'PATH HOME TMPDIR LANG LANGUAGE TZ LD_LIBRARY_PATH CHROME_DEVEL_SANDBOX FONTCONFIG_PATH FONTCONFIG_FILE'
    .concat(' XDG_CACHE_HOME XDG_DATA_HOME XDG_DATA_DIRS')
    .concat(' SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT TEMP TMP USERPROFILE APPDATA LOCALAPPDATA')
    .concat(' PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86)')
    .split(' '),
)

/** npm reaches its registry through these. */
const NPM_NAMES = /^npm_config_|^(https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i

/**
 * The environment of a child process: named variables only, because an attacker who controls the child, or reads its
 * `/proc/PID/environ`, must not find the secrets of the service.
 */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  pick(env, (name) => NAMES.has(name.toUpperCase()) || name.startsWith('LC_'))

/** Like `childEnvironment`, with the settings of npm and of its network. */
export const npmEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...childEnvironment(env),
  ...pick(env, (name) => NPM_NAMES.test(name)),
})

const pick = (env: NodeJS.ProcessEnv, isIncluded: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => isIncluded(name)))
