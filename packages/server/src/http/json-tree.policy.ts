/** Values in a body, with all that are in them: what any operation takes has a few thousand. */
export const maxValues = 20_000

/** What is wrong with a parsed body: too much in it. Keys that would change what objects inherit are taken out of it. */
export function treeProblem(root: unknown): string | undefined {
  const open = [root]
  let values = 0
  while (open.length > 0) {
    const value = open.pop()
    if (++values > maxValues) return `The body has more than ${maxValues} values`
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) delete (value as { __proto__?: unknown }).__proto__
    if (Object.hasOwn(value, 'constructor')) {
      const { constructor } = value as { constructor: unknown }
      if (typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype'))
        delete (value as { constructor?: unknown }).constructor
    }
    const inner = Array.isArray(value) ? (value as unknown[]) : Object.values(value)
    if (values + open.length + inner.length > maxValues) return `The body has more than ${maxValues} values`
    for (const each of inner) open.push(each)
  }
  return undefined
}
