// No directive: in server components, the namespace is an object of client components.
export { Fallback, Image, Media, Play } from './media.js'
export { Root } from './root.js'
export {
  Author,
  Date,
  Description,
  Host,
  Icon,
  ImageDetails,
  Link,
  Publisher,
  Retry,
  Site,
  Skeleton,
  Status,
  Title,
} from './texts.js'
