// What only a preview in trouble needs, loaded then.
export { ageWords } from './age-words.js'
export { failureSentence } from './failure-sentence.js'
export { RetryButton } from './retry-button.js'
