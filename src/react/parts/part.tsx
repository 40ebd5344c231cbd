'use client'

import {
  Children,
  cloneElement,
  createContext,
  createElement,
  forwardRef,
  Fragment,
  isValidElement,
  useContext,
  useMemo,
  type ComponentPropsWithoutRef,
  type CSSProperties,
  type ElementType,
  type ForwardRefExoticComponent,
  type Key,
  type PropsWithoutRef,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefAttributes,
} from 'react'
import { assignDefined, joinNames } from '../props.js'
import { isReact18 } from '../react-version.js'
import type { PartState, PreviewView } from './preview-view.js'

// Bundlers of apps replace it, as they do for React.
declare const process: { env: { NODE_ENV?: string } }

/** The elements that parts are by default. */
type PartTag = 'a' | 'article' | 'audio' | 'bdi' | 'button' | 'div' | 'img' | 'p' | 'span' | 'time' | 'video'

/** The props of a part: the attributes of its element, and these. */
export type PartProps<Tag extends PartTag = 'span', State = PartState> = Omit<
  ComponentPropsWithoutRef<Tag>,
  'className' | 'style'
> & {
  /**
   * Another element in place of the default one: an element that gets the attributes of the part, or a function of them and of the
   * state.
   *
   * @example render: <CardTitle />
   */
  render?: ReactElement | ((props: ComponentPropsWithoutRef<Tag>, state: State) => ReactNode) | undefined
  /**
   * The class, or a function of the state.
   *
   * @example className: ({ status }) => (status === 'failed' ? 'opacity-60' : undefined)
   */
  className?: string | ((state: State) => string | undefined) | undefined
  /**
   * The style, or a function of the state.
   *
   * @example style: { maxWidth: 400 }
   */
  style?: CSSProperties | ((state: State) => CSSProperties | undefined) | undefined
}

/** A part, which works below the root of a preview. */
export type Part<Tag extends PartTag, State = PartState> = ForwardRefExoticComponent<
  PropsWithoutRef<PartProps<Tag, State>> & RefAttributes<HTMLElement>
>

/** The state of `Play`. */
export type PlayState = PartState & { isPlaying: boolean }

/** What a part shows unless its props say otherwise. */
export interface PartContent {
  /** Default: `span`. */
  tag?: PartTag | undefined
  /** A new key is a new element, which is not a layout shift. */
  key?: Key
  attributes?: Record<string, unknown>
}

export const PreviewContext = createContext<PreviewView | undefined>(undefined)

/**
 * @param user  The part or hook, as it is written in code.
 * @throws      When it is not inside a root.
 */
export function usePreviewView(user: string): PreviewView {
  const view = useContext(PreviewContext)
  if (!view) throw new Error(`${user} is not inside a <Preview.Root>, which provides its page.`)
  return view
}

/**
 * The state of the preview around a component, for a part of your own: its page, and what the parts show of it.
 *
 * @throws  When the component is not inside a root.
 * @example  const { page } = usePreviewState()
 */
export const usePreviewState = (): PartState => usePreviewView('usePreviewState()').state

/** Creates a part from what it shows of a preview; `undefined` renders nothing. */
export function createPart<Tag extends PartTag>(
  name: string,
  contentOf: (view: PreviewView) => PartContent | undefined,
): Part<Tag> {
  const Component = forwardRef<HTMLElement, PartProps<PartTag>>(function PreviewPart(props, ref) {
    const view = usePreviewView(`<Preview.${name}>`)
    return usePartElement(contentOf(view), view, props, ref)
  })
  if (process.env.NODE_ENV !== 'production') Component.displayName = `Preview.${name}`
  // `forwardRef` knows one type of element, and the caller names the tag.
  return Component as unknown as Part<Tag>
}

/**
 * The element of a part, with the caller's attributes over its own ones; handlers of both are called. It is a hook by its name only,
 * because React's rules let nothing else take a ref.
 */
export function usePartElement<Tag extends PartTag, State extends PartState>(
  content: PartContent | undefined,
  { showsState, state }: PreviewView & { state: State },
  { render, className, style, ...own }: PartProps<Tag, State>,
  callerRef?: Ref<HTMLElement> | null,
): ReactElement | null {
  if (!content) return null
  const { tag = 'span', key, attributes: { src, ...attributes } = {} } = content
  const props: Record<string, unknown> = {
    ...(showsState && { 'data-status': state.status, 'data-layout': state.layout }),
    ...(className !== undefined && { className: valueOf(className, state) }),
    ...mergeAttributes(attributes, own),
    ...(style !== undefined && { style: valueOf(style, state) }),
    ...(callerRef && { ref: callerRef }),
    // The last one, because some browsers start the download as soon as it is set.
    ...(src !== undefined && { src }),
  }
  // A server component sends a lazy element, which `Children` resolves.
  const element = typeof render === 'object' && !isValidElement(render) ? Children.toArray(render)[0] : render
  if (isValidElement<Record<string, unknown>>(element))
    return cloneElement(element, { key, ...withOwnProps(props, element) })
  if (typeof render === 'function')
    return <Fragment key={key}>{render(props as ComponentPropsWithoutRef<Tag>, state)}</Fragment>
  return createElement(tag as ElementType, { key, ...props })
}

const valueOf = <Value, State>(value: Value | ((state: State) => Value), state: State): Value =>
  typeof value === 'function' ? (value as (state: State) => Value)(state) : value

type Handler = (event: unknown) => void

/** The caller's attributes over those of a part; handlers of both are called. */
function mergeAttributes(attributes: Record<string, unknown>, own: object): Record<string, unknown> {
  const merged: Record<string, unknown> = assignDefined(attributes, own)
  for (const [name, handle] of Object.entries(attributes)) {
    const ownHandle: unknown = Reflect.get(own, name)
    if (typeof handle !== 'function' || typeof ownHandle !== 'function') continue
    merged[name] = (event: unknown) => {
      ;(ownHandle as Handler)(event)
      ;(handle as Handler)(event)
    }
  }
  return merged
}

/** The props of the caller's element stay; its class, style, handlers and ref are added to those of the part. */
function withOwnProps(
  { ref: partRef, ...props }: Record<string, unknown>,
  { props: own, ...element }: ReactElement<Record<string, unknown>>,
): Record<string, unknown> {
  // React 18 warns if the ref is read from the props.
  const ownRef = isReact18 ? Reflect.get(element, 'ref') : own.ref
  const ref = mergeRefs(partRef as Ref<HTMLElement>, ownRef as Ref<HTMLElement>)
  return {
    ...mergeAttributes(props, own),
    className: joinNames(own.className as string, props.className as string),
    style: props.style || own.style ? { ...(props.style as object), ...(own.style as object) } : undefined,
    children: own.children ?? props.children,
    ...(ref && { ref }),
  }
}

/** Both refs as one, which stays the same as long as they do. */
export function useMergedRefs(
  first: Ref<HTMLElement> | undefined,
  second: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  return useMemo(() => mergeRefs(first, second), [first, second])
}

function mergeRefs(
  first: Ref<HTMLElement> | undefined,
  second: Ref<HTMLElement> | undefined,
): Ref<HTMLElement> | undefined {
  if (!first || !second) return first ?? second
  return (element) => {
    const cleanUps = [first, second].map((ref) => setRef(ref, element) ?? (() => void setRef(ref, null)))
    // React 18 calls the ref with `null` in place of a clean-up function.
    return isReact18 ? undefined : () => cleanUps.forEach((cleanUp) => cleanUp())
  }
}

/** @returns  The clean-up function of the ref, if it has one. */
const setRef = (ref: NonNullable<Ref<HTMLElement>>, element: HTMLElement | null) =>
  typeof ref === 'function' ? ref(element) : void (ref.current = element)
