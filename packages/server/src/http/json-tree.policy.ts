import { isUtf8 } from 'node:buffer'

/** Values in a body, with all that are in them: what any operation takes has a few thousand. */
export const maxValues = 20_000

/** RFC 8259 §8.1. What is not UTF-8 would be stored with marks in the place of what was sent. */
export const textOf = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined

export const noText = ['MALFORMED_JSON', 'The body is not UTF-8 text'] as const

/** Whether the text of a body may have half a character: in bytes that are UTF-8 only an escape can be one (RFC 8259 §8.2). */
export const mayHaveHalf = (text: string): boolean => /\\u[dD][89a-fA-F]/.test(text)

/** Of a path that is told: what is meant lies no deeper. */
const maxPathLength = 200

/** Where in a parsed body half a character is, in a text or the name of a member: `variables.0.value`. */
export function pathOfHalf(root: unknown): string | undefined {
  const open: [value: unknown, path: string][] = [[root, '']]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, path] = next
    if (typeof value === 'string' && !value.isWellFormed()) return path.slice(0, maxPathLength).toWellFormed()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`
      open.push([name, inner], [member, inner])
    }
  }
  return undefined
}

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
