export { answerCapture, captureFailure } from './answer-capture.js'
export { CAPTURES_PATH } from './messages.js'
export { createRemoteExtractor } from './remote-extractor.js'
