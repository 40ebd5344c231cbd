/** What these tests use of the build of recheck in JavaScript, which ships no types. */
declare module 'recheck/lib/browser.js' {
  export { checkSync } from 'recheck'
}
