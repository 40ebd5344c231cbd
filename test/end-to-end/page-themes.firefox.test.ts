// Covers the theme `auto` on pages of every kind, in Firefox.
import { launch } from 'puppeteer-core'
import { testFrozenThemes } from './frozen-theme-table.js'
import { testThemeTable } from './theme-table.js'

for (const [value, system] of (['dark', 'light'] as const).entries()) {
  const open = () =>
    launch({
      browser: 'firefox',
      executablePath: process.env.FIREFOX_PATH!,
      extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': value },
    })
  testThemeTable(system, open)
  testFrozenThemes(system, open)
}
