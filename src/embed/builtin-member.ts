/**
 * Reads a member of a document or an element as the browser defines it. An image named `head` replaces `document.head`, and the
 * fields of a form hide its methods of the same name.
 */
export const builtinMember = <Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
): Target[Name] => Reflect.get(Object.getPrototypeOf(target) as object, name, target)
