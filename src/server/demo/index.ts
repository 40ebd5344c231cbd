export { startDemoSite } from './start-demo-site.js'
export type { DemoSite } from './start-demo-site.js'
