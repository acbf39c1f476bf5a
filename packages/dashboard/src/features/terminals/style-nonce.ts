import { getNonce } from 'get-nonce'

type Create = (tag: string) => HTMLElement

/** Elements that the page's CSP allows: style elements with its nonce, and styles of spans set without an attribute. */
function createAllowed(create: Create, tag: string): HTMLElement {
  const element = create(tag)
  if (tag === 'style') element.nonce = getNonce() ?? ''
  // xterm.js sets colours beyond the palette with an attribute, which the CSP blocks.
  if (tag === 'span')
    element.setAttribute = (name, value) => {
      if (name === 'style') element.style.cssText = value
      else Element.prototype.setAttribute.call(element, name, value)
    }
  return element
}

/** For the option `documentOverride` of xterm.js. */
export function documentWithNonce(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return (tag: string) => createAllowed((each) => target.createElement(each), tag)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    }
  })
}

/** The viewport of xterm.js 6.0 ignores `documentOverride` for its style element, which it creates during `open`. */
export function withNonce(open: () => void): void {
  const create: Create = document.createElement.bind(document)
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: (tag: string) => createAllowed(create, tag)
  })
  try {
    open()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
}
