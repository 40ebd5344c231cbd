/**
 * Reads a member of a document or an element as the browser defines it: `document.head` is an image of the page where one has
 * this name, and a field of a form hides the form's methods.
 */
export const builtinMember = <Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
): Target[Name] => Reflect.get(Object.getPrototypeOf(target) as object, name, target)
