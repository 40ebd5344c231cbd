export { createApp } from './create-app.js'
export type { AppOptions, Connection } from './app-environment.js'
export type { Plan } from './plan.js'
export { errorAnswer } from './error-answer.js'
