// No directive: in server components, the namespace is an object of client components.
export {
  Author,
  Date,
  Description,
  Fallback,
  Host,
  Icon,
  Image,
  ImageDetails,
  Link,
  Media,
  Play,
  Publisher,
  Retry,
  Site,
  Skeleton,
  Status,
  Title,
} from './parts.js'
export { Root } from './root.js'
